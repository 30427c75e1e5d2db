//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "utf8_amd64.h"

// Indexed by the low half of a byte: the one byte of the class with that low half, else 0. A byte equals its
// entry exactly when it is of the class; 0 equals its entry in string_end, where it belongs, and bytes from
// 0x80 on give 0.
DATA white<>+0(SB)/8, $0x0000000000000020
DATA white<>+8(SB)/8, $0x00000d00000a0900
GLOBL white<>(SB), RODATA|NOPTR, $16
DATA string_end<>+0(SB)/8, $0x0000000000220000
DATA string_end<>+8(SB)/8, $0x0000005c00000000
GLOBL string_end<>(SB), RODATA|NOPTR, $16

// Loaded at 64-n it has n bytes of ones, then zeros.
DATA ones_zeros<>+0(SB)/8, $0xffffffffffffffff
DATA ones_zeros<>+8(SB)/8, $0xffffffffffffffff
DATA ones_zeros<>+16(SB)/8, $0xffffffffffffffff
DATA ones_zeros<>+24(SB)/8, $0xffffffffffffffff
DATA ones_zeros<>+32(SB)/8, $0xffffffffffffffff
DATA ones_zeros<>+40(SB)/8, $0xffffffffffffffff
DATA ones_zeros<>+48(SB)/8, $0xffffffffffffffff
DATA ones_zeros<>+56(SB)/8, $0xffffffffffffffff
DATA ones_zeros<>+64(SB)/8, $0
DATA ones_zeros<>+72(SB)/8, $0
DATA ones_zeros<>+80(SB)/8, $0
DATA ones_zeros<>+88(SB)/8, $0
DATA ones_zeros<>+96(SB)/8, $0
DATA ones_zeros<>+104(SB)/8, $0
DATA ones_zeros<>+112(SB)/8, $0
DATA ones_zeros<>+120(SB)/8, $0
GLOBL ones_zeros<>(SB), RODATA|NOPTR, $128

// func scanBlocks(src *byte, blocks, tail int, s, nw *uint64, before int, dst *byte) (bad uint64)
TEXT ·scanBlocks(SB), NOSPLIT, $0-64
	CMPQ ·level(SB), $const_levelAVX512
	JEQ wide
	JMP ·scanAVX2(SB)
wide:
	JMP ·scanAVX512(SB)

// func scanAVX512(src *byte, blocks, tail int, s, nw *uint64, before int, dst *byte) (bad uint64)
TEXT ·scanAVX512(SB), NOSPLIT, $0-64
	MOVQ src+0(FP), SI
	MOVQ blocks+8(FP), CX
	MOVQ s+24(FP), DI
	MOVQ nw+32(FP), DX
	MOVQ dst+48(FP), R9
	UTF8_INIT512
	MOVL $0x20, AX
	VPBROADCASTB AX, Z18
	VBROADCASTI32X4 white<>(SB), Z19
	VBROADCASTI32X4 string_end<>(SB), Z20
	VPXORQ Z31, Z31, Z31                 // errors
	VPXORQ Z30, Z30, Z30                 // block before
	VPXORQ Z13, Z13, Z13                 // not zero: it ends unfinished
	MOVQ before+40(FP), AX
	TESTQ AX, AX
	JZ loop
	VMOVDQU64 -64(SI), Z30
	VPSUBUSB Z22, Z30, Z13
loop:
	CMPQ CX, $1
	JEQ last
	VMOVDQU64 (SI), Z0
block:
	VPSHUFB Z0, Z20, Z1
	VPSHUFB Z0, Z19, Z2
	VPCMPEQB Z1, Z0, K1
	VPCMPUB $1, Z18, Z0, K2
	VPCMPUB $4, Z2, Z0, K3
	KORQ K1, K2, K1
	VPMOVB2M Z0, K4
	KMOVQ K1, (DI)
	KMOVQ K3, (DX)
	KORTESTQ K4, K4
	JNZ high
	VPORQ Z13, Z31, Z31
	VPXORQ Z13, Z13, Z13
next:
	VMOVDQA64 Z0, Z30
	TESTQ R9, R9
	JZ copied
	VMOVDQU64 Z0, (R9)
	ADDQ $64, R9
