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
TEXT ·validAVX2(SB), NOSPLIT, $0-32
	MOVQ src+0(FP), SI
	MOVQ n+8(FP), CX
	VPXOR Y15, Y15, Y15                  // errors
	VPXOR Y14, Y14, Y14                  // 32 bytes before
	XORL R9, R9                          // not zero: they are not all ASCII
	MOVQ before+16(FP), AX
	TESTQ AX, AX
	JZ loop
	VMOVDQU -32(SI), Y14
	MOVL $1, R9
loop:
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	VPOR Y0, Y1, Y2
	VPMOVMSKB Y2, R8
	ORL R8, R9
	JNZ high
next:
	VMOVDQA Y1, Y14
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
	UTF8_CHECK256(Y14, Y0, Y15)
	UTF8_CHECK256(Y0, Y1, Y15)
	MOVL R8, R9
	JMP next
