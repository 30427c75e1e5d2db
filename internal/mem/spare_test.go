package mem

import "testing"

func TestSpare(t *testing.T) {
	var s Spare
	for range 1000 {
		if s.Drop(spareFree, 0) {
			t.Fatal("a little may always be kept")
		}
	}
	large := 16 * spareFree
	for range 1000 { // one call in some that needs the memory keeps it
		for range spareCalls - 1 {
			if s.Drop(large, 100) {
				t.Fatal("dropped too early")
			}
		}
		if s.Drop(large, large/4) {
			t.Fatal("dropped though it is needed")
		}
	}
	calls := 1
	for !s.Drop(large, 100) {
		calls++
	}
	if calls != spareCalls {
		t.Errorf("dropped after %d calls", calls)
	}
}
