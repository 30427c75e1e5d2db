module github.com/weftcodec/weft/contrib/memcache

go 1.26.0

require (
	github.com/bradfitz/gomemcache v0.0.0-20260422231931-4d751bb6e37c
	github.com/weftcodec/weft v0.1.0
)

require github.com/klauspost/compress v1.20.3 // indirect
