// Package memcache stores Go values in Memcached, in any format of weft, through
// github.com/bradfitz/gomemcache/memcache.
//
//	pets := weftmemcache.New[Pet](client, msgpack.Format)
//	err := pets.Set("pet:1", rex, 3600)
//	rex, err := pets.Get("pet:1")
package memcache

import (
	"fmt"

	"github.com/bradfitz/gomemcache/memcache"

	"github.com/weftcodec/weft"
)

// Store holds values of type T in Memcached. [New] makes one. It may be used by several goroutines at once.
type Store[T any] struct {
	c    *memcache.Client
	f    weft.Format
	opts weft.Options
}

// New returns a store of the client in the format. The options are those of the format.
func New[T any](c *memcache.Client, f weft.Format, opts ...weft.Options) *Store[T] {
	return &Store[T]{c, f, weft.Join(opts...)}
}

// Get returns the value of a key. The error is [memcache.ErrCacheMiss] if there is none.
func (s *Store[T]) Get(key string) (v T, err error) {
	item, err := s.c.Get(key)
	if err != nil {
		return v, err
	}
	return s.Value(item)
}

// GetAll returns the values of those of the keys that there are.
func (s *Store[T]) GetAll(keys ...string) (map[string]T, error) {
	items, err := s.c.GetMulti(keys)
	if err != nil {
		return nil, err
	}
	all := make(map[string]T, len(items))
	for key, item := range items {
		if all[key], err = s.Value(item); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Set stores the value of a key for seconds, forever for 0, as [memcache.Item] says.
func (s *Store[T]) Set(key string, v T, seconds int32) error {
	item := &memcache.Item{Key: key, Expiration: seconds}
	if err := s.Put(item, v); err != nil {
		return err
	}
	return s.c.Set(item)
}

// Value returns the value of an item, such as one to be given to CompareAndSwap.
func (s *Store[T]) Value(item *memcache.Item) (v T, err error) {
	if err = s.f.Unmarshal(item.Value, &v, s.opts); err != nil {
		err = fmt.Errorf("memcache: key %q: %w", item.Key, err)
	}
	return v, err
}

// Put makes v the value of an item, for Add, Replace and CompareAndSwap of the client. If there is an error, the item stays as it
// was.
func (s *Store[T]) Put(item *memcache.Item, v T) error {
	b, err := s.f.MarshalAppend(nil, v, s.opts)
	if err != nil {
		return fmt.Errorf("memcache: key %q: %w", item.Key, err)
	}
	item.Value = b
	return nil
}
