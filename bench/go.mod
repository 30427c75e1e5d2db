module github.com/weftcodec/weft/bench

go 1.26

require github.com/weftcodec/weft v0.0.0
