//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "utf8_amd64.h"

// func validBlocksString(src string, before int) (bad uint64)
TEXT ·validBlocksString(SB), NOSPLIT, $0-32
	JMP ·validBlocks(SB)

// func validBlocks(src *byte, n, before int) (bad uint64)
TEXT ·validBlocks(SB), NOSPLIT, $0-32
	CMPQ ·level(SB), $const_levelAVX512
	JEQ wide
	JMP ·validAVX2(SB)
wide:
	JMP ·validAVX512(SB)

// func validAVX512(src *byte, n, before int) (bad uint64)
TEXT ·validAVX512(SB), NOSPLIT, $0-32
	MOVQ src+0(FP), SI
	MOVQ n+8(FP), CX
	UTF8_INIT512
	VPXORQ Z31, Z31, Z31                 // errors
	VPXORQ Z30, Z30, Z30                 // block before
	XORL R9, R9                          // not zero: it is not all ASCII
	MOVQ before+16(FP), AX
	TESTQ AX, AX
	JZ loop
	VMOVDQU64 -64(SI), Z30
	MOVL $1, R9
loop:
	VMOVDQU64 (SI), Z0
	VPMOVB2M Z0, K1
	KMOVQ K1, R8
	ORQ R8, R9
	JNZ high
next:
	VMOVDQA64 Z0, Z30
	ADDQ $64, SI
	SUBQ $64, CX
	JNZ loop
	VPTESTMB Z31, Z31, K1
	KMOVQ K1, AX
	MOVQ AX, bad+24(FP)
	VZEROUPPER
	RET
high:
	UTF8_CHECK512
	VPORQ Z9, Z31, Z31
	MOVQ R8, R9
	JMP next

// func validAVX2(src *byte, n, before int) (bad uint64)
TEXT ·validAVX2(SB), NOSPLIT, $96-32
	MOVQ src+0(FP), SI
	MOVQ n+8(FP), CX
	VPBROADCASTD half_most<>(SB), Y10
	VMOVDQU half_low<>(SB), Y12
	VPXOR Y15, Y15, Y15                  // errors
	XORL R9, R9                          // not zero: they are not all ASCII
	MOVQ before+16(FP), AX
	TESTQ AX, AX
	JZ loop
	MOVL $1, R9
loop:
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	VPOR Y0, Y1, Y2
	VPMOVMSKB Y2, R8
	ORL R8, R9
	JNZ high
next:
	MOVL $1, AX
	ADDQ $64, SI
	SUBQ $64, CX
	JNZ loop
	XORL AX, AX
	VPTEST Y15, Y15
	SETNE AX
	MOVQ AX, bad+24(FP)
	VZEROUPPER
	RET
high:
	MOVQ SI, R10
	TESTQ AX, AX
	JNZ check
	// Nothing is before them.
	VPXOR Y2, Y2, Y2
	VMOVDQU Y2, at-96(SP)
	VMOVDQU Y0, at-64(SP)
	VMOVDQU Y1, at-32(SP)
	LEAQ at-64(SP), R10
check:
	UTF8_BLOCK256(R10, Y15)
	MOVL R8, R9
	JMP next
