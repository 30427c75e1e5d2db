module github.com/weftcodec/weft/flow

go 1.26.0

require (
	github.com/expr-lang/expr v1.17.8
	github.com/fsnotify/fsnotify v1.10.1
	github.com/prometheus/client_golang v1.25.0
	github.com/weftcodec/weft v0.1.0
	go.yaml.in/yaml/v4 v4.0.0
)

require github.com/klauspost/compress v1.20.3 // indirect
