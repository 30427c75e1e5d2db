//go:build !purego

#include "textflag.h"

// The bits that only double precision has, and those of the exponent.
DATA doubleMasks<>+0(SB)/8, $0x000000001fffffff
DATA doubleMasks<>+8(SB)/8, $0x7ff0000000000000
GLOBL doubleMasks<>(SB), RODATA|NOPTR, $16

// What makes 16 bytes of the encodings of two numbers but for the first bytes, which are 0, then those, and then what
// swaps the bytes of each number.
DATA doubleForms<>+0(SB)/8, $0x01020304050607ff
DATA doubleForms<>+8(SB)/8, $0x0a0b0c0d0e0fff00
DATA doubleForms<>+16(SB)/8, $0x00000000000000fb
DATA doubleForms<>+24(SB)/8, $0x000000000000fb00
DATA doubleForms<>+32(SB)/8, $0x0001020304050607
DATA doubleForms<>+40(SB)/8, $0x08090a0b0c0d0e0f
GLOBL doubleForms<>(SB), RODATA|NOPTR, $48

// func PutDoubles(dst *byte, src *float64, n int) (done int)
TEXT ·PutDoubles(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	VPBROADCASTQ doubleMasks<>+0(SB), Y4
	VPBROADCASTQ doubleMasks<>+8(SB), Y5
	VBROADCASTI128 doubleForms<>+0(SB), Y6
	VBROADCASTI128 doubleForms<>+16(SB), Y7
	VBROADCASTI128 doubleForms<>+32(SB), Y8
	VPXOR Y9, Y9, Y9
	XORL AX, AX
	SUBQ $4, CX
	JLT end
loop:
	VMOVDQU (SI)(AX*8), Y0
	VPAND Y4, Y0, Y1
	VPCMPEQQ Y9, Y1, Y1                  // single precision may have it
	VPAND Y5, Y0, Y2
	VPCMPEQQ Y5, Y2, Y2                  // it is not finite
	VPOR Y1, Y2, Y1
	VPTEST Y1, Y1
	JNZ end
	VPSHUFB Y6, Y0, Y1
	VPOR Y7, Y1, Y1
	VPSHUFB Y8, Y0, Y2
	VMOVDQU X1, (DI)
	VMOVHPS X2, 10(DI)
	VEXTRACTI128 $1, Y1, 18(DI)
	VEXTRACTI128 $1, Y2, X2
	VMOVHPS X2, 28(DI)
	ADDQ $36, DI
	ADDQ $4, AX
	CMPQ AX, CX
	JLE loop
end:
	VZEROUPPER
	MOVQ AX, done+24(FP)
	RET
