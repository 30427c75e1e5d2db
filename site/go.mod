module github.com/weftcodec/weft/site

go 1.26.0

require (
	github.com/weftcodec/weft v0.1.0
	github.com/weftcodec/weft/bench v0.1.0
	github.com/weftcodec/weft/cmd/weft v0.1.0
	github.com/yuin/goldmark v1.8.2
)

require (
	github.com/klauspost/compress v1.20.3 // indirect
	go.yaml.in/yaml/v4 v4.0.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)
