// Package natsserver runs a NATS server in the process, for documents of package flow:
//
//	flow.Load("work.yaml", flow.EmbedNATS(natsserver.Start))
//
// It is a separate package, so that programs that do not use it need not download the server.
package natsserver

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/weftcodec/weft/flow"
)

// Start starts a server with JetStream, whose streams stand in the folder o.Store. It returns when it takes connections.
// With o.SyncAlways it syncs every write before it acknowledges it.
func Start(o flow.NATSOptions) (flow.NATSServer, error) {
	opts := &server.Options{
		ServerName: "weft-flow", JetStream: true, StoreDir: o.Store, SyncAlways: o.SyncAlways, MaxPayload: int32(o.MaxMessage),
		NoSigs: true, NoLog: true, DontListen: o.Listen == "",
	}
	if o.Listen != "" {
		host, port, err := net.SplitHostPort(o.Listen)
		if err != nil {
			return nil, err
		}
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil {
			return nil, fmt.Errorf("the port %q: expected a number up to 65535", port)
		}
		if opts.Host, opts.Port = host, int(n); n == 0 {
			opts.Port = server.RANDOM_PORT
		}
		// The server ends the process when it cannot listen: that it can is found out before.
		ln, err := net.Listen("tcp", o.Listen)
		if err != nil {
			return nil, err
		}
		ln.Close()
	}
	s, err := server.NewServer(opts)
	if err != nil {
		return nil, err
	}
	s.Start()
	if !s.ReadyForConnections(30 * time.Second) {
		s.Shutdown()
		return nil, errors.New("the server is not ready after 30 s: another process may use the folder")
	}
	if !s.JetStreamEnabled() {
		s.Shutdown()
		return nil, errors.New("JetStream cannot use the folder")
	}
	return &running{s}, nil
}

// running is a server that runs.
type running struct{ *server.Server }

// Stop implements flow.NATSServer.
func (r *running) Stop() {
	r.Shutdown()
	r.WaitForShutdown()
}
