//go:build !purego

#include "textflag.h"

// For the 64-bit lanes of VPMULUDQ: 2^40/10^4 rounded up, and 10^4.
DATA ·floatWords+0(SB)/8, $109951163
DATA ·floatWords+8(SB)/8, $109951163
DATA ·floatWords+16(SB)/8, $10000
DATA ·floatWords+24(SB)/8, $10000
// 2^19/100 rounded up and 100, in the low halves of 32-bit lanes.
DATA ·floatWords+32(SB)/8, $0x0000147b0000147b
DATA ·floatWords+40(SB)/8, $0x0000147b0000147b
DATA ·floatWords+48(SB)/8, $0x0000006400000064
DATA ·floatWords+56(SB)/8, $0x0000006400000064
// 2^16/10 rounded up, and 10·2^8-1, in 16-bit lanes.
DATA ·floatWords+64(SB)/8, $0x199a199a199a199a
DATA ·floatWords+72(SB)/8, $0x199a199a199a199a
DATA ·floatWords+80(SB)/8, $0x09ff09ff09ff09ff
DATA ·floatWords+88(SB)/8, $0x09ff09ff09ff09ff
DATA ·floatWords+96(SB)/8, $0x3030303030303030
DATA ·floatWords+104(SB)/8, $0x3030303030303030
// 2^67/10 and 2^90/10^8, rounded up.
DATA ·floatWords+112(SB)/8, $0xcccccccccccccccd
DATA ·floatWords+120(SB)/8, $0xabcc77118461cefd
GLOBL ·floatWords(SB), RODATA|NOPTR, $128

// From byte n on: what moves the bytes from n on to the front.
DATA ·floatShift+0(SB)/8, $0x0706050403020100
DATA ·floatShift+8(SB)/8, $0x0f0e0d0c0b0a0908
DATA ·floatShift+16(SB)/8, $0xffffffffffffffff
DATA ·floatShift+24(SB)/8, $0xffffffffffffffff
GLOBL ·floatShift(SB), RODATA|NOPTR, $32

// func setFloats(dst *byte, src *float64, n, group, pos int) (wrote, done int)
TEXT ·setFloats(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), SI
	MOVQ src+8(FP), DI
	MOVQ n+16(FP), CX
	MOVQ pos+32(FP), R9
	LEAQ (DI)(CX*8), CX
	MOVQ CX, n+16(FP)                    // where the numbers end
loop:
	MOVQ SI, wrote+40(FP)
	CMPQ R9, group+24(FP)
	JEQ next
	MOVB $',', (SI)
	INCQ SI
number:
	INCQ R9
	MOVQ (DI), AX
#include "float_amd64.h"
	ADDQ $8, DI
	CMPQ DI, n+16(FP)
	JNE loop
	MOVQ SI, wrote+40(FP)
unfit:
	MOVQ dst+0(FP), SI
	SUBQ SI, wrote+40(FP)
	SUBQ src+8(FP), DI
	SHRQ $3, DI
	MOVQ DI, done+48(FP)
	RET

next:
	MOVL $0x005b2c5d, (SI)               // "],["
	ADDQ $3, SI
	XORL R9, R9
	JMP number
