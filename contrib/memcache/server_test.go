package memcache_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
)

// server speaks the text protocol of Memcached as far as the tests do: gets, set, add, cas and quit. Nothing expires.
type server struct {
	mu    sync.Mutex
	items map[string]item
	next  int
}

type item struct {
	flags, cas int
	value      string
}

// listen starts a server and returns its address.
func listen(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	s := &server{items: make(map[string]item)}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go s.serve(c)
		}
	}()
	return l.Addr().String()
}

func (s *server) serve(c net.Conn) {
	defer c.Close()
	r := bufio.NewReader(c)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		words := strings.Fields(line)
		if len(words) == 0 {
			return
		}
		switch words[0] {
		case "gets":
			err = s.get(c, words[1:])
		case "set", "add", "cas":
			err = s.store(c, r, words)
		default:
			_, err = io.WriteString(c, "ERROR\r\n")
		}
		if err != nil {
			return
		}
	}
}

func (s *server) get(w io.Writer, keys []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	for _, k := range keys {
		if i, ok := s.items[k]; ok {
			fmt.Fprintf(&b, "VALUE %s %d %d %d\r\n%s\r\n", k, i.flags, len(i.value), i.cas, i.value)
		}
	}
	_, err := io.WriteString(w, b.String()+"END\r\n")
	return err
}

func (s *server) store(w io.Writer, r io.Reader, words []string) error {
	var i item
	var seconds, size, cas int
	if _, err := fmt.Sscan(strings.Join(words[2:5], " "), &i.flags, &seconds, &size); err != nil || size < 0 || size > 1<<20 {
		return io.ErrUnexpectedEOF
	}
	if words[0] == "cas" {
		if _, err := fmt.Sscan(words[5], &cas); err != nil {
			return err
		}
	}
	b := make([]byte, size+2)
	if _, err := io.ReadFull(r, b); err != nil {
		return err
	}
	i.value = string(b[:size])
	s.mu.Lock()
	defer s.mu.Unlock()
	answer := "STORED\r\n"
	switch old, ok := s.items[words[1]]; {
	case words[0] == "add" && ok:
		answer = "NOT_STORED\r\n"
	case words[0] == "cas" && !ok:
		answer = "NOT_FOUND\r\n"
	case words[0] == "cas" && old.cas != cas:
		answer = "EXISTS\r\n"
	default:
		s.next++
		i.cas = s.next
		s.items[words[1]] = i
	}
	_, err := io.WriteString(w, answer)
	return err
}
