// Package redis stores Go values in Redis, in any format of weft, through github.com/redis/go-redis/v9.
//
//	pets := weftredis.New[Pet](client, msgpack.Format)
//	err := pets.Set(ctx, "pet:1", rex, time.Hour)
//	rex, err := pets.Get(ctx, "pet:1")
//
// [In] makes any value an argument of any command, and any variable a target to scan its result into.
package redis

import (
	"context"
	"encoding"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/weftcodec/weft"
)

// Store holds values of type T in the strings of Redis. [New] makes one. It may be used by several goroutines at once.
type Store[T any] struct {
	c    redis.Cmdable
	f    weft.Format
	opts weft.Options
}

// New returns a store of c, which is a client of any kind, in the format; a pipeline takes Set alone. The options are
// those of the format.
func New[T any](c redis.Cmdable, f weft.Format, opts ...weft.Options) *Store[T] {
	return &Store[T]{c, f, weft.Join(opts...)}
}

// Get returns the value of a key. The error is [redis.Nil] if there is none.
func (s *Store[T]) Get(ctx context.Context, key string) (v T, err error) {
	err = s.c.Get(ctx, key).Scan(In(s.f, &v, s.opts))
	if err != nil && err != redis.Nil {
		err = fmt.Errorf("redis: key %q: %w", key, err)
	}
	return v, err
}

// GetAll returns the values of those of the keys that there are.
func (s *Store[T]) GetAll(ctx context.Context, keys ...string) (map[string]T, error) {
	list, err := s.c.MGet(ctx, keys...).Result()
	if err != nil {
		return nil, err
	}
	all := make(map[string]T, len(keys))
	for i, text := range list {
		if text, ok := text.(string); ok {
			var v T
			if err := s.f.Unmarshal([]byte(text), &v, s.opts); err != nil {
				return nil, fmt.Errorf("redis: key %q: %w", keys[i], err)
			}
			all[keys[i]] = v
		}
	}
	return all, nil
}

// Set stores the value of a key for a time: forever for 0, and as long as before for [redis.KeepTTL].
func (s *Store[T]) Set(ctx context.Context, key string, v T, ttl time.Duration) error {
	return s.c.Set(ctx, key, In(s.f, &v, s.opts), ttl).Err()
}

// Value is a variable beside the format that Redis holds it in. [In] makes one.
type Value struct {
	v    any
	f    weft.Format
	opts weft.Options
}

var (
	_ encoding.BinaryMarshaler   = Value{}
	_ encoding.BinaryUnmarshaler = Value{}
)

// In returns what to give to a command, and to Scan of its result, for the variable that v points to.
func In(f weft.Format, v any, opts ...weft.Options) Value { return Value{v, f, weft.Join(opts...)} }

// MarshalBinary is how go-redis writes arguments.
func (v Value) MarshalBinary() ([]byte, error) { return v.f.MarshalAppend(nil, v.v, v.opts) }

// UnmarshalBinary is how go-redis scans results.
func (v Value) UnmarshalBinary(b []byte) error {
	return v.f.Unmarshal(b, v.v, v.opts, weft.AliasInput(false)) // the memory is the connection's
}
