package flow

import "container/list"

// recent keeps values by keys, and drops those that have not been used for the longest time when there are too many.
type recent[V any] struct {
	byKey map[string]*list.Element
	order list.List // of recentEntry[V], the latest first
	size  int64
}

type recentEntry[V any] struct {
	key  string
	v    V
	size int64
}

// get returns the value of key, which has been used now.
func (r *recent[V]) get(key string) (v V, ok bool) {
	e := r.byKey[key]
	if e == nil {
		return v, false
	}
	r.order.MoveToFront(e)
	return e.Value.(*recentEntry[V]).v, true
}

// has reports whether there is a value of key.
func (r *recent[V]) has(key string) bool { return r.byKey[key] != nil }

// put sets the value of key, and drops others until all take at most most.
func (r *recent[V]) put(key string, v V, size, most int64) {
	r.drop(key)
	if r.byKey == nil {
		r.byKey = make(map[string]*list.Element)
	}
	r.byKey[key] = r.order.PushFront(&recentEntry[V]{key, v, size})
	for r.size += size; r.size > most && r.order.Len() > 1; {
		r.drop(r.order.Back().Value.(*recentEntry[V]).key)
	}
}

// drop forgets key.
func (r *recent[V]) drop(key string) {
	if e := r.byKey[key]; e != nil {
		r.size -= r.order.Remove(e).(*recentEntry[V]).size
		delete(r.byKey, key)
	}
}
