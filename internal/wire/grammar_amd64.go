//go:build !purego

package wire

//lint:file-ignore U1000 the kernels for a level are reached from assembly

// grammarBlocks finds the tokens and the scalars of blocks of 64 bytes, at least one, and goes on from what st
// says of the blocks before. The last one has tail bytes and is filled with spaces. It appends bits for each token to
// tokens, of which there are st.count already, less than 64, and sets a word for each block at scalars.
//
//go:noescape
func grammarBlocks(src *byte, blocks, tail int, st *grammarState, tokens *tokenBits, scalars *scalarWord)

//go:noescape
func grammarAVX512(src *byte, blocks, tail int, st *grammarState, tokens *tokenBits, scalars *scalarWord)

//go:noescape
func grammarAVX2(src *byte, blocks, tail int, st *grammarState, tokens *tokenBits, scalars *scalarWord)

// leaves finds the pairs of brackets that have no others between them. It returns where they open and close, and
// a number that is not zero when one opens with a bracket and closes with a brace, or vice versa.
//
//go:noescape
func leaves(brackets, closing, curly uint64) (begins, ends, mixed uint64)

// verbatim is [Verbatim] for the n bytes at src, of which the first is a bracket.
//
//go:noescape
func verbatim(src *byte, n int, how int) bool

// hasGrammar reports whether grammarBlocks may be called.
func hasGrammar() bool { return level != levelGeneric && carryless }

// carryless reports whether the processor multiplies without carries.
var carryless = detectCarryless()

func detectCarryless() bool {
	_, _, c1, _ := cpuid(1, 0)
	return c1&(1<<1) != 0
}
