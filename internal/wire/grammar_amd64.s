//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Indexed by the low half of a byte, as in scan_amd64.s: white space, and what may stand after a backslash but
// for b and r, whose low halves are taken.
DATA blanks<>+0(SB)/8, $0x0000000000000020
DATA blanks<>+8(SB)/8, $0x00000d00000a0900
GLOBL blanks<>(SB), RODATA|NOPTR, $16
DATA escapes<>+0(SB)/8, $0x0066757400220000
DATA escapes<>+8(SB)/8, $0x2f6e005c00000000
GLOBL escapes<>(SB), RODATA|NOPTR, $16

#define EACH(name, word) \
	DATA name+0(SB)/8, word \
	DATA name+8(SB)/8, word \
	DATA name+16(SB)/8, word \
	DATA name+24(SB)/8, word \
	GLOBL name(SB), RODATA|NOPTR, $32

EACH(eachQuote<>, $0x2222222222222222)
EACH(eachSlash<>, $0x5c5c5c5c5c5c5c5c)
EACH(each1f<>, $0x1f1f1f1f1f1f1f1f)
EACH(each20<>, $0x2020202020202020)
EACH(eachOpen<>, $0x7b7b7b7b7b7b7b7b)
EACH(eachClose<>, $0x7d7d7d7d7d7d7d7d)
EACH(eachComma<>, $0x2c2c2c2c2c2c2c2c)
EACH(eachColon<>, $0x3a3a3a3a3a3a3a3a)
EACH(each0<>, $0x3030303030303030)
EACH(each05<>, $0x0505050505050505)
EACH(each09<>, $0x0909090909090909)
EACH(eachDot<>, $0x2e2e2e2e2e2e2e2e)
EACH(eachA<>, $0x6161616161616161)
EACH(eachB<>, $0x6262626262626262)
EACH(eachE<>, $0x6565656565656565)
EACH(eachR<>, $0x7272727272727272)
EACH(eachU<>, $0x7575757575757575)
EACH(eachPlus<>, $0x2b2b2b2b2b2b2b2b)
EACH(eachMinus<>, $0x2d2d2d2d2d2d2d2d)

// func grammarBlocks(src *byte, blocks, tail int, st *grammarState, tokens *tokenWord, scalars *scalarWord) (full int)
TEXT ·grammarBlocks(SB), NOSPLIT, $0-56
	CMPQ ·level(SB), $const_levelAVX512
	JEQ wide
	JMP ·grammarAVX2(SB)
wide:
	JMP ·grammarAVX512(SB)

// ODD(B, ESC, OUT, CARRY, T1, T2) finds the bytes that a backslash escapes: OUT gets those after a run of
// backslashes of odd length, where B has the backslashes and ESC, 0 or 1, tells whether the first byte is
// escaped; CARRY gets whether the first byte after the block is. B loses an escaped first byte.
//
// Adding the start of a run to the runs carries to the byte after it; whether the length is odd shows in the
// parities of the two places.
#define ODD(B, ESC, OUT, CARRY, T1, T2) \
	ANDNQ B, ESC, B \
	LEAQ (B)(B*1), T1 \
	ANDNQ B, T1, T1 \
	MOVQ $0x5555555555555555, OUT \
	MOVQ T1, T2 \
	ANDQ OUT, T2 \
	XORQ T2, T1 \
	ADDQ B, T2 \
	ANDNQ T2, B, T2 \
	ANDNQ T2, OUT, T2 \
	XORL CARRY, CARRY \
	ADDQ B, T1 \
	ADCQ $0, CARRY \
	ANDNQ T1, B, T1 \
	ANDQ T1, OUT \
	ORQ T2, OUT \
	ORQ ESC, OUT

// DIGITS(U, NEED, T) turns U, the places of u after a backslash, into the places of the four digits of each, and
// sets NEED to those in the block after.
#define DIGITS(U, NEED, T) \
	MOVQ U, NEED \
	SHRQ $60, NEED \
	MOVQ NEED, T \
	SHRQ $1, T \
	ORQ T, NEED \
	MOVQ NEED, T \
	SHRQ $2, T \
	ORQ T, NEED \
	LEAQ (U)(U*1), T \
	ORQ U, T \
	MOVQ T, U \
	SHLQ $2, U \
	ORQ T, U \
	ADDQ U, U

