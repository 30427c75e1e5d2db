package plan

import (
	"reflect"
	"sync"
	"testing"
)

// TestPrograms makes programs of many types from several goroutines: one for each.
func TestPrograms(t *testing.T) {
	type program struct{ rt reflect.Type }
	var g Programs[program]
	if g.Find(nil) != nil || g.Find(1) != nil {
		t.Error("found what is not there")
	}
	var types []reflect.Type
	for n := range 300 {
		types = append(types, reflect.ArrayOf(n, reflect.TypeFor[int16]()))
	}
	var made sync.Map
	var wait sync.WaitGroup
	for k := range 4 {
		wait.Go(func() {
			for i := range types {
				rt := types[(i+k*70)%len(types)]
				p := g.Find(reflect.New(rt).Elem().Interface())
				if p == nil {
					p = g.Make(rt, func() *program { return &program{rt} })
				}
				if first, _ := made.LoadOrStore(rt, p); first != p || p.rt != rt {
					t.Errorf("%v has two programs", rt)
				}
			}
		})
	}
	wait.Wait()
	for _, rt := range types {
		if p := g.Find(reflect.New(rt).Elem().Interface()); p == nil || p.rt != rt {
			t.Errorf("%v is not found", rt)
		}
	}
}
