module github.com/weftcodec/weft/contrib/config

go 1.26.0

require (
	github.com/spf13/cobra v1.10.2
	github.com/spf13/pflag v1.1.0
	github.com/weftcodec/weft v0.1.0
	github.com/weftcodec/weft/cmd/weft v0.1.0
)

require (
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	go.yaml.in/yaml/v4 v4.0.0 // indirect
)
