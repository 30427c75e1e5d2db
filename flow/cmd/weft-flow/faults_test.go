//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// TestMain is the command instead of its tests when a test asks for it.
func TestMain(m *testing.M) {
	if os.Getenv("WEFT_FLOW_MAIN") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// process is one that is killed now and then, and begins again.
type process struct {
	t    *testing.T
	args []string
	env  []string
	mu   sync.Mutex
	cmd  *exec.Cmd
	log  *os.File
}

func (p *process) start() {
	p.cmd = exec.Command(os.Args[0], p.args...)
	p.cmd.Env = append(append(os.Environ(), "WEFT_FLOW_MAIN=1"), p.env...)
	p.cmd.Stdout, p.cmd.Stderr = p.log, p.log
	if err := p.cmd.Start(); err != nil {
		p.t.Error(err)
	}
}

// kill kills the process as kill -9 does, and starts it again.
func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.cmd.Process.Signal(syscall.SIGKILL)
	_ = p.cmd.Wait()
	p.start()
}

// stop ends the process as an interrupt does, and complains when it does not go well.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(os.Interrupt)
	if err := p.cmd.Wait(); err != nil {
		p.t.Errorf("%s: %v", p.args, err)
	}
}

func freeAddress(t *testing.T) string {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return ln.Addr().String()
}

// TestFaults shares work over processes, one that takes it and three that do it, and kills one of them now and then: what
// was acknowledged is done, and what is done twice is counted. Its seeds are those of testdata/faults.txt, or as
// many others as WEFT_FLOW_FAULTS says; make faults runs both.
func TestFaults(t *testing.T) {
	text, err := os.ReadFile("testdata/faults.txt")
	if err != nil {
		t.Fatal(err)
	}
	var seeds []uint64
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		if n, err := strconv.ParseUint(strings.TrimSpace(line), 10, 64); err == nil {
			seeds = append(seeds, n)
		}
	}
	if len(seeds) == 0 {
		t.Fatal("no seeds")
	}
	if testing.Short() {
		seeds = seeds[:1]
	}
	more, _ := strconv.Atoi(os.Getenv("WEFT_FLOW_FAULTS"))
	for range more {
		seeds = append(seeds, rand.Uint64())
	}
	for _, seed := range seeds {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) { faults(t, seed) })
	}
}

func faults(t *testing.T, seed uint64) {
	dir, rnd := t.TempDir(), rand.New(rand.NewPCG(seed, 0))
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	defer func() {
		if t.Failed() {
			text, _ := os.ReadFile(log.Name())
			t.Logf("%s", text[max(0, len(text)-2000):])
		}
	}()
	address, listen := freeAddress(t), freeAddress(t)
	all := []*process{{
		t: t, args: []string{"run", "-watch=false", "../../examples/work_intake.yaml"}, log: log,
		env: []string{"STORE=" + filepath.Join(dir, "jobs"), "LISTEN=" + listen, "ADDRESS=" + address},
	}}
	for i := range 3 {
		all = append(all, &process{
			t: t, args: []string{"run", "-watch=false", "../../examples/work_worker.yaml"}, log: log,
			env: []string{"SERVER=nats://" + listen, "WAIT=500ms", fmt.Sprintf("RESULTS=%s/results%d.ndjson", dir, i)},
		})
	}
	for _, p := range all {
		p.start()
		defer func() { _ = p.cmd.Process.Kill() }()
	}
	const jobs, kills = 300, 8
	var acknowledged atomic.Int64
	posted := make(chan struct{})
	go func() { // a job is sent until it is acknowledged
		defer close(posted)
		client := &http.Client{Timeout: 5 * time.Second}
		deadline := time.Now().Add(40 * time.Second)
		for i := 0; i < jobs && time.Now().Before(deadline); {
			resp, err := client.Post("http://"+address+"/", "application/json", strings.NewReader(fmt.Sprintf(`{"id":"%d","n":%d}`, i, i)))
			if err == nil {
				resp.Body.Close()
				if resp.StatusCode == http.StatusAccepted {
					acknowledged.Add(1)
					i++
					time.Sleep(5 * time.Millisecond)
					continue
				}
			}
			time.Sleep(20 * time.Millisecond)
		}
	}()
	for range kills {
		time.Sleep(time.Duration(100+rnd.IntN(300)) * time.Millisecond)
		all[rnd.IntN(len(all))].kill()
	}
	<-posted
	if n := acknowledged.Load(); n != jobs {
		t.Fatalf("%d of %d jobs acknowledged", n, jobs)
	}
	results := func() map[int]int {
		done := make(map[int]int)
		for i := range 3 {
			text, _ := os.ReadFile(fmt.Sprintf("%s/results%d.ndjson", dir, i))
			for line := range bytes.Lines(text) {
				var r struct{ N, Square int }
				if json.Unmarshal(line, &r) == nil && r.Square == r.N*r.N {
					done[r.N]++
				}
			}
		}
		return done
	}
	for begin := time.Now(); len(results()) < jobs && time.Since(begin) < 30*time.Second; {
		time.Sleep(50 * time.Millisecond)
	}
	time.Sleep(500 * time.Millisecond) // one that was killed just now has begun again
	for _, p := range all[1:] {
		p.stop()
	}
	all[0].stop()
	done := results()
	for i := range jobs {
		if done[i] == 0 {
			t.Errorf("the job %d was acknowledged and is not done", i)
		}
	}
	twice := 0
	for _, n := range done {
		twice += n - 1
	}
	t.Logf("seed %d: %d jobs acknowledged and done, %d done again", seed, jobs, twice)
	if most := kills * 4 * 3; twice > most { // what the workers had in their hands
		t.Errorf("%d were done again, expected at most %d", twice, most)
	}
}

