// Package browser drives a headless browser in tests, by the Chrome DevTools Protocol over pipes.
package browser

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// names are the commands of browsers.
var names = []string{"chromium", "chromium-browser", "google-chrome", "chrome"}

// Page is a page of a browser.
type Page struct {
	t       testing.TB
	in      io.Writer
	session string

	mu      sync.Mutex
	last    int
	waiting map[int]chan message
	said    []string // what the page has written to the console, and its errors
}

// message is what goes through the pipes.
type message struct {
	ID        int             `json:"id,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    json.RawMessage `json:"params,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// Open starts a browser for the test, which is skipped where none is installed.
func Open(t testing.TB) *Page {
	t.Helper()
	var path string
	for _, name := range names {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		t.Skipf("none of %v is installed", names)
	}
	commands, in := pipe(t)
	out, answers := pipe(t)
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--user-data-dir="+t.TempDir(), "--remote-debugging-pipe", "about:blank")
	cmd.ExtraFiles = []*os.File{commands, answers} // 3 and 4
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	commands.Close()
	answers.Close()
	p := &Page{t: t, in: in, waiting: make(map[int]chan message)}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		p.read(out)
	}()
	t.Cleanup(func() {
		p.write(message{Method: "Browser.close"})
		timer := time.AfterFunc(10*time.Second, func() { cmd.Process.Kill() })
		_ = cmd.Wait() // which fails where it was killed
		timer.Stop()
		<-ended
	})
	var made struct{ TargetID, SessionID string }
	p.call("Target.createTarget", map[string]any{"url": "about:blank"}, &made)
	p.call("Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &made)
	p.session = made.SessionID
	p.call("Page.enable", nil, nil)
	p.call("Runtime.enable", nil, nil)
	return p
}

func pipe(t testing.TB) (r, w *os.File) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}

// read takes in what the browser sends.
func (p *Page) read(out io.Reader) {
	r := bufio.NewReader(out)
	for {
		text, err := r.ReadBytes(0)
		if err != nil {
			break
		}
		var m message
		if err := json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), &m); err != nil {
			continue
		}
		p.mu.Lock()
		switch {
		case m.ID != 0:
			if c := p.waiting[m.ID]; c != nil {
				c <- m
				delete(p.waiting, m.ID)
			}
		case m.Method == "Runtime.consoleAPICalled" || m.Method == "Runtime.exceptionThrown":
			p.said = append(p.said, string(m.Params))
		}
		p.mu.Unlock()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.waiting {
		close(c)
	}
	p.waiting = nil
}

// write sends a message, and returns where the answer comes.
func (p *Page) write(m message) chan message {
	c := make(chan message, 1)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting == nil {
		close(c)
		return c
	}
	p.last++
	m.ID, m.SessionID = p.last, p.session
	p.waiting[m.ID] = c
	text, err := json.Marshal(m)
	if err == nil {
		_, err = p.in.Write(append(text, 0))
	}
	if err != nil {
		delete(p.waiting, m.ID)
		close(c)
	}
	return c
}

// call calls a method of the protocol.
func (p *Page) call(method string, params, result any) {
	p.t.Helper()
	m := message{Method: method}
	if params != nil {
		text, err := json.Marshal(params)
		if err != nil {
			p.t.Fatal(err)
		}
		m.Params = text
	}
	select {
	case got, ok := <-p.write(m):
		if !ok {
			p.t.Fatalf("%s: the browser has ended", method)
		}
		if got.Error != nil {
			p.t.Fatalf("%s: %s", method, got.Error.Message)
		}
		if result != nil {
			if err := json.Unmarshal(got.Result, result); err != nil {
				p.t.Fatal(err)
			}
		}
	case <-time.After(time.Minute):
		p.t.Fatalf("%s: no answer in a minute", method)
	}
}

// shown is a condition that holds once a page shows something: before its first frame, it drops what is pressed.
const shown = `(window.isShown ??= (
	requestAnimationFrame(() => requestAnimationFrame(() => window.isShown = 'yes')),
	setTimeout(() => window.isShown = 'yes', 5000),
	'no')) === 'yes'`

// Go opens an address, and waits until it is loaded and shown.
func (p *Page) Go(url string) {
	p.t.Helper()
	p.call("Page.navigate", map[string]any{"url": url}, nil)
	p.Wait(fmt.Sprintf("location.href.startsWith(%q) && document.readyState === 'complete' && ",
		strings.SplitN(url, "#", 2)[0]) + shown)
}

// Eval evaluates JavaScript in the page, a promise to its end, and returns the value: a string as it is, anything
// else as JSON.
func (p *Page) Eval(script string) string {
	p.t.Helper()
	var got struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	p.call("Runtime.evaluate", map[string]any{"expression": script, "awaitPromise": true, "returnByValue": true}, &got)
	if got.ExceptionDetails != nil {
		p.t.Fatalf("%s: %s", script, got.ExceptionDetails)
	}
	var text string
	if json.Unmarshal(got.Result.Value, &text) == nil {
		return text
	}
	return string(got.Result.Value)
}

// Wait waits until a condition holds.
func (p *Page) Wait(condition string) {
	p.t.Helper()
	for end := time.Now().Add(time.Minute); p.Eval("!!("+condition+")") != "true"; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("not in a minute: %s\n%s", condition, strings.Join(p.Said(), "\n"))
		}
	}
}

// Press presses a key, such as Tab, Enter, ArrowDown or a, as many times as said.
func (p *Page) Press(key string, times int) {
	p.t.Helper()
	codes := map[string]int{
		"Tab": 9, "Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40,
	}
	for range times {
		event := map[string]any{"type": "keyDown", "key": key, "windowsVirtualKeyCode": codes[key]}
		switch {
		case key == "Enter":
			event["text"] = "\r"
		case codes[key] == 0:
			event["text"] = key
		}
		p.call("Input.dispatchKeyEvent", event, nil)
		event["type"] = "keyUp"
		delete(event, "text")
		p.call("Input.dispatchKeyEvent", event, nil)
	}
}

// Type types text where the focus is.
func (p *Page) Type(text string) {
	p.t.Helper()
	p.call("Input.insertText", map[string]any{"text": text}, nil)
}

// Window sets the size of the window, and whether the system is dark.
func (p *Page) Window(width, height int, dark bool) {
	p.t.Helper()
	p.call("Emulation.setDeviceMetricsOverride", map[string]any{
		"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false,
	}, nil)
	scheme := map[bool]string{true: "dark", false: "light"}[dark]
	p.call("Emulation.setEmulatedMedia", map[string]any{
		"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}},
	}, nil)
}

// Picture writes the window to a file, as a PNG.
func (p *Page) Picture(name string) {
	p.t.Helper()
	var got struct{ Data string }
	p.call("Page.captureScreenshot", map[string]any{"format": "png"}, &got)
	data, err := base64.StdEncoding.DecodeString(got.Data)
	if err == nil {
		err = os.WriteFile(name, data, 0o644)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// Said returns what the page has written to the console, and its errors.
func (p *Page) Said() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.said
}
