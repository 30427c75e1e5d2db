module github.com/weftcodec/weft/cmd/weft

go 1.26.0

require (
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
	github.com/weftcodec/weft v0.1.0
	go.yaml.in/yaml/v4 v4.0.0
)

require (
	github.com/klauspost/compress v1.20.3 // indirect
	golang.org/x/text v0.14.0 // indirect
)
