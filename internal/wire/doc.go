// Package wire holds the pure byte functions that the formats are made of: the scan of a JSON text into bitmaps,
// its grammar checked in such bitmaps, copying and escaping strings, numbers and times as text, and UTF-8.
//
// Hot functions have kernels in assembly, for AVX-512 or AVX2, chosen when the program starts, and for NEON. They
// have twins in Go, for every other platform and for the build tag purego. All versions give the same bytes.
package wire