// EMIT(OFF) appends the bits of AX at the places of R13 to the word OFF of the tokens.
#define EMIT(OFF) \
	PEXTQ R13, AX, AX \
	SHLXQ R8, AX, BX \
	ORQ BX, OFF(DX) \
	SHRQ $1, AX \
	SHRXQ R15, AX, AX \
	MOVQ AX, (OFF+24)(DX)

// ADVANCE moves on by the number of tokens in R13.
#define ADVANCE \
	POPCNTQ R13, R13 \
	ADDQ R13, R8 \
	MOVQ R8, AX \
	SHRQ $6, AX \
	ANDQ $63, R8 \
	LEAQ (AX)(AX*2), AX \
	LEAQ (DX)(AX*8), DX

// func grammarAVX512(src *byte, blocks, tail int, st *grammarState, tokens *tokenWord, scalars *scalarWord) (full int)
TEXT ·grammarAVX512(SB), NOSPLIT, $0-56
	MOVQ src+0(FP), SI
	MOVQ blocks+8(FP), CX
	MOVQ st+24(FP), R9
	MOVQ tokens+32(FP), DX
	MOVQ scalars+40(FP), DI
	MOVQ grammarState_count(R9), R8
	MOVQ grammarState_inside(R9), R10
	MOVQ grammarState_bad(R9), R12
	MOVQ grammarState_scalar(R9), R14
	VBROADCASTI64X4 eachQuote<>(SB), Z16
	VBROADCASTI64X4 eachSlash<>(SB), Z17
	VBROADCASTI64X4 each20<>(SB), Z18
	VBROADCASTI32X4 blanks<>(SB), Z19
	VBROADCASTI64X4 eachOpen<>(SB), Z20
	VBROADCASTI64X4 eachClose<>(SB), Z21
	VBROADCASTI64X4 eachComma<>(SB), Z22
	VBROADCASTI64X4 eachColon<>(SB), Z23
	VBROADCASTI64X4 each0<>(SB), Z24
	VBROADCASTI64X4 each09<>(SB), Z25
	VBROADCASTI64X4 eachDot<>(SB), Z26
	VBROADCASTI64X4 eachE<>(SB), Z27
	VBROADCASTI64X4 eachPlus<>(SB), Z28
	VBROADCASTI64X4 eachMinus<>(SB), Z29
	VPCMPEQB X14, X14, X14
loop:
	CMPQ CX, $1
	JEQ last
	VMOVDQU64 (SI), Z0
block:
	VPORQ Z18, Z0, Z1
	VPCMPEQB Z16, Z0, K1
	VPCMPEQB Z17, Z0, K2
	VPCMPUB $1, Z18, Z0, K3
	VPSHUFB Z0, Z19, Z2
	VPCMPEQB Z2, Z0, K4
	VPCMPEQB Z20, Z1, K5
	VPCMPEQB Z21, Z1, K6
	VPCMPEQB Z22, Z0, K7
	KMOVQ K1, AX
	KMOVQ K2, BX
	MOVQ st+24(FP), R9
	MOVQ grammarState_escaped(R9), R11
	ORQ grammarState_hex(R9), R11
	ORQ BX, R11
	JNZ escaped
