package file

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
)

// version is what the killed writer saves: every record is one of the same save.
type version struct {
	Save int    `json:"save"`
	Of   int    `json:"of"`
	Pad  string `json:"pad"`
}

// TestMain is the writer that is killed, when it is asked to be.
func TestMain(m *testing.M) {
	if path := os.Getenv("WEFT_FILE_SAVE"); path != "" {
		for i := 0; ; i++ {
			list := make([]version, 1+i%300)
			for j := range list {
				list[j] = version{os.Getpid()<<20 | i, len(list), strings.Repeat("x", 100)}
			}
			if err := SaveFile(path, list); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
			if i == 0 {
				fmt.Println("ready")
			}
		}
	}
	if path := os.Getenv("WEFT_FILE_HOLD"); path != "" {
		w, err := Create(path)
		if err == nil {
			err = w.Encode("of the child")
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("ready")
		io.ReadAll(os.Stdin)
		if err := w.Close(); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if path := os.Getenv("WEFT_FILE_APPEND"); path != "" {
		a, err := OpenAppender(path, append(packedOf(path), Repair(true))...)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("ready")
		first, _ := strconv.Atoi(os.Getenv("WEFT_FILE_FIRST"))
		for i := first; ; i++ {
			if err := a.Encode(version{Save: i, Pad: strings.Repeat("x", 3000)}); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
			if i%5 == 4 {
				if err := a.Sync(); err != nil {
					fmt.Println(err)
					os.Exit(1)
				}
				fmt.Println(i) // this many are safe
			}
		}
	}
	os.Exit(m.Run())
}

// packedOf returns the option for frames that are compressed one by one, if a file's
// name asks for it.
func packedOf(path string) []Options {
	if strings.HasSuffix(path, "packed.framed") {
		return []Options{tagged.Compress(compress.NewZstd())}
	}
	return nil
}

// kill starts this program as a writer, kills it a while after it is ready and returns what it
// has printed.
func kill(t *testing.T, after time.Duration, env ...string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skip("cannot start a process:", err)
	}
	r := bufio.NewReader(out)
	if text, err := r.ReadString('\n'); err != nil || text != "ready\n" {
		t.Fatal(text, err)
	}
	time.AfterFunc(after, func() { cmd.Process.Kill() })
	text, _ := io.ReadAll(r)
	cmd.Wait()
	return string(text)
}

const kills = 100

// A writer that is killed at any moment leaves the old file or the new one.
func TestKilledSave(t *testing.T) {
	for _, name := range []string{"a.ndjson", "a.msgpack.zst"} {
		path := filepath.Join(t.TempDir(), name)
		if err := SaveFile(path, []version{{0, 1, ""}}); err != nil {
			t.Fatal(err)
		}
		last, changed := 0, 0
		for range kills / 2 {
			if out := kill(t, time.Duration(rand.IntN(25_000))*time.Microsecond, "WEFT_FILE_SAVE="+path); out != "" {
				t.Fatal(out)
			}
			var list []version
			if err := LoadFile(path, &list); err != nil {
				t.Fatal("after a kill:", err)
			}
			for _, v := range list {
				if v.Save != list[0].Save || v.Of != len(list) {
					t.Fatalf("%d records, one of them %v", len(list), v)
				}
			}
			if list[0].Save != last {
				last = list[0].Save
				changed++
			}
		}
		if changed < kills/20 {
			t.Errorf("%s: of %d writers %d came to write: the test shows nothing", name, kills/2, changed)
		}
	}
}

// What is synced outlives the appender, and the next one goes on behind it.
func TestKilledAppend(t *testing.T) {
	for _, name := range []string{"a.ndjson", "a.mp", "a.framed", "packed.framed", "a.framed.zst", "a.ndjson.gz", "a.ndjson.zst"} {
		path := filepath.Join(t.TempDir(), name)
		opts := []Options{}
		if name == "a.mp" {
			opts = append(opts, As(Records(msgpack.Format)))
		}
		next, torn := 0, 0
		for range kills / 10 {
			out := kill(t, time.Duration(rand.IntN(30_000))*time.Microsecond, "WEFT_FILE_APPEND="+path, fmt.Sprint("WEFT_FILE_FIRST=", next))
			safe := next - 1
			if lines := strings.Fields(out); len(lines) > 0 {
				n, err := strconv.Atoi(lines[len(lines)-1])
				if err != nil {
					t.Fatal(out)
				}
				safe = n
			}
			n := 0
			for v, err := range All[version](path, opts...) {
				if errors.Is(err, ErrTorn) {
					torn++
					break
				} else if errors.Is(err, fs.ErrNotExist) {
					break // killed early
				} else if err != nil {
					t.Fatal(err)
				}
				if v.Save != n {
					t.Fatalf("%s: record %d is %d", name, n, v.Save)
				}
				n++
			}
			if n <= safe {
				t.Fatalf("%s: %d records were safe, %d are there", name, safe+1, n)
			}
			// The records behind the last member are lost with it.
			if a, err := OpenAppender(path, Repair(true)); err != nil {
				t.Fatal(err)
			} else if err := a.Close(); err != nil {
				t.Fatal(err)
			}
			next = 0
			for _, err := range All[version](path, opts...) {
				if err != nil {
					t.Fatal("after the repair:", err)
				}
				next++
			}
			if next <= safe || next > n {
				t.Fatalf("%s: %d records were safe, %d read, %d are left", name, safe+1, n, next)
			}
		}
		t.Logf("%s: %d records, %d torn tails", name, next, torn)
	}
}

func TestPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions are the folder's")
	}
	dir := t.TempDir()
	path, link := filepath.Join(dir, "a.json"), filepath.Join(dir, "link.json")
	if err := SaveFile(path, 1); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Chmod(path, 0o640), os.Symlink("a.json", link)); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{path, link} {
		if err := SaveFile(name, 2+i); err != nil {
			t.Fatal(err)
		}
		var got int
		if err := LoadFile(path, &got); err != nil || got != 2+i {
			t.Errorf("%s: %d %v", name, got, err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode() != 0o640 {
			t.Errorf("%s: the mode became %v", name, info.Mode())
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
	if err := SaveFile(os.DevNull, 1, As(compress.Gzip(NDJSON))); err != nil {
		t.Error("a device:", err)
	}
	if err := SaveFile(path, make(chan int)); err == nil {
		t.Error("a channel was saved")
	}
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w.Encode(1)
	w.Abort()
	w.Abort()
	if err := w.Close(); err == nil {
		t.Error("closed after Abort")
	}
	broken := errors.New("broken")
	if err := Replace(link, func(w io.Writer) error { return errors.Join(broken, SaveFile(path, 3)) }); !errors.Is(err, broken) {
		t.Error(err)
	}
	var got int
	if err := LoadFile(path, &got); err != nil || got != 3 {
		t.Error("an aborted writer changed the file:", got, err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("left behind: %v", left)
	}
}

// Links are kept where what they lead to is not there yet.
func TestDanglingLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege")
	}
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first.json"), filepath.Join(dir, "sub", "second.json")
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "sub"), 0o777), os.Symlink("sub/second.json", first),
		os.Symlink("../new.json", second), SaveFile(first, 5)); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "new.json")); err != nil || string(b) != "5" {
		t.Errorf("two links to a file that is not there yet: %s %v", b, err)
	}
	if err := errors.Join(os.Remove(first), os.Symlink("none/a.json", first)); err != nil {
		t.Fatal(err)
	}
	if err := SaveFile(first, 5); err == nil {
		t.Error("a link into a folder that is not there was replaced")
	}
}

