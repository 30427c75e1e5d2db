package ir

import "strconv"

// Scope is a set of names that are taken.
type Scope struct {
	taken map[string]bool
}

// NewScope returns a scope in which the reserved names are taken.
func NewScope(reserved ...string) *Scope {
	s := &Scope{taken: make(map[string]bool)}
	for _, n := range reserved {
		s.taken[n] = true
	}
	return s
}

// Pick takes the first of the names that is free, or else the last of them with
// the smallest number from 2 that makes it so, and returns it.
func (s *Scope) Pick(names ...string) string {
	last := ""
	for _, n := range names {
		if n == "" {
			continue
		}
		if !s.taken[n] {
			s.taken[n] = true
			return n
		}
		last = n
	}
	if c := last[len(last)-1]; '0' <= c && c <= '9' {
		last += "_" // "V1" and "V12" would be confusing as "V12"
	}
	for i := 2; ; i++ {
		if n := last + strconv.Itoa(i); !s.taken[n] {
			s.taken[n] = true
			return n
		}
	}
}