unescaped: // AX has the quotes
	VMOVQ AX, X2
	VPCLMULQDQ $0, X14, X2, X2
	VMOVQ X2, R9
	XORQ R10, R9                         // strings, without their closing quotes
	MOVQ R9, R10
	SARQ $63, R10
	KMOVQ K3, R11
	ANDQ R9, R11
	ORQ R11, R12                         // control characters
	MOVQ AX, R11
	ANDQ R9, R11                         // opening quotes
	ORQ AX, R9
	VPCMPEQB Z23, Z0, K1
	KORQ K5, K6, K5                      // brackets
	KORQ K7, K1, K7                      // commas and colons
	KORQ K5, K7, K3
	KMOVQ K3, R13
	KORQ K3, K4, K4
	KMOVQ K4, BX
	ORQ R9, BX
	NOTQ BX                              // numbers and literals
	ANDNQ R13, R9, R13
	ORQ R11, R13
	LEAQ (R14)(BX*2), AX
	ANDNQ BX, AX, AX                     // their first bytes
	ORQ AX, R13                          // the first bytes of tokens
	MOVQ BX, R14
	SHRQ $63, R14
	MOVQ BX, 0(DI)
	KMOVQ BX, K2
	MOVQ R8, R15
	XORQ $63, R15
	KMOVQ K5, AX
	EMIT(0)
	KORQ K6, K7, K6
	KMOVQ K6, AX
	EMIT(8)
	VPTESTMB Z18, Z0, K5, K3             // braces
	KORQ K1, K3, K3
	KMOVQ K3, AX
	ORQ R11, AX
	EMIT(16)
	ADVANCE
	KORTESTQ K2, K2
	JZ next
	VPSUBB Z24, Z0, Z2
	VPCMPUB $2, Z25, Z2, K2, K3
	VPCMPEQB Z24, Z0, K2, K4
	VPCMPEQB Z26, Z0, K2, K5
	VPCMPEQB Z27, Z1, K2, K6
	VPCMPEQB Z28, Z0, K2, K7
	VPCMPEQB Z29, Z0, K2, K1
	KMOVQ K3, 8(DI)
	KMOVQ K4, 16(DI)
	KMOVQ K5, 24(DI)
	KMOVQ K6, 32(DI)
	KMOVQ K7, 40(DI)
	KMOVQ K1, 48(DI)
next:
	ADDQ $64, SI
	ADDQ $64, DI
	DECQ CX
	JNZ loop
	MOVQ st+24(FP), R9
	MOVQ R8, grammarState_count(R9)
	MOVQ R10, grammarState_inside(R9)
	MOVQ R12, grammarState_bad(R9)
	MOVQ R14, grammarState_scalar(R9)
	SUBQ tokens+32(FP), DX
	MOVQ DX, full+48(FP)
	VZEROUPPER
	RET
last: // of which tail bytes are there
	MOVQ tail+16(FP), BX
	MOVQ $-1, AX
	BZHIQ BX, AX, AX
	KMOVQ AX, K7
	VMOVDQA64 Z18, Z0
	VMOVDQU8 (SI), K7, Z0
	JMP block
escaped: // BX has the backslashes
	MOVQ grammarState_escaped(R9), R11
	ODD(BX, R11, R13, R15, R9, AX)
	MOVQ st+24(FP), R9
	MOVQ R15, grammarState_escaped(R9)
	KMOVQ K1, AX
	ANDNQ AX, R13, AX
	// What they escape.
	VBROADCASTI32X4 escapes<>(SB), Z2
	VPSHUFB Z0, Z2, Z2
	VPCMPEQB Z2, Z0, K1
	VBROADCASTI64X4 eachB<>(SB), Z2
	VPCMPEQB Z2, Z0, K2
	KORQ K1, K2, K1
	VBROADCASTI64X4 eachR<>(SB), Z2
	VPCMPEQB Z2, Z0, K2
	KORQ K1, K2, K1
	KMOVQ K1, BX
	ANDNQ R13, BX, BX
	ORQ BX, R12
	VBROADCASTI64X4 eachU<>(SB), Z2
	VPCMPEQB Z2, Z0, K2
	KMOVQ K2, BX
	ANDQ R13, BX
	DIGITS(BX, R13, R15)
	ORQ grammarState_hex(R9), BX
	MOVQ R13, grammarState_hex(R9)
	VPSUBB Z24, Z0, Z2
	VPCMPUB $2, Z25, Z2, K1
	VBROADCASTI64X4 eachA<>(SB), Z2
	VPSUBB Z2, Z1, Z2
	VBROADCASTI64X4 each05<>(SB), Z3
	VPCMPUB $2, Z3, Z2, K2
	KORQ K1, K2, K1
	KMOVQ K1, R13
	ANDNQ BX, R13, BX
	ORQ BX, R12
	JMP unescaped

// MASK(CONST, D) sets D to the bytes of Y0 and Y1 that equal CONST.
#define MASK(CONST, A, B, D) \
	VPCMPEQB CONST, A, Y4 \
	VPCMPEQB CONST, B, Y5 \
	BITS(Y4, Y5, D)

#define BITS(A, B, D) \
	VPMOVMSKB A, D \
	VPMOVMSKB B, R15 \
	SHLQ $32, R15 \
	ORQ R15, D

