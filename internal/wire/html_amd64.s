//go:build !purego

#include "textflag.h"

// Indexed by the lower half of a byte: the byte with that half that HTML cares about, or one with another half.
DATA htmlBytes<>+0(SB)/8, $0x0026000000e200ff
DATA htmlBytes<>+8(SB)/8, $0x003e003c00000000
GLOBL htmlBytes<>(SB), RODATA|NOPTR, $16

// func copyHTML(dst, src *byte, n int) (found bool)
TEXT ·copyHTML(SB), NOSPLIT, $0-25
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	MOVL $0x0f, AX
	VMOVQ AX, X2
	VPBROADCASTB X2, Y2
	VBROADCASTI128 htmlBytes<>(SB), Y1
	VPXOR Y3, Y3, Y3
	LEAQ -32(SI)(CX*1), R8
	SUBQ SI, DI
loop:
	CMPQ SI, R8
	JLS block
	MOVQ R8, SI                          // the last one may overlap the one before
block:
	VMOVDQU (SI), Y0
	VMOVDQU Y0, (DI)(SI*1)
	VPAND Y2, Y0, Y4
	VPSHUFB Y4, Y1, Y4
	VPCMPEQB Y0, Y4, Y4
	VPOR Y4, Y3, Y3
	ADDQ $32, SI
	LEAQ 32(R8), AX
	CMPQ SI, AX
	JLO loop
	VPTEST Y3, Y3
	SETNE found+24(FP)
	VZEROUPPER
	RET
