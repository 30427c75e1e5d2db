module github.com/weftcodec/weft

go 1.26.0