func TestCreate(t *testing.T) {
	want := orders(2000)
	for _, name := range []string{"a.ndjson", "a.mp", "a.ndjson.gz", "a.mp.zst"} {
		path := filepath.Join(t.TempDir(), name)
		w, err := Create(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if err := w.Encode(want[i]); err != nil {
				t.Fatal(err)
			}
		}
		var e *Error
		if err := w.Encode(make(chan int)); !errors.As(err, &e) || e.Record != 2001 {
			t.Error(err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Error("the file is there before Close")
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		var got []order
		if err := LoadFile(path, &got); err != nil || len(got) != len(want) || got[1999].Name != want[1999].Name {
			t.Errorf("%s: %d %v", name, len(got), err)
		}
	}
}

func TestAppender(t *testing.T) {
	for _, name := range []string{
		"a.ndjson", "a.mp", "a.framed", "packed.framed", "a.framed.zst", "a.framed.gz", "a.ndjson.gz", "a.mp.gz",
		"a.jsonl.zst",
	} {
		path := filepath.Join(t.TempDir(), name)
		for i := range 3 {
			a, err := OpenAppender(path, packedOf(path)...)
			if err != nil {
				t.Fatal(name, err)
			}
			for j := range 4 {
				if err := a.Encode(4*i + j); err != nil {
					t.Fatal(err)
				}
				if j == 1 {
					if err := errors.Join(a.Sync(), a.Sync()); err != nil {
						t.Fatal(err)
					}
				}
			}
			if a.Encode(make(chan int)) == nil {
				t.Error("a channel was appended")
			}
			if err := errors.Join(a.Close(), a.Close()); err != nil || a.Encode(1) == nil || a.Sync() == nil {
				t.Fatal(err)
			}
		}
		n := 0
		for v, err := range All[int](path) {
			if err != nil || v != n {
				t.Fatal(name, v, n, err)
			}
			n++
		}
		var list []int
		if err := LoadFile(path, &list); err != nil || n != 12 || len(list) != 12 {
			t.Errorf("%s: %d, %v, %v", name, n, list, err)
		}
	}
}

func TestAppenderEnds(t *testing.T) {
	gz := func(text string) string {
		b, _ := compress.NewGzip().Append(nil, []byte(text))
		return string(b)
	}
	tests := []struct {
		name, content string
		want          string // the values after a 9 is appended; "" for an error
		repaired      string // and with Repair
	}{
		{"a.ndjson", "1\n2\n", "[1 2 9]", "[1 2 9]"},
		{"a.ndjson", "1\n2", "", "[1 2 9]"}, // it may be the beginning of 23
		{"a.ndjson", "1\n2 ", "[1 2 9]", "[1 2 9]"},
		{"a.ndjson", "1\nnull", "[1 0 9]", "[1 0 9]"},
		{"a.ndjson", "1\n[2,", "", "[1 9]"},
		{"a.ndjson", "{\"a\":", "", "[9]"},
		{"a.ndjson", "", "[9]", "[9]"},
		{"a.ndjson", "1\n" + strings.Repeat("[", 20_000), "", "[1 9]"},
		{"a.mp", "\x01\x02", "[1 2 9]", "[1 2 9]"},
		{"a.mp", "\x01\x92\x02", "", "[1 9]"},
		{"a.mp", "\x01\xc1", "", ""},
		{"a.mp", "\x92\x81\xa1a\x01\x80", "", ""}, // one array of records
		{"a.json", "1", "", ""},
		{"a.json", "", "", ""},
		{"a.ndjson.gz", gz("1\n2\n"), "[1 2 9]", "[1 2 9]"},
		{"a.ndjson.gz", gz("1\n2"), "[1 2 9]", "[1 2 9]"},
		{"a.ndjson.gz", gz("1\n") + gz("2\n")[:15], "", "[1 9]"},
		{"a.ndjson.gz", gz("1\n[2"), "", ""},
		{"a.ndjson.gz", gz("1\n") + "junk", "", ""},
		{"a.mp.gz", gz("\x01") + gz("\x02")[:15], "", "[1 9]"},
		{"a.ndjson.gz", gz("1\n")[:12], "", "[9]"},
		{"a.ndjson.gz", gz("1\n2") + gz("3\n")[:15], "", "[1 2 9]"},
		{"a.ndjson", "1\n[2,\x00\x00\x00", "", "[1 9]"},
		{"a.ndjson", "1\n\x00\x00", "", "[1 9]"},
		{"a.ndjson", "1\n2\x0b3", "", ""}, // a line break was changed
		{"a.ndjson", "1\n{}x{\"a\":", "", ""},
		{"a.dat", "1\n", "", ""},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s %.40q", tt.name, tt.content), func(t *testing.T) {
			for _, repair := range []bool{false, true} {
				want := tt.want
				if repair {
					want = tt.repaired
				}
				path := filepath.Join(t.TempDir(), tt.name)
				os.WriteFile(path, []byte(tt.content), 0o666)
				a, err := OpenAppender(path, Repair(repair))
				if want == "" {
					if err == nil {
						t.Error("no error")
						a.Close()
					} else if !strings.HasPrefix(err.Error(), path+": ") ||
						errors.Is(err, ErrTorn) != (tt.repaired != "" || strings.HasSuffix(tt.content, gz("1\n[2"))) {
						t.Error(err)
					}
					if now, _ := os.ReadFile(path); string(now) != tt.content {
						t.Errorf("became %.40q", now)
					}
					continue
				}
				if err != nil {
					t.Errorf("repair %v: %v", repair, err)
					continue
				}
				if err := errors.Join(a.Encode(9), a.Close()); err != nil {
					t.Error(err)
				}
				var got []int
				if err := LoadFile(path, &got); err != nil || fmt.Sprint(got) != want {
					t.Errorf("repair %v: %v, want %s, %v", repair, got, want, err)
				}
			}
		})
	}
	// Into a file that was told to be lines.
	path := filepath.Join(t.TempDir(), "data")
	for range 2 {
		a, err := OpenAppender(path, As(compress.Zstd(NDJSON)))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(a.Encode("x"), a.Close()); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	if err := LoadFile(path, &got); err != nil || len(got) != 2 {
		t.Error(got, err)
	}
	if _, err := OpenAppender(path, As(struct{ weft.Format }{msgpack.Format})); err == nil {
		t.Error("appended in a format without records")
	}
}

// TestAppendFailed: when a disk fails after records have been written, no end of the stream follows what is taken away.
func TestAppendFailed(t *testing.T) {
	for _, name := range []string{"a.framed", "a.framed.gz"} {
		path := filepath.Join(t.TempDir(), name)
		a, err := OpenAppender(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(a.Encode(version{Save: 1}), a.Sync(), a.Encode(version{Save: 2}), a.frames.Flush()); err != nil {
			t.Fatal(err)
		}
		if a.packed != nil {
			a.packed.end()
		}
		a.err = errors.New("the disk failed")
		a.undo() // as sync does
		if err := a.Close(); err == nil {
			t.Error(name, "no error")
		}
		if a, err = OpenAppender(path, Repair(true)); err != nil {
			t.Fatal(name, err)
		}
		if err := errors.Join(a.Encode(version{Save: 3}), a.Close()); err != nil {
			t.Fatal(name, err)
		}
		var got []version
		if err := LoadFile(path, &got); err != nil || len(got) != 2 || got[1].Save != 3 {
			t.Errorf("%s: %v %v", name, got, err)
		}
	}
}

// TestAppendFrames continues files of frames in either compression, and finds what
// a stopped writer has left of them.
func TestAppendFrames(t *testing.T) {
	text := func(i int) string { return fmt.Sprintf("line %d of %d, and what is always the same", i, i*i%7) }
	write := func(path string, from, n int, opts ...Options) error {
		a, err := OpenAppender(path, opts...)
		if err != nil {
			return err
		}
		for i := range n {
			if err := a.Encode(version{Save: from + i, Pad: text(from + i)}); err != nil {
				return err
			}
		}
		return a.Close()
	}
	for _, name := range []string{"packed.framed", "a.framed.zst", "a.framed.gz"} {
		path := filepath.Join(t.TempDir(), name)
		zip := packedOf(path)
		if err := errors.Join(write(path, 0, 9_000, zip...), write(path, 9_000, 10), write(path, 9_010, 9_000)); err != nil {
			t.Fatal(name, err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Size() > 18_010*20 {
			t.Errorf("%s: %d bytes: %v", name, info.Size(), err)
		}
		check := func(what string, want int) {
			t.Helper()
			for _, workers := range []int{1, 3} {
				var got []version
				err := LoadFile(path, &got, Workers(workers), pieces(1<<10))
				if err != nil || len(got) != want {
					t.Fatalf("%s %s: %d records, want %d: %v", name, what, len(got), want, err)
				}
				for i, v := range got {
					if v.Save != i || v.Pad != text(i) {
						t.Fatalf("%s %s: record %d is %v", name, what, i, v)
					}
				}
			}
		}
		check("continued", 18_010)
		if err := write(path, 0, 1, As(NDJSON)); err == nil {
			t.Error(name, "another format was appended")
		}
		a, err := OpenAppender(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Encode(7); err == nil {
			t.Error(name, "a record of another type was appended")
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		// A writer that is stopped before it ends the stream, and within a frame.
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, cut := range []int{1, 20, len(b) / 2, len(b) - 20} {
			if err := os.WriteFile(path, b[:len(b)-cut], 0o600); err != nil {
				t.Fatal(err)
			}
			if err := write(path, 0, 1); !errors.Is(err, ErrTorn) {
				t.Fatalf("%s cut by %d: %v", name, cut, err)
			}
			n := 0
			for v, err := range All[version](path) {
				if errors.Is(err, ErrTorn) {
					break
				} else if err != nil {
					t.Fatal(name, cut, err)
				}
				if v.Save != n {
					t.Fatal(name, cut, n, v)
				}
				n++
			}
			if err := write(path, 0, 0, Repair(true)); err != nil {
				t.Fatalf("%s cut by %d: %v", name, cut, err)
			}
			var left []version
			if err := LoadFile(path, &left); err != nil || len(left) > n {
				t.Fatalf("%s cut by %d: %d of %d are left: %v", name, cut, len(left), n, err)
			}
			if err := write(path, len(left), 5); err != nil {
				t.Fatal(name, err)
			}
			check("repaired", len(left)+5)
		}
	}
}
