package main

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft/internal/browser"
	"github.com/weftcodec/weft/tagged"
)

// contrast returns the texts of the page whose contrast is below that of WCAG AA, and the least contrast.
const contrast = `(() => {
  const numbers = color => color.match(/[\d.]+/g).map(Number);
  const light = color => { const [r, g, b] = color.map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b };
  const behind = e => {
    for (; e; e = e.parentElement) { const c = numbers(getComputedStyle(e).backgroundColor); if (c[3] !== 0) return c }
    return [255, 255, 255] };
  const bad = []; let least = 21;
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n; n = walk.nextNode();) {
    const e = n.parentElement;
    if (!n.data.trim() || ["SCRIPT", "STYLE", "TITLE", "title"].includes(e.tagName)) continue;
    if (!e.checkVisibility({ opacityProperty: true }) || e.closest(":disabled")) continue;
    const style = getComputedStyle(e), svg = e.namespaceURI.endsWith("svg");
    const [a, b] = [light(numbers(svg ? style.fill : style.color)), light(behind(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), large = parseFloat(style.fontSize) >= 24;
    least = Math.min(least, ratio);
    if (ratio < (large ? 3 : 4.5)) bad.push(n.data.trim().slice(0, 30) + " " + ratio.toFixed(2) + " " + style.color + " on " + behind(e));
  }
  return JSON.stringify({ bad: bad.slice(0, 5), least: least.toFixed(2) });
})()`

// TestBrowser opens the site from the file system, as a reader does.
func TestBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the playground")
	}
	p := browser.Open(t)
	out := t.TempDir()
	if dir := os.Getenv("WEFT_PICTURES"); dir != "" {
		out = filepath.Join(dir, "site")
	}
	began := time.Now()
	if err := run(out); err != nil {
		t.Fatal(err)
	}
	t.Logf("note: built in %v", time.Since(began).Round(time.Millisecond))
	at := func(name string) string { return "file://" + filepath.ToSlash(out) + "/" + name }
	p.Window(1280, 800, false)

	t.Run("search", func(t *testing.T) {
		p.Go(at("index.html"))
		p.Press("/", 1)
		p.Type("torn stream")
		p.Wait("document.querySelectorAll('#results [role=option]').length > 1")
		p.Press("ArrowDown", 1)
		to := p.Eval("results.querySelector('[aria-selected=true]').dataset.url")
		p.Press("Enter", 1)
		p.Wait(fmt.Sprintf("location.href.endsWith(%q) && document.readyState === 'complete'", to))
		if text := p.Eval("document.querySelector('main').textContent"); !strings.Contains(strings.ToLower(text), "torn") {
			t.Errorf("%s does not say torn", to)
		}
	})
	t.Run("themes", func(t *testing.T) {
		paper := func() string { return p.Eval("getComputedStyle(document.body).backgroundColor") }
		p.Go(at("index.html"))
		light, dark := paper(), ""
		// A browser may lose what a page has stored in the moment before it is left: each visit stays longer.
		for pause := 50 * time.Millisecond; ; pause *= 2 {
			if paper() == light {
				p.Eval("document.getElementById('theme').focus()")
				p.Press("Enter", 1)
				p.Wait("document.documentElement.dataset.theme === 'dark'")
			}
			dark = paper()
			time.Sleep(pause)
			p.Go(at("rules.html"))
			next := paper()
			if light == dark || (next != dark && pause > 10*time.Second) {
				t.Fatalf("light %s, dark %s, the next page %s", light, dark, next)
			}
			if next == dark {
				break
			}
			p.Go(at("index.html"))
		}
		p.Eval("localStorage.clear()")
		p.Window(1280, 800, true)
		p.Go(at("json.html"))
		if paper() != dark {
			t.Errorf("a dark system has %s", paper())
		}
	})
	t.Run("contrast", func(t *testing.T) {
		for _, dark := range []bool{false, true} {
			p.Window(1280, 800, dark)
			for _, name := range []string{"index.html", "figures.html", "rules.html", "playground.html"} {
				p.Go(at(name))
				if strings.HasPrefix(name, "play") {
					p.Wait("document.documentElement.dataset.ready")
				}
				if got := p.Eval(contrast); !strings.Contains(got, `"bad":[]`) {
					t.Errorf("%s, dark %v: %s", name, dark, got)
				}
			}
		}
	})
	t.Run("narrow", func(t *testing.T) {
		p.Window(340, 700, false)
		pages, err := filepath.Glob(filepath.Join(out, "*.html"))
		if err != nil || len(pages) < 20 {
			t.Fatal(err, len(pages))
		}
		for _, page := range pages {
			name := filepath.Base(page)
			p.Go(at(name))
			if over := p.Eval("document.documentElement.scrollWidth - document.documentElement.clientWidth"); over != "0" {
				t.Errorf("%s is %s pixels too wide", name, over)
			}
		}
		p.Go(at("json.html"))
		p.Eval("document.getElementById('menu').focus()")
		p.Press("Enter", 1)
		if p.Eval("document.getElementById('nav').checkVisibility()") != "true" {
			t.Error("the menu stays closed")
		}
		p.Window(1280, 800, false)
	})
	t.Run("playground", func(t *testing.T) { playground(t, p, at("playground.html")) })
	if dir := os.Getenv("WEFT_PICTURES"); dir != "" {
		pictures(p, dir, at)
	}
	for _, said := range p.Said() {
		t.Errorf("the console has %s", said)
	}
}

