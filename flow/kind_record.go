package flow

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/weftcodec/weft/json"
)

// recordConfig writes what passes to a file.
type recordConfig struct {
	File    text     `flow:"file,required" doc:"the file, to which a line is added for each message"`
	Mask    []string `flow:"mask" doc:"headers that are left out"`
	MaxBody size     `flow:"maxBody" doc:"most bytes of a body that is written"`
	MaxSize size     `flow:"maxSize" doc:"most bytes of the file"`
}

func newRecordConfig() config {
	return &recordConfig{Mask: []string{"Authorization", "Cookie", "Set-Cookie"}, MaxBody: 1 << 20, MaxSize: 1 << 30}
}

func (cfg *recordConfig) build(b *build) step {
	s := &recordStep{cfg: cfg, name: b.node.spec.name, out: b.out("out"), file: cfg.File.s, stats: b.node.stats}
	if !filepath.IsAbs(s.file) {
		s.file = filepath.Join(filepath.Dir(b.node.spec.file.name), s.file)
	}
	b.g.closers = append(b.g.closers, s.close)
	return s
}

// recorded returns a port behind which a record node stands, of the same name, and then out.
func (b *build) recorded(out *port, file string) *port {
	s := &recordStep{cfg: newRecordConfig().(*recordConfig), name: b.node.spec.name, out: out, file: file, stats: new(stats)}
	b.g.closers = append(b.g.closers, s.close)
	n := &node{spec: &spec{name: s.name, kind: b.node.spec.kind}, step: s, stats: s.stats}
	return &port{name: out.name, to: []*node{n}}
}

// recording is a message and its answer, as a line of a file.
type recording struct {
	Node    string          `json:"node"`
	Time    time.Time       `json:"time"`
	Request recordedMessage `json:"request"`
	Answer  recordedMessage `json:"answer"`
}

// recordedMessage is one of both. Its body is text where it is UTF-8.
type recordedMessage struct {
	Method   string      `json:"method,omitempty"`
	Host     string      `json:"host,omitempty"`
	Path     string      `json:"path,omitempty"`
	Query    string      `json:"query,omitempty"`
	Status   int         `json:"status,omitempty"`
	Header   http.Header `json:"header,omitempty"`
	Type     string      `json:"type,omitempty"`
	Encoding string      `json:"encoding,omitempty"`
	Text     string      `json:"text,omitempty"`
	Bytes    []byte      `json:"bytes,omitempty"`
	Long     bool        `json:"long,omitempty"` // the body was too long to be written
	Error    string      `json:"error,omitempty"`
}

// recordStep writes what passes to a file.
type recordStep struct {
	cfg   *recordConfig
	name  string
	out   *port
	file  string
	stats *stats
	off   bool // nothing is written

	mu   sync.Mutex
	to   *os.File
	size int64
	full bool
}

// run implements step.
func (s *recordStep) run(c *call, m *message) error {
	if s.off {
		return s.out.send(c, m)
	}
	r := recording{Node: s.name, Time: time.Now().UTC()}
	r.Request = recordedMessage{Method: m.method, Host: m.host, Path: m.path, Query: m.query}
	if err := s.take(c, m, &r.Request, m.header); err != nil {
		return err
	}
	err := s.out.send(c, m)
	if r.Answer.Status = m.status; m.status == 0 {
		r.Answer.Status = http.StatusOK
	}
	if err != nil {
		e := errorOf(s.name, err)
		r.Answer.Status, r.Answer.Error = e.Status, e.Error()
	} else if err = s.take(c, m, &r.Answer, m.reply); err != nil {
		return err
	}
	line, failed := json.MarshalAppend(nil, &r)
	if failed == nil {
		failed = s.write(append(line, '\n'))
	}
	if failed != nil { // the message has nothing to do with it
		e := errorOf(s.name, fmt.Errorf("recording: %w", failed))
		s.stats.fail(e)
		c.flow.failed(c, e)
	}
	return err
}

// take takes the headers and the body of a message.
func (s *recordStep) take(c *call, m *message, to *recordedMessage, header http.Header) error {
	to.Header = header.Clone()
	for _, name := range s.cfg.Mask {
		to.Header.Del(name)
	}
	to.Type, to.Encoding = m.body.mediaType, m.body.encoding
	if m.body.stream != nil && m.body.length > int64(s.cfg.MaxBody) {
		to.Long = true
		return nil
	}
	if m.body.stream != nil {
		if whole, err := m.body.peek(c, int64(s.cfg.MaxBody)); err != nil || !whole {
			to.Long = true
			return err
		}
	}
	raw, err := m.body.bytes(c)
	to.Type = m.body.mediaType // of a value that has been encoded now
	switch {
	case err != nil || len(raw) > int(s.cfg.MaxBody):
		to.Long = true
	case utf8.Valid(raw):
		to.Text = string(raw)
	default:
		to.Bytes = bytes.Clone(raw)
	}
	return err
}

var errRecordFull = errors.New("the file has reached its maximum size: nothing more is written")

// write adds a line to the file, or nothing.
func (s *recordStep) write(line []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.full {
		return nil
	}
	if s.to == nil {
		if err := s.open(); err != nil {
			return err
		}
	}
	if s.size+int64(len(line)) > int64(s.cfg.MaxSize) {
		s.full = true
		return errRecordFull
	}
	if _, err := s.to.Write(line); err != nil {
		return errors.Join(err, s.to.Truncate(s.size)) // no half of a line, such as on a full disk
	}
	s.size += int64(len(line))
	return nil
}

// open opens the file. A line that was cut off when a process ended is ended.
func (s *recordStep) open() error {
	f, err := os.OpenFile(s.file, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && info.Size() > 0 {
		var last [1]byte
		if _, err = f.ReadAt(last[:], info.Size()-1); err == nil && last[0] != '\n' {
			_, err = f.Write([]byte{'\n'})
			s.size = 1
		}
	}
	if err != nil {
		f.Close()
		return err
	}
	s.to, s.size = f, s.size+info.Size()
	return nil
}

func (s *recordStep) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.to != nil {
		s.to.Close()
		s.to = nil
	}
}
