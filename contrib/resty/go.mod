module github.com/weftcodec/weft/contrib/resty

go 1.26.0

require (
	github.com/go-resty/resty/v2 v2.17.2
	github.com/weftcodec/weft v0.1.0
)

require (
	golang.org/x/net v0.56.0 // indirect
	golang.org/x/time v0.15.0 // indirect
)
