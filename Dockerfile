# The image has weft and weft-flow, and nothing else:
#
#	docker build -t weft .
#	docker run --rm -v "$PWD:/work" -w /work weft inspect pet.msgpack
#	docker run --rm -v "$PWD:/work" -w /work -p 8000:8000 --entrypoint /weft-flow weft run flow.yaml
FROM golang:1.26 AS build
WORKDIR /src
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags=-buildid= -o /out/weft ./cmd/weft && \
    CGO_ENABLED=0 go build -trimpath -ldflags=-buildid= -o /out/weft-flow ./flow/cmd/weft-flow

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/weft /out/weft-flow /
USER 65534:65534
ENTRYPOINT ["/weft"]
