package harness

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/weftcodec/weft/bench/clock"
)

// Case is one contender of a [Contest].
type Case struct {
	// Name is the library with its configuration, such as "sonic std".
	Name string
	// Class groups contenders that promise the same semantics; only these
	// are ranked against each other.
	Class string
	// Run does the work once. It must not keep the result.
	Run func()
	// Check does the work once and compares the result with the reference.
	// A case whose check fails is reported with the error and not timed. A
	// note tells of a difference that does not matter to the contest.
	Check func() (note string, err error)
	// Measure, when set, takes the place of Run: the work is done in another
	// process, which measures itself.
	Measure func(n, warm int) (Sample, error)
	// Size is the number of bytes the case writes, if that is of interest.
	Size int
	// Note is printed beside the row.
	Note string
}

// Contest is a set of cases that do the same work.
type Contest struct {
	Group  string // table group, such as "json"
	Corpus string // data set
	Op     string // operation, such as "typed decode"
	Bytes  int    // bytes processed by one run, for MB/s; 0 prints ns
	Ref    string // name of the case that ratios refer to
	Cases  []Case
}

// Config says how long and how often a contest is run.
type Config struct {
	Rounds int           `json:"rounds"`     // paired measurements of every case
	Batch  time.Duration `json:"batch_ns"`   // CPU time of one batch of one case
	Warm   int           `json:"warm"`       // untimed calls before each batch
	Least  int           `json:"min_rounds"` // rounds that a contest has in any case
	Limit  time.Duration `json:"limit_ns"`   // CPU time after which a contest has no more of them; 0 is none
}

// Quick, Normal and Full are the configurations behind the command's flags.
var (
	Quick  = Config{Rounds: 5, Batch: 3 * time.Millisecond, Warm: 1, Least: 3, Limit: 700 * time.Millisecond}
	Normal = Config{Rounds: 11, Batch: 10 * time.Millisecond, Warm: 2, Least: 5, Limit: 4 * time.Second}
	Full   = Config{Rounds: 25, Batch: 8 * time.Millisecond, Warm: 2, Least: 7, Limit: 4 * time.Second}
)

// String says how the rounds of a contest are taken.
func (c Config) String() string {
	s := fmt.Sprintf("%d rounds of %v a case, all cases interleaved", c.Rounds, c.Batch)
	if c.Limit > 0 {
		s += fmt.Sprintf(" (of slow ones at least %d rounds)", c.Least)
	}
	return s
}

// Row is the result of one case.
type Row struct {
	Group  string `json:"group"`
	Corpus string `json:"corpus"`
	Op     string `json:"op"`
	Case   string `json:"case"`
	Class  string `json:"class,omitempty"`
	// Ns is the time of one run in nanoseconds.
	Ns Spread `json:"ns"`
	// Best is the time of one run in the best round.
	Best float64 `json:"best_ns"`
	// MBs is the median speed in 1e6 bytes per second, 0 when the contest
	// has no size.
	MBs    float64 `json:"mb_s,omitempty"`
	Allocs float64 `json:"allocs_op"`
	BOp    float64 `json:"b_op"`
	Size   int     `json:"size,omitempty"`
	// Ratio says how many times faster than the reference the case is, taken
	// round by round.
	Ratio Spread `json:"ratio"`
	// Ahead is how many times faster than weft's row the row of a peer is, 0
	// where it is not: see [MarkAhead].
	Ahead float64 `json:"ahead_of_weft,omitempty"`
	// Noisy is set when the quartiles of Ratio are more than 10 % apart.
	Noisy bool `json:"noisy,omitempty"`
	// Failed is the reason why the case was not timed.
	Failed string `json:"failed,omitempty"`
	Note   string `json:"note,omitempty"`

	rounds []float64
}

// Timed reports whether the row holds a measurement.
func (r *Row) Timed() bool { return r.Failed == "" }

// Versus returns how many times faster than o the row r is, paired by round.
// A tie is reported when the quartiles of the ratio lie on both sides of 1,
// or when its median is within 2 % of it.
func (r *Row) Versus(o *Row) (ratio Spread, tie bool) {
	ratio = spreadOf(pairedRatios(o.rounds, r.rounds))
	tie = ratio.Q1 <= 1 && ratio.Q3 >= 1 || ratio.Median > 0.98 && ratio.Median < 1.02
	return ratio, tie
}

// Run checks and times every case of a contest. It uses the checks up.
func (c *Contest) Run(cfg Config) []Row {
	rows := make([]Row, len(c.Cases))
	iters := make([]int, len(c.Cases))
	for i := range c.Cases {
		k := &c.Cases[i]
		rows[i] = Row{Group: c.Group, Corpus: c.Corpus, Op: c.Op, Case: k.Name, Class: k.Class, Size: k.Size}
		note, err := check(k)
		k.Check = nil // and with it the reference value
		if err == nil {
			iters[i], err = k.calibrate(cfg.Batch)
		}
		if err != nil {
			rows[i].Failed = err.Error()
			continue
		}
		rows[i].Note = strings.TrimSpace(k.Note + " " + note)
	}
	order := make([]int, len(c.Cases))
	for i := range order {
		order[i] = i
	}
	shuffle := rand.New(rand.NewPCG(uint64(len(c.Cases)), 1))
	var spent time.Duration
	for round := 0; round < cfg.Rounds && (cfg.Limit == 0 || round < cfg.Least || spent < cfg.Limit); round++ {
		// What ran before leaves its mark on the heap: no case may always
		// follow the same one.
		shuffle.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			if iters[i] == 0 {
				continue
			}
			warm := cfg.Warm
			if iters[i] == 1 {
				warm = min(warm, 1) // a run longer than a batch
			}
			s, err := c.Cases[i].measure(iters[i], warm)
			if err != nil {
				rows[i].Failed, rows[i].rounds, iters[i] = err.Error(), nil, 0
				continue
			}
			rows[i].add(s, iters[i])
			spent += time.Duration(s.Spent)
		}
	}
	c.reduce(rows)
	return rows
}

