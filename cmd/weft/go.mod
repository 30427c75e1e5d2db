module github.com/weftcodec/weft/cmd/weft

go 1.26

require github.com/weftcodec/weft v0.0.0