// func grammarAVX2(src *byte, blocks, tail int, st *grammarState, tokens *tokenWord, scalars *scalarWord) (full int)
TEXT ·grammarAVX2(SB), NOSPLIT, $24-56
	MOVQ src+0(FP), SI
	MOVQ blocks+8(FP), CX
	MOVQ st+24(FP), R9
	MOVQ tokens+32(FP), DX
	MOVQ scalars+40(FP), DI
	MOVQ grammarState_count(R9), R8
	MOVQ grammarState_inside(R9), R10
	MOVQ grammarState_bad(R9), R12
	MOVQ grammarState_scalar(R9), R14
	VMOVDQU eachQuote<>(SB), Y8
	VMOVDQU eachSlash<>(SB), Y9
	VMOVDQU each20<>(SB), Y10
	VBROADCASTI128 blanks<>(SB), Y11
	VMOVDQU each1f<>(SB), Y12
	VMOVDQU each0<>(SB), Y13
	VPCMPEQB X14, X14, X14
loop:
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	VPOR Y10, Y0, Y2
	VPOR Y10, Y1, Y3
	MASK(Y8, Y0, Y1, AX)
	MASK(Y9, Y0, Y1, BX)
	MOVQ st+24(FP), R9
	MOVQ grammarState_escaped(R9), R11
	ORQ grammarState_hex(R9), R11
	ORQ BX, R11
	JNZ escaped
unescaped: // AX has the quotes
	VMOVQ AX, X4
	VPCLMULQDQ $0, X14, X4, X4
	VMOVQ X4, R9
	XORQ R10, R9                         // strings, without their closing quotes
	MOVQ R9, R10
	SARQ $63, R10
	VPMINUB Y12, Y0, Y4
	VPMINUB Y12, Y1, Y5
	VPCMPEQB Y4, Y0, Y4
	VPCMPEQB Y5, Y1, Y5
	BITS(Y4, Y5, R11)
	ANDQ R9, R11
	ORQ R11, R12                         // control characters
	MOVQ AX, R11
	ANDQ R9, R11                         // opening quotes
	ORQ AX, R9
	MASK(eachComma<>(SB), Y0, Y1, AX)
	MASK(eachColon<>(SB), Y0, Y1, BX)
	MOVQ BX, third-24(SP)
	ORQ BX, AX
	MASK(eachClose<>(SB), Y2, Y3, BX)
	MASK(eachOpen<>(SB), Y2, Y3, R13)
	ORQ BX, R13                          // brackets
	ORQ AX, BX
	MOVQ R13, first-8(SP)
	MOVQ BX, second-16(SP)
	VPSLLW $2, Y0, Y4
	VPSLLW $2, Y1, Y5
	BITS(Y4, Y5, BX)
	ANDQ R13, BX                         // braces
	ORQ BX, third-24(SP)
	ORQ AX, R13
	VPSHUFB Y0, Y11, Y4
	VPSHUFB Y1, Y11, Y5
	VPCMPEQB Y4, Y0, Y4
	VPCMPEQB Y5, Y1, Y5
	BITS(Y4, Y5, BX)
	ORQ R13, BX
	ORQ R9, BX
	NOTQ BX                              // numbers and literals
	ANDNQ R13, R9, R13
	ORQ R11, R13
	LEAQ (R14)(BX*2), AX
	ANDNQ BX, AX, AX                     // their first bytes
	ORQ AX, R13                          // the first bytes of tokens
	MOVQ BX, R14
	SHRQ $63, R14
	MOVQ BX, 0(DI)
	MOVQ R8, R15
	XORQ $63, R15
	MOVQ first-8(SP), AX
	EMIT(0)
	MOVQ second-16(SP), AX
	EMIT(8)
	MOVQ third-24(SP), AX
	ORQ R11, AX
	EMIT(16)
	ADVANCE
	MOVQ 0(DI), R11
	TESTQ R11, R11
	JZ next
	VPSUBB Y13, Y0, Y4
	VPSUBB Y13, Y1, Y5
	VPMINUB each09<>(SB), Y4, Y6
	VPMINUB each09<>(SB), Y5, Y7
	VPCMPEQB Y4, Y6, Y4
	VPCMPEQB Y5, Y7, Y5
	BITS(Y4, Y5, AX)
	ANDQ R11, AX
	MOVQ AX, 8(DI)
	MASK(Y13, Y0, Y1, AX)
	ANDQ R11, AX
	MOVQ AX, 16(DI)
	MASK(eachDot<>(SB), Y0, Y1, AX)
	ANDQ R11, AX
	MOVQ AX, 24(DI)
	MASK(eachE<>(SB), Y2, Y3, AX)
	ANDQ R11, AX
	MOVQ AX, 32(DI)
	MASK(eachPlus<>(SB), Y0, Y1, AX)
	ANDQ R11, AX
	MOVQ AX, 40(DI)
	MASK(eachMinus<>(SB), Y0, Y1, AX)
	ANDQ R11, AX
	MOVQ AX, 48(DI)
