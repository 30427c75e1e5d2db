//go:build unix

// Package postgres starts PostgreSQL servers for tests.
package postgres

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// Start starts a server that takes connections by a socket only, and ends it with the test. It returns how to connect
// to it. Where PostgreSQL is not installed the test is skipped, with a line that .ci/run prints.
func Start(t testing.TB) string {
	t.Helper()
	skip := func(why string) {
		fmt.Printf("note: %s is skipped: %s\n", t.Name(), why)
		t.Skip(why)
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	initdb, err := exec.LookPath("initdb")
	if err != nil && len(found) > 0 {
		initdb, err = found[len(found)-1], nil
	}
	if err != nil {
		skip("PostgreSQL is not installed: there is no initdb")
	}
	if initdb, err = filepath.EvalSymlinks(initdb); err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "weft")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	attr := &syscall.SysProcAttr{}
	if os.Getuid() == 0 {
		u, err := user.Lookup("postgres")
		if err != nil {
			skip("PostgreSQL does not run as root, and there is no user postgres")
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		if err := os.Chown(dir, uid, gid); err != nil {
			skip("a folder cannot be given to the user postgres: " + err.Error())
		}
	}
	data := filepath.Join(dir, "data")
	command := func(name string, args ...string) *exec.Cmd {
		c := exec.Command(filepath.Join(filepath.Dir(initdb), name), args...)
		c.Dir, c.SysProcAttr = dir, attr
		return c
	}
	if err := command("initdb", "--version").Run(); errors.Is(err, fs.ErrPermission) {
		skip("the user postgres may not run initdb: " + err.Error())
	}
	create := command("initdb", "-D", data, "-U", "weft", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
	if out, err := create.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	server := command("postgres", "-D", data, "-k", dir, "-c", "listen_addresses=", "-F")
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(os.Interrupt)
		_ = server.Wait()
	})
	ready := func() bool { return command("pg_isready", "-q", "-h", dir).Run() == nil }
	for until := time.Now().Add(60 * time.Second); !ready(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("the server does not answer")
		}
	}
	return "host=" + dir + " user=weft dbname=postgres"
}
