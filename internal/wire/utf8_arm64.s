//go:build !purego

#include "textflag.h"
#include "utf8_arm64.h"

// func validBlocksString(src string, before int) (bad uint64)
TEXT ·validBlocksString(SB), NOSPLIT, $0-32
	B ·validBlocks(SB)

// func validBlocks(src *byte, n, before int) (bad uint64)
TEXT ·validBlocks(SB), NOSPLIT, $0-32
	MOVD src+0(FP), R0
	MOVD n+8(FP), R1
	MOVD before+16(FP), R5
	UTF8_INIT
	VEOR V14.B16, V14.B16, V14.B16       // 16 bytes before
	VEOR V15.B16, V15.B16, V15.B16       // errors
	MOVD ZR, R4                          // not zero: the 64 bytes before are not all ASCII
	CBZ R5, loop
	SUB $16, R0, R8
	VLD1 (R8), [V14.B16]
	MOVD $1, R4
loop:
	VLD1.P 64(R0), [V0.B16, V1.B16, V2.B16, V3.B16]
	VORR V0.B16, V1.B16, V10.B16
	VORR V2.B16, V3.B16, V11.B16
	VORR V10.B16, V11.B16, V10.B16
	VMOV V10.D[0], R6
	VMOV V10.D[1], R7
	ORR R6, R7, R6
	AND $0x8080808080808080, R6
	ORR R6, R4, R4
	CBNZ R4, high
next:
	VMOV V3.B16, V14.B16
	SUBS $64, R1, R1
	BNE loop
	VMOV V15.D[0], R6
	VMOV V15.D[1], R7
	ORR R6, R7, R6
	MOVD R6, bad+24(FP)
	RET
high:
	UTF8_CHECK(V14, V0)
	UTF8_CHECK(V0, V1)
	UTF8_CHECK(V1, V2)
	UTF8_CHECK(V2, V3)
	MOVD R6, R4
	B next
