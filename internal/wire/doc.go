// Package wire holds the pure byte functions that the formats are made of: the scan of a JSON text into bitmaps,
// its grammar checked in such bitmaps, copying and escaping strings, numbers and times as text, and UTF-8.
//
// The hot ones have kernels in assembly, for AVX-512 or AVX2 chosen when the program starts and for NEON, and a
// twin in Go that every other platform and the build tag purego use; all give the same bytes.
package wire
