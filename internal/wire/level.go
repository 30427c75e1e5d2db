package wire

// The instruction sets a kernel may be written for.
const (
	levelGeneric = iota
	levelAVX2
	levelAVX512
	levelNEON
)

// best is the instruction set of the processor, found once when the program starts.
var best = detectLevel()

// level is the instruction set in use.
var level = best

var levelNames = [...]string{
	levelGeneric: "generic",
	levelAVX2:    "avx2",
	levelAVX512:  "avx512",
	levelNEON:    "neon",
}

// Level returns the name of the instruction set the kernels use: "avx512", "avx2", "neon" or "generic".
func Level() string { return levelNames[level] }

// Levels returns the names that [SetLevel] takes on this machine, the fastest first.
func Levels() []string {
	switch best {
	case levelAVX512:
		return []string{"avx512", "avx2", "generic"}
	case levelAVX2:
		return []string{"avx2", "generic"}
	case levelNEON:
		return []string{"neon", "generic"}
	}
	return []string{"generic"}
}

// SetLevel makes the kernels use the named instruction set until restore is called, so that tests can run each
// of them. It is for tests only, not safe beside running kernels, and panics on a name not in [Levels].
func SetLevel(name string) (restore func()) {
	for _, have := range Levels() {
		if have != name {
			continue
		}
		for l, s := range levelNames {
			if s == name {
				old := level
				level = l
				return func() { level = old }
			}
		}
	}
	panic("wire: no level " + name)
}

// Vectors reports whether kernels for AVX2 are in use.
func Vectors() bool { return level == levelAVX2 || level == levelAVX512 }

// Wide reports whether they have those of 64 bytes.
func Wide() bool { return level == levelAVX512 }
