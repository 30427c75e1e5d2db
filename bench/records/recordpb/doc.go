// Package recordpb is the struct of 2018 as a Protocol Buffers message.
package recordpb

//go:generate go run ../../cmd/protogen record.proto