// Sample is what a batch of runs took.
type Sample struct {
	Ns      int64  `json:"ns"`      // of CPU time
	Mallocs uint64 `json:"mallocs"` // objects allocated
	Bytes   uint64 `json:"bytes"`   // in these objects
	Spent   int64  `json:"spent"`   // nanoseconds of CPU time with the warm-up
}

// Measure does the work n times, after warm times that do not count. The
// warm-up fills the library's pools; the collection after it leaves them
// filled, because a pool survives one, and starts every batch with the same
// heap.
func Measure(run func(), n, warm int) Sample { return measureBy(clock.CPU, run, n, warm) }

// OnWall returns the Measure of a case whose time is that on the wall, with as
// many processors as procs says.
func OnWall(procs int, run func()) func(n, warm int) (Sample, error) {
	return func(n, warm int) (Sample, error) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		return measureBy(clock.Wall, run, n, warm), nil
	}
}

func measureBy(now func() int64, run func(), n, warm int) Sample {
	var m0, m1 runtime.MemStats
	begin := clock.CPU()
	for range warm {
		run()
	}
	runtime.GC()
	runtime.ReadMemStats(&m0)
	t0 := now()
	for range n {
		run()
	}
	t := now() - t0
	end := clock.CPU()
	runtime.ReadMemStats(&m1)
	return Sample{Ns: t, Mallocs: m1.Mallocs - m0.Mallocs, Bytes: m1.TotalAlloc - m0.TotalAlloc, Spent: end - begin}
}

// measure does a batch where the case does its work.
func (k *Case) measure(n, warm int) (Sample, error) {
	if k.Measure != nil {
		return k.Measure(n, warm)
	}
	return Measure(k.Run, n, warm), nil
}

// add takes in a batch of n runs.
func (r *Row) add(s Sample, n int) {
	r.rounds = append(r.rounds, float64(s.Ns)/float64(n))
	r.Allocs = float64(s.Mallocs) / float64(n)
	r.BOp = float64(s.Bytes) / float64(n)
}

// RowOf makes a row of measurements in nanoseconds that were taken elsewhere, with ratios to those of a
// reference taken in the same rounds.
func RowOf(rounds, ref []float64) Row {
	r := Row{rounds: rounds, Ns: spreadOf(rounds), Ratio: spreadOf(pairedRatios(ref, rounds))}
	r.Noisy = r.Ratio.Q3 > r.Ratio.Q1*1.10
	return r
}

// reduce fills in the figures that follow from the rounds.
func (c *Contest) reduce(rows []Row) {
	var ref []float64
	for i := range rows {
		if rows[i].Case == c.Ref {
			ref = rows[i].rounds
		}
	}
	for i := range rows {
		r := &rows[i]
		if len(r.rounds) == 0 {
			continue
		}
		r.Ns = spreadOf(r.rounds)
		r.Best = slices.Min(r.rounds)
		if c.Bytes > 0 && r.Ns.Median > 0 {
			r.MBs = float64(c.Bytes) / r.Ns.Median * 1e3
		}
		if ref != nil {
			r.Ratio = spreadOf(pairedRatios(ref, r.rounds))
			r.Noisy = r.Ratio.Q3 > r.Ratio.Q1*1.10
		}
	}
}

// check runs the check of a case and turns a panic into an error: a peer that
// panics must not take the table down with it.
func check(k *Case) (note string, err error) {
	if k.Check == nil {
		return "", nil
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return k.Check()
}

// A batch allocates at least batchAlloc bytes, if it allocates at all and that
// does not make it longer than batchStretch times what was asked for: the cost
// of collections is counted right only when there are several in a batch.
const (
	batchAlloc   = 48 << 20
	batchStretch = 8
)

// calibrate returns how many runs make a batch, at least 1.
func (k *Case) calibrate(batch time.Duration) (int, error) {
	if _, err := k.measure(1, 0); err != nil {
		return 0, err
	}
	for n := 1; ; n *= 2 {
		s, err := k.measure(n, 0)
		if err != nil {
			return 0, err
		}
		if s.Ns < int64(batch)/3 {
			continue
		}
		perRun := float64(s.Ns) / float64(n)
		runs := float64(batch) / perRun
		if alloc := float64(s.Bytes) / float64(n); alloc > 0 {
			runs = max(runs, min(batchAlloc/alloc, batchStretch*runs))
		}
		return max(1, int(runs)), nil
	}
}
