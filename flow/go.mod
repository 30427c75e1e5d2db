module github.com/weftcodec/weft/flow

go 1.26.0

require (
	github.com/expr-lang/expr v1.17.8
	go.yaml.in/yaml/v4 v4.0.0
)
