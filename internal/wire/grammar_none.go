//go:build purego || !amd64

package wire

func hasGrammar() bool { return false }

func grammarBlocks(*byte, int, int, *grammarState, *tokenBits, *scalarWord) {
	panic("wire: no grammar kernel")
}

func leaves(uint64, uint64, uint64) (begins, ends, mixed uint64) { panic("wire: no grammar kernel") }

func verbatim(*byte, int, int) bool { panic("wire: no grammar kernel") }
