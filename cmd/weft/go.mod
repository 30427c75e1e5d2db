module github.com/weftcodec/weft/cmd/weft

go 1.26
