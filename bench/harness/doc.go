// Package harness times competing functions against each other on a machine
// that does other work at the same time.
//
// It counts process CPU time instead of wall-clock time, runs the cases of a
// contest in rounds, each case once a round in an order that changes, so that a
// slow minute and the heap left by another case hit all of them alike, and
// reports ratios taken within a round together with their spread. Before each
// batch the case is called a few times untimed and the heap is collected.
//
// CPU time includes the work of the garbage collector. With GOMAXPROCS above
// one the collector's idle workers burn CPU time that no program would miss,
// so the programs of this module run with GOMAXPROCS=1 unless told otherwise
// and print the setting with the results. The harness pins nothing by itself;
// on Linux prefix the command with `taskset -c 0` for the steadiest figures.
package harness
