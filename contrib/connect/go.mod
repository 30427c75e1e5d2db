module github.com/weftcodec/weft/contrib/connect

go 1.26.0

require (
	connectrpc.com/connect v1.21.1
	github.com/weftcodec/weft v0.1.0
)

require google.golang.org/protobuf v1.36.11 // indirect
