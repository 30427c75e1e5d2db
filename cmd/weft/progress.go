package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// minProgress is the size from which on a file is worth a progress bar.
const minProgress = 8 << 20

// progress is a bar on a terminal.
type progress struct {
	w     io.Writer
	name  string
	size  int64
	start time.Time
	last  time.Time
	width int  // of what is on the line
	parts bool // size is no number of bytes
	now   func() time.Time
}

func newProgress(w io.Writer, name string, size int64) *progress {
	p := &progress{w: w, name: name, size: size, now: time.Now}
	p.start = p.now()
	p.last = p.start
	return p
}

// show draws the bar for the bytes that are done, a few times a second.
func (p *progress) show(done int64) {
	now := p.now()
	if now.Sub(p.last) < 200*time.Millisecond {
		return
	}
	p.last = now
	const cells = 30
	done = min(done, p.size)
	full := int(done * cells / p.size)
	line := fmt.Sprintf("%s [%s%s] %3d %%", p.name,
		strings.Repeat("#", full), strings.Repeat(".", cells-full), done*100/p.size)
	if !p.parts {
		line += fmt.Sprintf("  %.0f of %.0f MB, %.0f MB/s",
			float64(done)/1e6, float64(p.size)/1e6, float64(done)/1e6/now.Sub(p.start).Seconds())
	}
	fmt.Fprintf(p.w, "\r%-*s", p.width, line)
	p.width = len(line)
}

// clear takes the bar away.
func (p *progress) clear() {
	if p.width > 0 {
		fmt.Fprintf(p.w, "\r%*s\r", p.width, "")
	}
}
