//go:build !purego

#include "textflag.h"

// The bytes of three at a time, each in the two halves from which its six bits come.
DATA base64Spread<>+0(SB)/8, $0x0405030401020001
DATA base64Spread<>+8(SB)/8, $0x0a0b090a07080607
GLOBL base64Spread<>(SB), RODATA|NOPTR, $16

// What is added to six bits: 'a'-26, '0'-52 ten times, '+'-62, '/'-63 and 'A'.
DATA base64Shift<>+0(SB)/8, $0xfcfcfcfcfcfcfc47
DATA base64Shift<>+8(SB)/8, $0x000041f0edfcfcfc
GLOBL base64Shift<>(SB), RODATA|NOPTR, $16

// A byte is of the alphabet if its two halves have no class of bytes that are not in common.
DATA base64Low<>+0(SB)/8, $0x1111111111111115
DATA base64Low<>+8(SB)/8, $0x1a1b1b1b1a131111
GLOBL base64Low<>(SB), RODATA|NOPTR, $16
DATA base64High<>+0(SB)/8, $0x0804080402011010
DATA base64High<>+8(SB)/8, $0x1010101010101010
GLOBL base64High<>(SB), RODATA|NOPTR, $16

// What is added to a byte of the alphabet with that upper half, or one less for a slash.
DATA base64Roll<>+0(SB)/8, $0xb9b9bfbf04131000
DATA base64Roll<>+8(SB)/8, $0x0000000000000000
GLOBL base64Roll<>(SB), RODATA|NOPTR, $16

// The bytes of each four that hold three, and the words that hold them.
DATA base64Pack<>+0(SB)/8, $0x090a040506000102
DATA base64Pack<>+8(SB)/8, $0xffffffff0c0d0e08
GLOBL base64Pack<>(SB), RODATA|NOPTR, $16
DATA base64Words<>+0(SB)/8, $0x0000000100000000
DATA base64Words<>+8(SB)/8, $0x0000000400000002
DATA base64Words<>+16(SB)/8, $0x0000000600000005
DATA base64Words<>+24(SB)/8, $0x0000000700000003
GLOBL base64Words<>(SB), RODATA|NOPTR, $32

#define BROADCASTD(value, X, Y) \
	MOVL $value, AX     \
	VMOVQ AX, X         \
	VPBROADCASTD X, Y

// func encodeBase64(dst, src *byte, blocks int)
TEXT ·encodeBase64(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ blocks+16(FP), CX
	VBROADCASTI128 base64Spread<>(SB), Y1
	VBROADCASTI128 base64Shift<>(SB), Y2
	BROADCASTD(0x0fc0fc00, X3, Y3)
	BROADCASTD(0x04000040, X4, Y4)
	BROADCASTD(0x003f03f0, X5, Y5)
	BROADCASTD(0x01000010, X6, Y6)
	BROADCASTD(0x33333333, X7, Y7)        // 51
	BROADCASTD(0x1a1a1a1a, X8, Y8)        // 26
	BROADCASTD(0x0d0d0d0d, X9, Y9)        // 13
encode:
	VMOVDQU (SI), X0
	VINSERTI128 $1, 12(SI), Y0, Y0
	VPSHUFB Y1, Y0, Y0
	VPAND Y3, Y0, Y10
	VPMULHUW Y4, Y10, Y10
	VPAND Y5, Y0, Y0
	VPMULLW Y6, Y0, Y0
	VPOR Y10, Y0, Y0                      // six bits in each byte
	VPSUBUSB Y7, Y0, Y10
	VPCMPGTB Y0, Y8, Y11
	VPAND Y9, Y11, Y11
	VPOR Y11, Y10, Y10
	VPSHUFB Y10, Y2, Y10
	VPADDB Y10, Y0, Y0
	VMOVDQU Y0, (DI)
	ADDQ $24, SI
	ADDQ $32, DI
	DECQ CX
	JNZ encode
	VZEROUPPER
	RET

// func decodeBase64(dst, src *byte, blocks int) (done int)
TEXT ·decodeBase64(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ blocks+16(FP), CX
	MOVQ CX, DX
	VBROADCASTI128 base64Low<>(SB), Y1
	VBROADCASTI128 base64High<>(SB), Y2
	VBROADCASTI128 base64Roll<>(SB), Y3
	VBROADCASTI128 base64Pack<>(SB), Y4
	VMOVDQU base64Words<>(SB), Y5
	BROADCASTD(0x2f2f2f2f, X6, Y6)        // a slash, and no bit by which a shuffle gives zero
	BROADCASTD(0x01400140, X7, Y7)
	BROADCASTD(0x00011000, X8, Y8)
decode:
	VMOVDQU (SI), Y0
	VPSRLD $4, Y0, Y9
	VPAND Y6, Y9, Y9
	VPAND Y6, Y0, Y10
	VPSHUFB Y9, Y2, Y11
	VPSHUFB Y10, Y1, Y10
	VPTEST Y10, Y11
	JNZ stop
	VPCMPEQB Y6, Y0, Y10
	VPADDB Y10, Y9, Y9
	VPSHUFB Y9, Y3, Y9
	VPADDB Y9, Y0, Y0                     // six bits in each byte
	VPMADDUBSW Y7, Y0, Y0
	VPMADDWD Y8, Y0, Y0
	VPSHUFB Y4, Y0, Y0
	VPERMD Y0, Y5, Y0
	VMOVDQU Y0, (DI)
	ADDQ $32, SI
	ADDQ $24, DI
	DECQ CX
	JNZ decode
stop:
	SUBQ CX, DX
	MOVQ DX, done+24(FP)
	VZEROUPPER
	RET