next:
	ADDQ $64, SI
	ADDQ $64, DI
	DECQ CX
	JNZ loop
	MOVQ st+24(FP), R9
	MOVQ R8, grammarState_count(R9)
	MOVQ R10, grammarState_inside(R9)
	MOVQ R12, grammarState_bad(R9)
	MOVQ R14, grammarState_scalar(R9)
	SUBQ tokens+32(FP), DX
	MOVQ DX, full+48(FP)
	VZEROUPPER
	RET
escaped: // BX has the backslashes
	MOVQ AX, first-8(SP)
	MOVQ grammarState_escaped(R9), R11
	ODD(BX, R11, R13, R15, R9, AX)
	MOVQ st+24(FP), R9
	MOVQ R15, grammarState_escaped(R9)
	// What they escape.
	VBROADCASTI128 escapes<>(SB), Y6
	VPSHUFB Y0, Y6, Y4
	VPSHUFB Y1, Y6, Y5
	VPCMPEQB Y4, Y0, Y4
	VPCMPEQB Y5, Y1, Y5
	VPCMPEQB eachB<>(SB), Y0, Y6
	VPCMPEQB eachB<>(SB), Y1, Y7
	VPOR Y6, Y4, Y4
	VPOR Y7, Y5, Y5
	VPCMPEQB eachR<>(SB), Y0, Y6
	VPCMPEQB eachR<>(SB), Y1, Y7
	VPOR Y6, Y4, Y4
	VPOR Y7, Y5, Y5
	BITS(Y4, Y5, BX)
	ANDNQ R13, BX, BX
	ORQ BX, R12
	MOVQ first-8(SP), AX
	ANDNQ AX, R13, AX
	MASK(eachU<>(SB), Y0, Y1, BX)
	ANDQ R13, BX
	DIGITS(BX, R13, R15)
	ORQ grammarState_hex(R9), BX
	MOVQ R13, grammarState_hex(R9)
	VPSUBB Y13, Y0, Y4
	VPSUBB Y13, Y1, Y5
	VPMINUB each09<>(SB), Y4, Y6
	VPMINUB each09<>(SB), Y5, Y7
	VPCMPEQB Y4, Y6, Y6
	VPCMPEQB Y5, Y7, Y7
	VPSUBB eachA<>(SB), Y2, Y4
	VPSUBB eachA<>(SB), Y3, Y5
	VPMINUB each05<>(SB), Y4, Y15
	VPCMPEQB Y4, Y15, Y4
	VPMINUB each05<>(SB), Y5, Y15
	VPCMPEQB Y5, Y15, Y5
	VPOR Y6, Y4, Y4
	VPOR Y7, Y5, Y5
	BITS(Y4, Y5, R13)
	ANDNQ BX, R13, BX
	ORQ BX, R12
	JMP unescaped

// func leaves(brackets, closing, curly uint64) (begins, ends, mixed uint64)
TEXT ·leaves(SB), NOSPLIT, $0-48
	MOVQ brackets+0(FP), AX
	MOVQ closing+8(FP), BX
	MOVQ curly+16(FP), CX
	PEXTQ AX, BX, BX                     // a bit for a bracket
	PEXTQ AX, CX, CX
	MOVQ BX, DX
	SHRQ $1, DX
	ANDNQ DX, BX, DX                     // opens, and the next one closes
	LEAQ (DX)(DX*1), SI
	MOVQ CX, DI
	SHRQ $1, DI
	XORQ CX, DI
	ANDQ DX, DI                          // they are of different kinds
	PDEPQ AX, DX, DX
	PDEPQ AX, SI, SI
	MOVQ DX, begins+24(FP)
	MOVQ SI, ends+32(FP)
	MOVQ DI, mixed+40(FP)
	RET
