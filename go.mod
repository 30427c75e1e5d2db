module github.com/weftcodec/weft

go 1.26.0

require github.com/klauspost/compress v1.20.3
