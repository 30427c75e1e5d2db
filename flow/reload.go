package flow

import (
	"context"
	"errors"
	"fmt"

	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Watch specifies whether [Flow.Run] reloads the document when one of its files changes.
func Watch(on bool) Option { return func(s *settings) { s.watch = on } }

// Reload loads the files of the document again. The new document takes over at once, and requests in progress finish
// in the old one. Connections are kept if the server did not change. If the new document is invalid, or its addresses
// are not available, Reload returns an error and the old document keeps running.
func (f *Flow) Reload() error {
	f.reloading.Lock()
	defer f.reloading.Unlock()
	if len(f.files) == 0 {
		return errors.New("flow: the document was not loaded from a file")
	}
	err := f.reload()
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil {
		f.refused++
	} else {
		f.reloads++
	}
	return err
}

func (f *Flow) reload() error {
	doc, err := f.readDocument()
	if err != nil {
		return err
	}
	g := f.compile(doc, f.current.Load())
	all := doc.diags.sort(doc.files)
	if err := all.Err(); err != nil {
		g.release()
		return err
	}
	opened, err := f.open(g)
	if err != nil {
		g.release()
		return err
	}
	f.mu.Lock()
	if f.draining {
		f.mu.Unlock()
		for _, s := range opened {
			s.ln.Close()
		}
		g.release()
		return errors.New("flow: the flow is stopping")
	}
	f.reads, f.warnings = doc.reads, all
	old := f.current.Swap(g)
	gone, running := f.serve(g, opened), f.running
	if old.feeds.stop != nil {
		old.feeds.stop()
	}
	f.mu.Unlock()
	for _, start := range g.starters {
		start()
	}
	if running {
		f.feed(g)
	}
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), f.settings.drain)
		defer cancel()
		errs := make([]error, 0, len(gone)+1)
		for _, s := range gone {
			errs = append(errs, s.stop(ctx))
		}
		if err := errors.Join(append(errs, old.retire(ctx))...); err != nil {
			f.settings.log.Warn("the previous document did not end in time", "error", err.Error())
		}
	}()
	return nil
}

// open opens what g needs, and listens at the addresses that are not listened at yet, but accepts nothing.
func (f *Flow) open(g *graph) ([]*server, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var opened []*server
	if !f.running {
		return nil, nil
	}
	if err := g.prepare(); err != nil {
		return nil, err
	}
	for _, s := range g.servers {
		if f.servers[s.key()] != nil {
			continue
		}
		ln, err := f.settings.listen("tcp", s.address)
		if err != nil {
			for _, o := range opened {
				o.ln.Close()
			}
			return nil, fmt.Errorf("flow: node %s: %w", s.node.spec.name, err)
		}
		opened = append(opened, &server{address: s.key(), ln: ln, stopped: make(chan struct{})})
	}
	return opened, nil
}

// serve serves the addresses of g, the current graph, and returns the servers that it has no more.
func (f *Flow) serve(g *graph, opened []*server) (gone []*server) {
	if !f.running {
		return nil
	}
	for _, s := range opened {
		f.servers[s.address] = s
	}
	for _, s := range g.servers {
		srv := f.servers[s.key()]
		srv.node = s.node.spec.name
		if srv.http == nil || srv.same != s.connSettings() {
			srv.serve(f, s, f.failures)
		}
	}
	for _, s := range opened {
		go s.accept()
	}
	for key, srv := range f.servers {
		if !slices.ContainsFunc(g.servers, func(s *httpStep) bool { return s.key() == key }) {
			gone = append(gone, srv)
			delete(f.servers, key)
		}
	}
	return gone
}

// watch loads the document again after its files have changed, until ctx ends.
func (f *Flow) watch(ctx context.Context) error {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("flow: watching files: %w", err)
	}
	go func() {
		defer w.Close()
		f.follow(ctx, w)
	}()
	return nil
}

// quiet is how long files have to stay as they are before they are read: who writes
// one may write another.
const quiet = 50 * time.Millisecond

func (f *Flow) follow(ctx context.Context, w *fsnotify.Watcher) {
	var names map[string]bool
	look := func() { // folders, since programs replace files by others
		names = make(map[string]bool)
		f.mu.Lock()
		reads := slices.Clone(f.reads)
		f.mu.Unlock()
		for _, name := range reads {
			if full, err := filepath.Abs(name); err == nil {
				names[full] = true
				_ = w.Add(filepath.Dir(full))
			}
		}
	}
	look()
	timer := time.NewTimer(time.Hour)
	timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case e := <-w.Events:
			// Secrets in containers are links to a folder that is replaced: its name begins with dots.
			if full, err := filepath.Abs(e.Name); err == nil && (names[full] || filepath.Base(full) == "..data") && !e.Has(fsnotify.Chmod) {
				timer.Reset(quiet)
			}
		case err := <-w.Errors:
			f.settings.log.Warn("watching files", "error", err.Error())
		case <-timer.C:
			if err := f.Reload(); err != nil {
				f.settings.log.Error("the changed document is rejected", "error", err.Error())
			} else {
				f.settings.log.Info("reloaded")
			}
			look()
		}
	}
}
