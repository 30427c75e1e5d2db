package file

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// holder starts this program as a writer that has begun with a file and waits. finish
// ends it, killed or by its own Close, and returns what it has printed.
func holder(t *testing.T, path string) (finish func(killed bool) string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "WEFT_FILE_HOLD="+path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
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
	return func(killed bool) string {
		if killed {
			cmd.Process.Kill()
		}
		in.Close()
		text, _ := io.ReadAll(r)
		cmd.Wait()
		return string(text)
	}
}

// temporaries returns the names of the files that writers have in a folder.
func temporaries(t *testing.T, dir string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, ".*.tmp"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestDeadWriters checks that a writer removes the files of those that were killed,
// and of none that lives, in its own process or another.
func TestDeadWriters(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("which waits a minute")
	}
	dir := t.TempDir()
	path, beside := filepath.Join(dir, "a.ndjson"), filepath.Join(dir, "b.ndjson")
	save := func(left int) {
		t.Helper()
		if err := SaveFile(path, []string{"saved"}); err != nil {
			t.Fatal(err)
		}
		if list := temporaries(t, dir); len(list) != left {
			t.Fatalf("%d files are left, want %d: %v", len(list), left, list)
		}
	}
	content := func(want string) {
		t.Helper()
		var got []string
		if err := LoadFile(path, &got); err != nil || !slices.Equal(got, []string{want}) {
			t.Fatalf("%v %v, want %s", got, err, want)
		}
	}
	// One that was killed.
	finish := holder(t, path)
	save(1)
	finish(true)
	if len(temporaries(t, dir)) != 1 {
		t.Fatal("nothing was left: the test shows nothing")
	}
	save(0)
	// Several, some of which live: the first, the last, one between.
	var all []func(bool) string
	for range 12 {
		all = append(all, holder(t, path))
	}
	own, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	other := holder(t, beside) // of another name
	for i, finish := range all {
		if i != 0 && i != 5 && i != 11 {
			finish(true)
		}
	}
	save(3 + 1 + 1)
	for _, i := range []int{0, 5, 11} {
		if text := all[i](false); text != "" {
			t.Fatalf("writer %d: %s", i, text)
		}
		content("of the child")
		save(len(temporaries(t, dir)))
	}
	if err := errors.Join(own.Encode("own"), own.Close()); err != nil {
		t.Fatal(err)
	}
	content("own")
	if text := other(true); text != "" {
		t.Fatal(text)
	}
	save(1)
	if err := SaveFile(beside, []int{1}); err != nil {
		t.Fatal(err)
	}
	save(0)
	// What is none of this host, nor a file of a writer, stays.
	foreign := []string{".a.ndjson.01234567-0.tmp", ".a.ndjson.tmp", ".a.ndjson.ABCDEFGHIJKLM.tmp"}
	for _, name := range foreign {
		os.WriteFile(filepath.Join(dir, name), nil, 0o600)
	}
	if err := os.Mkdir(filepath.Join(dir, ".a.ndjson."+host()+"-0.tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, filepath.Join(dir, ".a.ndjson."+host()+"-1.tmp")); err != nil {
		t.Skip(err)
	}
	save(len(foreign) + 2)
	content("saved")
}

// TestWritersMeet saves to one name from several goroutines and processes at once, some
// of which give up: none has an error, and nothing is left.
func TestWritersMeet(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.ndjson")
	var cmds []*exec.Cmd
	for range 2 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "WEFT_FILE_SAVE="+path)
		cmds = append(cmds, cmd)
		if err := cmd.Start(); err != nil {
			t.Skip("cannot start a process:", err)
		}
	}
	var wait sync.WaitGroup
	for g := range 4 {
		wait.Go(func() {
			for i := range 150 {
				if i%3 == 0 {
					w, err := Create(path)
					if err != nil {
						t.Error(err)
						return
					}
					w.Encode(version{Save: -1})
					w.Abort()
				}
				if err := SaveFile(path, []version{{g<<10 | i, 1, ""}}); err != nil {
					t.Error(err)
					return
				}
				var list []version
				if err := LoadFile(path, &list); err != nil || len(list) == 0 || len(list) != list[0].Of {
					t.Errorf("%d records: %v", len(list), err)
					return
				}
			}
		})
	}
	wait.Wait()
	for _, cmd := range cmds {
		cmd.Process.Kill()
		if cmd.Wait(); fmt.Sprint(cmd.ProcessState) == "exit status 1" {
			t.Error("a process had an error")
		}
	}
	if err := SaveFile(path, []int{1}); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 && runtime.GOOS != "windows" {
		t.Errorf("left behind: %v", left)
	}
}
