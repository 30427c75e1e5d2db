package flow

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

// server is an address that is listened at, and who serves the connections there. It outlives the
// graph, so that connections are kept when a document is reloaded.
type server struct {
	address string
	node    string // name of the node
	ln      net.Listener
	http    *http.Server
	same    connSettings  // of http
	stopped chan struct{} // closed when it stops

	mu    sync.Mutex
	next  *handoff      // of http
	slots chan struct{} // one for each connection, nil for any number
}

// connSettings are what a server cannot change while it runs.
type connSettings struct {
	tls, h2c                                  bool
	cert                                      string
	header                                    size
	headerTime, readTime, writeTime, idleTime int64
	conns                                     int
}

func (s *httpStep) connSettings() connSettings {
	c := s.cfg
	cs := connSettings{
		tls: s.cert != nil, h2c: c.H2C, header: c.MaxHeader, conns: c.MaxConns,
		headerTime: int64(c.HeaderTime), readTime: int64(c.ReadTime), writeTime: int64(c.WriteTime), idleTime: int64(c.IdleTime),
	}
	if s.cert != nil {
		cs.cert = string(s.cert.Certificate[0])
	}
	return cs
}

// key tells servers apart: by address, or by name where the system chooses the port.
func (s *httpStep) key() string {
	if _, port, _ := net.SplitHostPort(s.address); port == "0" {
		return s.node.spec.name + "@" + s.address
	}
	return s.address
}

// serve makes an http.Server by the settings of s the one that gets new connections. The one
// before answers the requests it has.
func (srv *server) serve(f *Flow, s *httpStep, failed chan<- error) {
	c := s.cfg
	old, next := srv.http, &handoff{conns: make(chan net.Conn), closed: make(chan struct{}), addr: srv.ln.Addr()}
	key := srv.address
	hs := &http.Server{
		Handler:           &handler{f, func(s *httpStep) bool { return s.key() == key }},
		ReadHeaderTimeout: c.HeaderTime, ReadTimeout: c.ReadTime, WriteTimeout: c.WriteTime, IdleTimeout: c.IdleTime,
		MaxHeaderBytes: int(c.MaxHeader), ErrorLog: log.New(logWriter{f.settings.log}, "", 0),
		Protocols: new(http.Protocols),
	}
	hs.Protocols.SetHTTP1(true)
	hs.Protocols.SetHTTP2(s.cert != nil)
	hs.Protocols.SetUnencryptedHTTP2(c.H2C)
	if s.cert != nil {
		hs.TLSConfig = &tls.Config{Certificates: []tls.Certificate{*s.cert}, MinVersion: tls.VersionTLS12}
	}
	var slots chan struct{}
	if c.MaxConns > 0 {
		slots = make(chan struct{}, c.MaxConns)
	}
	srv.http, srv.same = hs, s.connSettings()
	srv.mu.Lock()
	srv.next, srv.slots = next, slots
	srv.mu.Unlock()
	go func() {
		var err error
		if s.cert != nil {
			err = hs.ServeTLS(next, "", "")
		} else {
			err = hs.Serve(next)
		}
		if !errors.Is(err, http.ErrServerClosed) {
			report(failed, fmt.Errorf("flow: node %s: %w", s.node.spec.name, err))
		}
	}()
	if old != nil {
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), f.settings.drain)
			defer cancel()
			if old.Shutdown(ctx) != nil {
				old.Close()
			}
		}()
	}
}

// accept hands connections to the http.Server that is expected.
func (srv *server) accept() {
	for wait := time.Duration(0); ; {
		conn, err := srv.ln.Accept()
		if err != nil {
			if errors.Is(err, net.ErrClosed) {
				return
			}
			// Such as too many open files: others may end.
			wait = min(max(2*wait, 5*time.Millisecond), time.Second)
			select {
			case <-time.After(wait):
				continue
			case <-srv.stopped:
				return
			}
		}
		wait = 0
		if !srv.hand(conn) {
			conn.Close()
			return
		}
	}
}

// hand gives a connection to the http.Server that is expected, once there is room for it. It reports
// false when the server has stopped.
func (srv *server) hand(conn net.Conn) bool {
	for {
		srv.mu.Lock()
		next, slots := srv.next, srv.slots
		srv.mu.Unlock()
		given := conn
		if slots != nil {
			select {
			case slots <- struct{}{}:
				given = &slotConn{Conn: conn, slots: slots}
			case <-next.closed:
				continue
			case <-srv.stopped:
				return false
			}
		}
		select {
		case next.conns <- given:
			return true
		case <-next.closed: // another one is expected
			if slots != nil {
				<-slots
			}
		case <-srv.stopped:
			return false
		}
	}
}

// slotConn is a connection that has a slot until it is closed.
type slotConn struct {
	net.Conn
	slots chan struct{}
	once  sync.Once
}

// CloseWrite ends what is sent, for net/http, which goes on to read then.
func (c *slotConn) CloseWrite() error {
	if w, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return w.CloseWrite()
	}
	return nil
}

// Close implements net.Conn.
func (c *slotConn) Close() error {
	c.once.Do(func() { <-c.slots })
	return c.Conn.Close()
}

// stop closes the address and waits for the requests in progress until ctx ends.
func (srv *server) stop(ctx context.Context) error {
	close(srv.stopped)
	srv.ln.Close()
	if err := srv.http.Shutdown(ctx); err != nil {
		srv.http.Close()
		return err
	}
	return nil
}

func report(failed chan<- error, err error) {
	select {
	case failed <- err:
	default:
	}
}

// handoff is a listener that gets connections from another one.
type handoff struct {
	conns  chan net.Conn
	once   sync.Once
	closed chan struct{}
	addr   net.Addr
}

// Accept implements net.Listener.
func (h *handoff) Accept() (net.Conn, error) {
	select {
	case c := <-h.conns:
		return c, nil
	case <-h.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (h *handoff) Close() error {
	h.once.Do(func() { close(h.closed) })
	return nil
}

// Addr implements net.Listener.
func (h *handoff) Addr() net.Addr { return h.addr }