// TestFullDisk lets the disk of the server run full: what was acknowledged before is done when there is room again and
// the server has begun anew, and nothing is acknowledged that is not kept.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	store := filepath.Join(dir, "store")
	if err := os.Mkdir(store, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := smallDisk(store, 4<<20); err != nil {
		t.Skipf("no small disk: %v", err)
	}
	defer freeDisk(store)
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	address, listen := freeAddress(t), freeAddress(t)
	intake := &process{
		t: t, args: []string{"run", "-watch=false", "../../examples/work_intake.yaml"}, log: log,
		env: []string{"STORE=" + filepath.Join(store, "jobs"), "LISTEN=" + listen, "ADDRESS=" + address},
	}
	intake.start()
	defer func() { _ = intake.cmd.Process.Kill() }()
	client := &http.Client{Timeout: 15 * time.Second}
	padding := strings.Repeat("x", 20<<10)
	post := func(n int) int {
		resp, err := client.Post("http://"+address+"/", "application/json",
			strings.NewReader(fmt.Sprintf(`{"id":"%d","n":%d,"pad":"%s"}`, n, n, padding)))
		if err != nil {
			return 0
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	for begin := time.Now(); post(0) == 0 && time.Since(begin) < 20*time.Second; {
		time.Sleep(20 * time.Millisecond)
	}
	kept, status := map[int]bool{}, 0
	for n := 1; n < 1000 && len(kept) < n; n++ {
		if status = post(n); status == http.StatusAccepted {
			kept[n] = true
		}
	}
	if status != http.StatusServiceUnavailable || len(kept) < 50 {
		t.Errorf("%d jobs kept, then status %d", len(kept), status)
	}
	if err := smallDisk(store, 64<<20); err != nil { // the same one, with more room
		t.Fatal(err)
	}
	intake.kill()
	results := filepath.Join(dir, "results.ndjson")
	worker := &process{
		t: t, args: []string{"run", "-watch=false", "../../examples/work_worker.yaml"}, log: log,
		env: []string{"SERVER=nats://" + listen, "WAIT=500ms", "RESULTS=" + results},
	}
	worker.start()
	defer func() { _ = worker.cmd.Process.Kill() }()
	lost := len(kept)
	for begin := time.Now(); lost > 0 && time.Since(begin) < 30*time.Second; time.Sleep(50 * time.Millisecond) {
		done := map[int]bool{}
		text, _ := os.ReadFile(results)
		for line := range bytes.Lines(text) {
			var r struct{ N int }
			if json.Unmarshal(line, &r) == nil {
				done[r.N] = true
			}
		}
		lost = 0
		for n := range kept {
			if !done[n] {
				lost++
			}
		}
	}
	if t.Logf("%d jobs acknowledged before the disk was full", len(kept)); lost > 0 {
		text, _ := os.ReadFile(log.Name())
		t.Errorf("%d of %d acknowledged jobs are lost\n%s", lost, len(kept), text[max(0, len(text)-3000):])
	}
	worker.stop()
	intake.stop()
}