copied:
	ADDQ $64, SI
	ADDQ $8, DI
	ADDQ $8, DX
	DECQ CX
	JNZ loop
	VPTESTMB Z31, Z31, K1
	KMOVQ K1, AX
	MOVQ AX, bad+56(FP)
	VZEROUPPER
	RET
high:
	UTF8_CHECK512
	VPORQ Z9, Z31, Z31
	VPSUBUSB Z22, Z0, Z13
	JMP next
last:
	MOVQ tail+16(FP), BX
	MOVQ $-1, AX
	BZHIQ BX, AX, AX
	KMOVQ AX, K7
	VMOVDQU8.Z (SI), K7, Z0
	JMP block

// func scanAVX2(src *byte, blocks, tail int, s, nw *uint64, before int, dst *byte) (bad uint64)
TEXT ·scanAVX2(SB), NOSPLIT, $96-64
	MOVQ src+0(FP), SI
	MOVQ blocks+8(FP), CX
	MOVQ s+24(FP), DI
	MOVQ nw+32(FP), DX
	MOVQ dst+48(FP), R9
	VBROADCASTI128 string_end<>(SB), Y8
	VBROADCASTI128 white<>(SB), Y9
	VPBROADCASTD half_most<>(SB), Y10
	VMOVDQU half_low<>(SB), Y12
	VMOVDQU complete<>+32(SB), Y11
	VPXOR Y13, Y13, Y13                  // not zero: the bytes before end unfinished
	VPXOR Y14, Y14, Y14                  // 32 bytes before
	VPXOR Y15, Y15, Y15                  // errors
	MOVQ before+40(FP), AX
	TESTQ AX, AX
	JZ loop
	VMOVDQU -32(SI), Y14
	VPSUBUSB Y11, Y14, Y13
loop:
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	CMPQ CX, $1
	JEQ last
block:
	VPSHUFB Y0, Y8, Y2
	VPSHUFB Y1, Y8, Y3
	VPCMPEQB Y2, Y0, Y2
	VPCMPEQB Y3, Y1, Y3
	VPMINUB Y10, Y0, Y4
	VPMINUB Y10, Y1, Y5
	VPCMPEQB Y4, Y0, Y4
	VPCMPEQB Y5, Y1, Y5
	VPOR Y2, Y4, Y2
	VPOR Y3, Y5, Y3
	VPMOVMSKB Y2, AX
	VPMOVMSKB Y3, BX
	SHLQ $32, BX
	ORQ BX, AX
	MOVQ AX, (DI)
	VPSHUFB Y0, Y9, Y2
	VPSHUFB Y1, Y9, Y3
	VPCMPEQB Y2, Y0, Y2
	VPCMPEQB Y3, Y1, Y3
	VPMOVMSKB Y2, AX
	VPMOVMSKB Y3, BX
	SHLQ $32, BX
	ORQ BX, AX
	NOTQ AX
	MOVQ AX, (DX)
	VPOR Y0, Y1, Y2
	VPMOVMSKB Y2, AX
	TESTL AX, AX
	JNZ high
	VPOR Y13, Y15, Y15
	VPXOR Y13, Y13, Y13
next:
	VMOVDQA Y1, Y14
	TESTQ R9, R9
	JZ copied
	VMOVDQU Y0, (R9)
	VMOVDQU Y1, 32(R9)
	ADDQ $64, R9
copied:
	ADDQ $64, SI
	ADDQ $8, DI
	ADDQ $8, DX
	DECQ CX
	JNZ loop
	XORL AX, AX
	VPTEST Y15, Y15
	SETNE AX
	MOVQ AX, bad+56(FP)
	VZEROUPPER
	RET
high:
	MOVQ SI, R10
	CMPQ CX, $1
	JEQ apart
	CMPQ SI, src+0(FP)
	JNE check
apart: // what is in memory before or behind them is not theirs
	VMOVDQU Y14, at-96(SP)
	VMOVDQU Y0, at-64(SP)
	VMOVDQU Y1, at-32(SP)
	LEAQ at-64(SP), R10
check:
	UTF8_BLOCK256(R10, Y15)
	VPSUBUSB Y11, Y1, Y13
	JMP next
last:
	LEAQ ones_zeros<>+64(SB), R8
	SUBQ tail+16(FP), R8
	VPAND (R8), Y0, Y0
	VPAND 32(R8), Y1, Y1
	JMP block
