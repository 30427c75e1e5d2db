//go:build purego || (!amd64 && !arm64)

package wire

func detectLevel() int { return levelGeneric }

func scanBlocks(src *byte, blocks, tail int, s, nw *uint64, before int, dst *byte) (bad uint64) {
	panic("unreachable")
}

func copyBlocks(dst *byte, room int, src string, how int) (n, wrote int) { return 0, 0 }

func validBlocks(src *byte, n, before int) (bad uint64) { panic("unreachable") }

func validBlocksString(src string, before int) (bad uint64) { panic("unreachable") }

func copyHTML(dst, src *byte, n int) (found bool) { panic("unreachable") }

func encodeBase64(dst, src *byte, blocks int) { panic("unreachable") }

func decodeBase64(dst, src *byte, blocks int) (done int) { panic("unreachable") }
