package unchecked

//go:generate go run github.com/weftcodec/weft/cmd/weft gen openapi openapi.yaml --out . --package unchecked --no-marshal
