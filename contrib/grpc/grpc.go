// Package grpc lets services and clients of google.golang.org/grpc exchange plain Go types in any format of weft,
// without protobuf.
//
//	server := grpc.NewServer(grpc.ForceServerCodecV2(weftgrpc.Codec(msgpack.Format)))
//	conn, err := grpc.NewClient(target, grpc.WithDefaultCallOptions(grpc.ForceCodecV2(weftgrpc.Codec(msgpack.Format))))
//
// The content-subtype is "weft-" followed by the name of the format. Protobuf messages are written as protobuf, so
// services such as grpc's own health and reflection can run on the same server.
package grpc

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
	message "google.golang.org/protobuf/proto"

	"github.com/weftcodec/weft"
)

// Codec returns the codec of a format, for ForceServerCodecV2, ForceCodecV2 and RegisterCodecV2. The options are those of
// the format.
func Codec(f weft.Format, opts ...weft.Options) encoding.CodecV2 {
	return &codec{f, weft.Join(opts...), "weft-" + f.Name(), encoding.GetCodecV2(proto.Name)}
}

type codec struct {
	f     weft.Format
	opts  weft.Options
	name  string
	proto encoding.CodecV2
}

func (c *codec) Name() string { return c.name }

func (c *codec) Marshal(v any) (mem.BufferSlice, error) {
	if m, ok := v.(message.Message); ok {
		return c.proto.Marshal(m)
	}
	b, err := c.f.MarshalAppend(nil, v, c.opts)
	if err != nil {
		return nil, err
	}
	return mem.BufferSlice{mem.SliceBuffer(b)}, nil
}

func (c *codec) Unmarshal(data mem.BufferSlice, v any) error {
	if m, ok := v.(message.Message); ok {
		return c.proto.Unmarshal(data, m)
	}
	b := data.MaterializeToBuffer(mem.DefaultBufferPool())
	defer b.Free()
	return c.f.Unmarshal(b.ReadOnlyData(), v, c.opts, weft.AliasInput(false)) // the memory is used again
}

// Unary returns the method of a service that answers an In with an Out, for the field Methods of a grpc.ServiceDesc. The
// implementation of the service is an S, such as an interface or a pointer to a struct; call is one of its methods, such as
// Pets.Get.
func Unary[S, In, Out any](name string, call func(S, context.Context, *In) (*Out, error)) grpc.MethodDesc {
	return grpc.MethodDesc{
		MethodName: name,
		Handler: func(srv any, ctx context.Context, decode func(any) error, next grpc.UnaryServerInterceptor) (any, error) {
			in := new(In)
			if err := decode(in); err != nil {
				return nil, err
			}
			if next == nil {
				return call(srv.(S), ctx, in)
			}
			method, _ := grpc.Method(ctx)
			info := &grpc.UnaryServerInfo{Server: srv, FullMethod: method}
			return next(ctx, in, info, func(ctx context.Context, in any) (any, error) {
				return call(srv.(S), ctx, in.(*In))
			})
		},
	}
}