// playground does what its visitors do.
func playground(t *testing.T, p *browser.Page, url string) {
	const idle = "document.documentElement.dataset.busy === 'false'"
	text := func(id string) string { return p.Eval(fmt.Sprintf("document.getElementById(%q).textContent", id)) }
	p.Go(url)
	p.Wait("document.documentElement.dataset.ready")
	ready, err := strconv.Atoi(p.Eval("document.documentElement.dataset.ready"))
	if err != nil {
		t.Error(err)
	}
	t.Logf("note: types and bytes of the first value stand there after %d ms", ready)

	// Without a mouse: past the header to the input, and to the tab of bytes.
	p.Press("Tab", 1)
	p.Press("Enter", 1)
	order := []string{}
	for range 12 {
		p.Press("Tab", 1)
		order = append(order, p.Eval("document.activeElement.id || document.activeElement.tagName"))
	}
	if got := strings.Join(order, " "); !strings.Contains(got, "example file input run tab-types") {
		t.Errorf("keys lead to %s", got)
	}
	p.Eval("document.getElementById('tab-types').focus()")
	if p.Eval("document.activeElement.matches(':focus-visible') && getComputedStyle(document.activeElement).outlineStyle") != "solid" {
		t.Error("the focus does not show")
	}
	p.Press("ArrowRight", 1)
	if p.Eval("document.getElementById('panel-bytes').checkVisibility()") != "true" {
		t.Error("the arrow does not open the bytes")
	}
	if unnamed := p.Eval("[...document.querySelectorAll('input, select, textarea, button, progress')].filter(e => !(e.labels?.length || " +
		"e.getAttribute('aria-label') || e.textContent.trim())).map(e => e.outerHTML).join()"); unnamed != "" {
		t.Errorf("without a label: %s", unnamed)
	}

	if code := text("code"); !strings.Contains(code, "type Value []") || !strings.Contains(code, `json:"kind"`) {
		t.Errorf("the types are\n%s", code)
	}
	for _, format := range []string{"JSON", "MessagePack, arrays", "CBOR", "tagged", "framed"} {
		if !strings.Contains(text("formats"), format) {
			t.Errorf("no bytes of %s in %s", format, text("formats"))
		}
	}
	p.Eval("document.querySelector('#formats tr[data-name=framed] button').click()")
	p.Wait(idle + " && (text => text.includes('/*') | text.includes('/name'))(document.getElementById('rows').textContent)")
	if rows := text("rows"); !strings.Contains(rows, `"Tom", "Rex", "Kim"`) {
		t.Errorf("the columns are\n%s", rows)
	}

	// What is wrong, and where.
	p.Eval("document.getElementById('example').value = 'wrong'; document.getElementById('example').dispatchEvent(new Event('change'))")
	p.Wait(idle + " && document.getElementById('problems').textContent.includes('/tags/1')")
	if got := text("problems"); !strings.Contains(got, "line 5, column 22") || !strings.Contains(got, "Old") {
		t.Errorf("what is wrong is %s", got)
	}
	p.Eval("document.querySelector('#problems button').focus()")
	p.Press("Enter", 1)
	const selected = "(e => e.id + ' ' + e.value.slice(e.selectionStart).slice(0, 5))(document.activeElement)"
	if got := p.Eval(selected); got != `value "Old"` {
		t.Errorf("the cursor is at %s", got)
	}
	if !strings.Contains(text("code"), "type Pet struct") {
		t.Error("no types of the document")
	}

	// A file of frames.
	frames, err := tagged.MarshalFramed([]struct {
		City string
		At   []float64
	}{{"Ulm", []float64{48.4, 9.99}}, {"Bonn", nil}})
	if err != nil {
		t.Fatal(err)
	}
	p.Eval(fmt.Sprintf(`(() => { const files = new DataTransfer();
		files.items.add(new File([Uint8Array.from(atob(%q), c => c.charCodeAt(0))], "x.framed"));
		const input = document.getElementById("file"); input.files = files.files; input.dispatchEvent(new Event("change")) })()`,
		base64.StdEncoding.EncodeToString(frames)))
	p.Wait(idle + " && document.getElementById('rows').textContent.includes('/City')")
	if rows := text("rows"); !strings.Contains(rows, "/At/*") || !strings.Contains(rows, "48.4, 9.99") {
		t.Errorf("the columns are\n%s", rows)
	}

	// 5 MB: the page still answers, and the work can be ended.
	const large = `window.large ??= JSON.stringify(Array.from({ length: 54000 }, (_, i) =>
			({ id: i, name: "pet number " + i, kind: i % 3 ? "cat" : "dog", weight: i / 7, tags: ["a", "b"] })));
		window.gap = window.beats = 0; window.last = performance.now(); clearInterval(window.ticks);
		window.ticks = setInterval(() => { const now = performance.now(); gap = Math.max(gap, now - last); last = now; beats++ }, 5);
		setInput(large); document.getElementById("run").click(); large.length`
	began := time.Now()
	size := p.Eval(large)
	p.Wait("document.documentElement.dataset.busy === 'true'")
	p.Wait(idle)
	took := time.Since(began)
	gap, err := strconv.ParseFloat(p.Eval("gap"), 64)
	beats, _ := strconv.Atoi(p.Eval("beats"))
	if n, _ := strconv.Atoi(size); n < 5e6 || err != nil || beats < 20 || !strings.Contains(text("status"), "Done") {
		t.Errorf("%s bytes: the page answered %d times, and stood still for %v ms, %v; %s", size, beats, gap, err, text("status"))
	}
	t.Logf("note: %s bytes take %v; the page stood still for %.0f ms at most", size, took.Round(time.Millisecond), gap)
	p.Eval("document.querySelector('#formats tr[data-name=JSON] button').click()")
	p.Wait(idle + " && document.getElementById('more').textContent.includes('1,000')")
	p.Eval(large)
	p.Wait("document.documentElement.dataset.busy === 'true' && document.getElementById('progress').value > 0")
	p.Eval("document.getElementById('cancel').click()")
	p.Wait(idle)
	if status := text("status"); status != "Cancelled" {
		t.Errorf("cancelled: %s", status)
	}
	p.Eval("document.getElementById('clear').click(); document.getElementById('example').value = 'pets'; " +
		"document.getElementById('example').dispatchEvent(new Event('change'))")
	p.Wait(idle + " && document.getElementById('status').textContent.startsWith('Done')")
	if !strings.Contains(text("code"), "type Value []") {
		t.Error("nothing is done after it was cancelled")
	}
}

// pictures are for people to look at.
func pictures(p *browser.Page, dir string, at func(string) string) {
	for _, dark := range []bool{false, true} {
		for _, width := range []int{390, 1440} {
			for _, name := range []string{"index", "figures#json", "rules", "playground"} {
				file, anchor, _ := strings.Cut(name, "#")
				p.Window(width, 900, dark)
				p.Go(at(file + ".html#" + anchor))
				if file == "playground" {
					p.Wait("document.documentElement.dataset.ready")
					p.Picture(filepath.Join(dir, fmt.Sprintf("%s-types-%d-%v.png", file, width, dark)))
					p.Eval("document.getElementById('tab-bytes').click(); if (innerWidth < 600) document.getElementById('tab-bytes').scrollIntoView()")
				}
				p.Picture(filepath.Join(dir, fmt.Sprintf("%s-%d-%v.png", file, width, dark)))
			}
		}
	}
}
