//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// What a byte is, as bits that its halves have in common: classLower is indexed by the lower half, with 0 for bytes that
// are not ASCII, classUpper by the upper one.
//
//	80 a digit     40 a bracket or brace     20 a colon     10 a space or comma     08 other white space
//	04 a control character
//	02 a colon or brace, or one of ; = z
//	01 an opening bracket or brace, a comma or colon, or one of * + ; < Z \\ z |
//
// No scalar begins with what the last two have too much, so that it does no harm: the check of scalars refuses it.
DATA classLower<>+0(SB)/8, $0x8484848484848494
DATA classLower<>+8(SB)/8, $0x04044e15472f8c84
GLOBL classLower<>(SB), RODATA|NOPTR, $16
DATA classUpper<>+0(SB)/8, $0x43004100a311040c
DATA classUpper<>+8(SB)/8, $0
GLOBL classUpper<>(SB), RODATA|NOPTR, $16

// What a byte is behind a backslash, likewise.
//
//	40 a quote or slash     20 a backslash     10 one of b f n     08 one of r t u
//	04 a u
//	02 a digit     01 a letter that is a hexadecimal digit
DATA escapeLower<>+0(SB)/8, $0x02130f0b035b0302
DATA escapeLower<>+8(SB)/8, $0x4010002000000202
GLOBL escapeLower<>(SB), RODATA|NOPTR, $16
DATA escapeUpper<>+0(SB)/8, $0x0c11200102400000
DATA escapeUpper<>+8(SB)/8, $0
GLOBL escapeUpper<>(SB), RODATA|NOPTR, $16

#define EACH(name, word) \
	DATA name+0(SB)/8, word \
	DATA name+8(SB)/8, word \
	DATA name+16(SB)/8, word \
	DATA name+24(SB)/8, word \
	GLOBL name(SB), RODATA|NOPTR, $32

EACH(eachQuote<>, $0x2222222222222222)
EACH(eachSlash<>, $0x5c5c5c5c5c5c5c5c)
EACH(eachHalf<>, $0x0f0f0f0f0f0f0f0f)
EACH(eachSpace<>, $0x2020202020202020)
EACH(each01<>, $0x0101010101010101)
EACH(each02<>, $0x0202020202020202)
EACH(each03<>, $0x0303030303030303)
EACH(each04<>, $0x0404040404040404)
EACH(each07<>, $0x0707070707070707)
EACH(each40<>, $0x4040404040404040)
EACH(each78<>, $0x7878787878787878)
EACH(each80<>, $0x8080808080808080)
EACH(each0<>, $0x3030303030303030)
EACH(eachDot<>, $0x2e2e2e2e2e2e2e2e)
EACH(eachE<>, $0x6565656565656565)
EACH(eachPlus<>, $0x2b2b2b2b2b2b2b2b)
EACH(eachMinus<>, $0x2d2d2d2d2d2d2d2d)

// func grammarBlocks(src *byte, blocks, tail int, st *grammarState, tokens *tokenWord, scalars *scalarWord) (full int)
TEXT ·grammarBlocks(SB), NOSPLIT, $0-56
	CMPQ ·level(SB), $const_levelAVX512
	JEQ wide
	JMP ·grammarAVX2(SB)
wide:
	JMP ·grammarAVX512(SB)

// ESCAPED turns R11, 0 or 1 as the first byte is escaped or not, into the bytes that a backslash escapes, where BX has
// the backslashes. R15 gets whether the first byte after the block is one. It spoils R9 and R13.
//
// Of a run of backslashes every other one escapes the byte after it. Less the run itself, the bytes after those of a run
// that borrow from even places leave these alone: the subtraction ends each run at its last bit.
#define ESCAPED \
	ANDNQ BX, R11, R13 \
	MOVQ $0xaaaaaaaaaaaaaaaa, R9 \
	LEAQ (R13)(R13*1), R15 \
	ORQ R9, R15 \
	SUBQ R13, R15 \
	XORQ R9, R15 \
	ORQ BX, R11 \
	XORQ R15, R11 \
	ANDQ BX, R15 \
	SHRQ $63, R15

// DIGITS sets R13 to the places of the four digits after each u in BX, and R11 to those in the block after: 30 times BX.
// Where digits would have to stand in two places, which is wrong, the first one that is none still counts. It spoils BX
// and R15.
#define DIGITS \
	MOVQ BX, R11 \
	MOVQ BX, R15 \
	MOVQ BX, R13 \
	SHRQ $59, R11 \
	SHRQ $63, R15 \
	SUBQ R15, R11 \
	SHLQ $5, R13 \
	ADDQ BX, BX \
	SUBQ BX, R13 \
	SBBQ $0, R11

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

// TOKENS finds where tokens begin: AX has the brackets and marks, R13 what is neither of these nor white
// space, R9 the strings, R11 their opening quotes. It leaves in R13 the first bytes of tokens, and in 0(DI) the scalars.
#define TOKENS \
	ORQ R9, R13 \
	NOTQ R13 \
	MOVQ R13, 0(DI) \
	LEAQ (R14)(R13*2), BX \
	MOVQ R13, R14 \
	ANDNQ R13, BX, BX \
	SHRQ $63, R14 \
	ANDNQ AX, R9, R13 \
	ORQ R11, R13 \
	ORQ BX, R13

// STRINGS sets R9 to the strings without their closing quotes, where AX has the quotes and R10 tells whether a string is
// open.
#define STRINGS \
	VMOVQ AX, X15 \
	VPCLMULQDQ $0, X14, X15, X15 \
	VMOVQ X15, R9 \
	XORQ R10, R9 \
	MOVQ R9, R10 \
	SARQ $63, R10

// QUOTES adds to R9 the closing quotes, and sets R11, which has the control characters, to the opening ones.
#define QUOTES \
	ANDQ R9, R11 \
	ORQ R11, R12 \
	MOVQ AX, R11 \
	ANDQ R9, R11 \
	ORQ AX, R9

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
	VBROADCASTI64X4 eachHalf<>(SB), Z18
	VBROADCASTI32X4 classLower<>(SB), Z19
	VBROADCASTI32X4 classUpper<>(SB), Z20
	VBROADCASTI64X4 each04<>(SB), Z21
	VBROADCASTI64X4 each40<>(SB), Z22
	VBROADCASTI64X4 each01<>(SB), Z23
	VBROADCASTI64X4 each02<>(SB), Z24
	VBROADCASTI64X4 each78<>(SB), Z25
	VBROADCASTI64X4 each80<>(SB), Z26
	VBROADCASTI64X4 eachE<>(SB), Z27
	VBROADCASTI64X4 eachPlus<>(SB), Z28
	VBROADCASTI64X4 eachMinus<>(SB), Z29
	VBROADCASTI64X4 eachDot<>(SB), Z30
	VBROADCASTI64X4 each0<>(SB), Z31
	VBROADCASTI64X4 eachSpace<>(SB), Z13
	VPCMPEQB X14, X14, X14
loop:
	CMPQ CX, $1
	JEQ last
	VMOVDQU64 (SI), Z0
block:
	VPSRLW $4, Z0, Z3
	VPCMPEQB Z16, Z0, K1
	VPANDQ Z18, Z3, Z3
	VPCMPEQB Z17, Z0, K2
	VPSHUFB Z0, Z19, Z1
	VPSHUFB Z3, Z20, Z2
	KMOVQ K1, AX
	KMOVQ K2, BX
	MOVQ st+24(FP), R9
	VPANDQ Z2, Z1, Z1
	MOVQ grammarState_escaped(R9), R11
	ORQ grammarState_hex(R9), R11
	ORQ BX, R11
	JNZ escaped
unescaped: // AX has the quotes
	VPTESTMB Z21, Z1, K3
	TESTQ AX, AX
	JZ unquoted
mixed:
	VPTESTMB Z22, Z1, K5                 // brackets
	VPTESTMB Z23, Z1, K6
	VPTESTMB Z24, Z1, K7
	VPTESTMB Z25, Z1, K4
	STRINGS
	KMOVQ K3, R11
	QUOTES
	KMOVQ K4, R13
	KANDQ K6, K4, K4
	KORQ K5, K4, K4
	KMOVQ K4, AX
	TOKENS
	MOVQ R8, R15
	XORQ $63, R15
	KMOVQ K5, AX
	EMIT(0)
	KMOVQ K6, AX
	EMIT(8)
	KMOVQ K7, AX
	ORQ R11, AX
	EMIT(16)
	ADVANCE
	MOVQ 0(DI), R11
	TESTQ R11, R11
	JZ next
	MOVQ st+24(FP), R9
	ORQ R11, grammarState_any(R9)
	KMOVQ R11, K2
	VPORQ Z13, Z0, Z2
	VPTESTMB Z26, Z1, K2, K3
	VPCMPEQB Z31, Z0, K2, K4
	VPCMPEQB Z30, Z0, K2, K5
	VPCMPEQB Z27, Z2, K2, K6
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
unquoted: // the whole block may be of a string
	TESTQ R10, R10
	JZ mixed
	KMOVQ K3, R11
	ORQ R11, R12                         // control characters
	XORL R14, R14
	MOVQ R14, 0(DI)
	JMP next
last: // of which tail bytes are there
	MOVQ tail+16(FP), BX
	MOVQ $-1, AX
	BZHIQ BX, AX, AX
	KMOVQ AX, K7
	VMOVDQA64 Z13, Z0
	VMOVDQU8 (SI), K7, Z0
	JMP block
escaped: // BX has the backslashes
	MOVQ grammarState_escaped(R9), R11
	ESCAPED
	MOVQ st+24(FP), R9
	MOVQ R15, grammarState_escaped(R9)
	ANDNQ AX, R11, AX
	// What they escape.
	VBROADCASTI32X4 escapeLower<>(SB), Z2
	VBROADCASTI32X4 escapeUpper<>(SB), Z4
	VPSHUFB Z0, Z2, Z2
	VPSHUFB Z3, Z4, Z4
	VPANDQ Z4, Z2, Z2
	VBROADCASTI64X4 each03<>(SB), Z4
	VPTESTMB Z25, Z2, K1
	VPTESTMB Z21, Z2, K2
	VPTESTNMB Z4, Z2, K3
	KMOVQ K1, BX
	ANDNQ R11, BX, BX
	ORQ BX, R12
	KMOVQ K2, BX
	ANDQ R11, BX
	DIGITS
	ORQ grammarState_hex(R9), R13
	MOVQ R11, grammarState_hex(R9)
	KMOVQ K3, BX
	ANDQ R13, BX
	ORQ BX, R12
	JMP unescaped

// MASK(CONST, D) sets D to the bytes of Y0 and Y1 that equal CONST.
#define MASK(CONST, D) \
	VPCMPEQB CONST, Y0, Y4 \
	VPCMPEQB CONST, Y1, Y5 \
	BITS(Y4, Y5, D)

// CLASS(N, D) sets D to the bits N places below the upper one of each byte of Y2 and Y3.
#define CLASS(N, D) \
	VPSLLW $N, Y2, Y4 \
	VPSLLW $N, Y3, Y5 \
	BITS(Y4, Y5, D)

#define BITS(A, B, D) \
	VPMOVMSKB A, D \
	VPMOVMSKB B, R15 \
	SHLQ $32, R15 \
	ORQ R15, D

// func grammarAVX2(src *byte, blocks, tail int, st *grammarState, tokens *tokenWord, scalars *scalarWord) (full int)
TEXT ·grammarAVX2(SB), NOSPLIT, $80-56
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
	VBROADCASTI128 classLower<>(SB), Y10
	VBROADCASTI128 classUpper<>(SB), Y11
	VMOVDQU eachHalf<>(SB), Y12
	VMOVDQU each07<>(SB), Y13
	VPCMPEQB X14, X14, X14
loop:
	CMPQ CX, $1
	JEQ last
whole:
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
block:
	VPSRLW $4, Y0, Y6
	VPSRLW $4, Y1, Y7
	MASK(Y8, AX)
	VPAND Y12, Y6, Y6
	VPAND Y12, Y7, Y7
	VPCMPEQB Y9, Y0, Y4
	VPCMPEQB Y9, Y1, Y5
	VPOR Y4, Y5, Y15
	VPSHUFB Y0, Y10, Y2
	VPMOVMSKB Y15, BX
	VPSHUFB Y6, Y11, Y15
	VPAND Y15, Y2, Y2
	VPSHUFB Y1, Y10, Y3
	VPSHUFB Y7, Y11, Y15
	VPAND Y15, Y3, Y3
	MOVQ st+24(FP), R9
	MOVQ grammarState_escaped(R9), R11
	ORQ grammarState_hex(R9), R11
	ORQ BX, R11
	JNZ escaped
unescaped: // AX has the quotes
	TESTQ AX, AX
	JZ unquoted
mixed:
	STRINGS
	CLASS(5, R11)
	QUOTES
	CLASS(1, AX)                         // brackets
	MOVQ AX, first-8(SP)
	CLASS(7, BX)
	MOVQ BX, second-16(SP)
	VPCMPGTB Y13, Y2, Y4
	VPCMPGTB Y13, Y3, Y5
	BITS(Y4, Y5, R13)
	ANDQ R13, BX
	ORQ BX, AX
	TOKENS
	CLASS(6, AX)
	ORQ R11, AX
	MOVQ R8, R15
	XORQ $63, R15
	EMIT(16)
	MOVQ second-16(SP), AX
	EMIT(8)
	MOVQ first-8(SP), AX
	EMIT(0)
	ADVANCE
	MOVQ 0(DI), R11
	TESTQ R11, R11
	JZ next
	MOVQ st+24(FP), R9
	ORQ R11, grammarState_any(R9)
	MASK(each0<>(SB), AX)
	BITS(Y2, Y3, BX)                     // digits
	ANDQ R11, AX
	ANDQ R11, BX
	MOVQ AX, 16(DI)
	MOVQ BX, 8(DI)
	XORQ R11, BX
	JNZ more
	VPXOR Y4, Y4, Y4
	VMOVDQU Y4, 24(DI)
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
more: // than digits
	MASK(eachDot<>(SB), AX)
	ANDQ R11, AX
	MOVQ AX, 24(DI)
	MASK(eachMinus<>(SB), AX)
	ANDQ R11, AX
	MOVQ AX, 48(DI)
	MASK(eachPlus<>(SB), AX)
	ANDQ R11, AX
	MOVQ AX, 40(DI)
	VPOR eachSpace<>(SB), Y0, Y4
	VPOR eachSpace<>(SB), Y1, Y5
	VPCMPEQB eachE<>(SB), Y4, Y4
	VPCMPEQB eachE<>(SB), Y5, Y5
	BITS(Y4, Y5, AX)
	ANDQ R11, AX
	MOVQ AX, 32(DI)
	JMP next
unquoted: // the whole block may be of a string
	TESTQ R10, R10
	JZ mixed
	CLASS(5, R11)
	ORQ R11, R12                         // control characters
	XORL R14, R14
	MOVQ R14, 0(DI)
	JMP next
last: // of which tail bytes are there
	MOVQ tail+16(FP), BX
	CMPQ BX, $64
	JEQ whole
	MOVQ SI, AX
	ANDL $4095, AX
	CMPL AX, $4032
	JGT crossing
around: // what comes after them is of the same page
	LEAQ there<>+64(SB), AX
	SUBQ BX, AX
	VMOVDQU eachSpace<>(SB), Y2
	VMOVDQU (AX), Y0
	VMOVDQU 32(AX), Y1
	VPBLENDVB Y0, (SI), Y2, Y0
	VPBLENDVB Y1, 32(SI), Y2, Y1
	JMP block
crossing:
	LEAQ end-80(SP), R9
	XORL AX, AX
byte:
	CMPQ AX, BX
	JGE copied
	MOVB (SI)(AX*1), R11
	MOVB R11, (R9)(AX*1)
	INCQ AX
	JMP byte
copied:
	MOVQ R9, SI
	JMP around
escaped: // BX is not zero if there are backslashes, which Y4 and Y5 have
	BITS(Y4, Y5, BX)
	MOVQ grammarState_escaped(R9), R11
	ESCAPED
	MOVQ st+24(FP), R9
	MOVQ R15, grammarState_escaped(R9)
	ANDNQ AX, R11, AX
	// What they escape.
	VBROADCASTI128 escapeLower<>(SB), Y15
	VPSHUFB Y0, Y15, Y4
	VPSHUFB Y1, Y15, Y5
	VBROADCASTI128 escapeUpper<>(SB), Y15
	VPSHUFB Y6, Y15, Y6
	VPSHUFB Y7, Y15, Y7
	VPAND Y6, Y4, Y4
	VPAND Y7, Y5, Y5
	VPCMPGTB Y13, Y4, Y6
	VPCMPGTB Y13, Y5, Y7
	BITS(Y6, Y7, BX)
	ANDNQ R11, BX, BX
	ORQ BX, R12
	VPSLLW $5, Y4, Y6
	VPSLLW $5, Y5, Y7
	BITS(Y6, Y7, BX)
	ANDQ R11, BX
	DIGITS
	ORQ grammarState_hex(R9), R13
	MOVQ R11, grammarState_hex(R9)
	VPXOR Y15, Y15, Y15
	VPAND each03<>(SB), Y4, Y4
	VPAND each03<>(SB), Y5, Y5
	VPCMPEQB Y15, Y4, Y4
	VPCMPEQB Y15, Y5, Y5
	BITS(Y4, Y5, BX)
	ANDQ R13, BX
	ORQ BX, R12
	JMP unescaped

// Loaded at 64-n it has n bytes of ones, then zeros.
DATA there<>+0(SB)/8, $0xffffffffffffffff
DATA there<>+8(SB)/8, $0xffffffffffffffff
DATA there<>+16(SB)/8, $0xffffffffffffffff
DATA there<>+24(SB)/8, $0xffffffffffffffff
DATA there<>+32(SB)/8, $0xffffffffffffffff
DATA there<>+40(SB)/8, $0xffffffffffffffff
DATA there<>+48(SB)/8, $0xffffffffffffffff
DATA there<>+56(SB)/8, $0xffffffffffffffff
DATA there<>+64(SB)/8, $0
DATA there<>+72(SB)/8, $0
DATA there<>+80(SB)/8, $0
DATA there<>+88(SB)/8, $0
DATA there<>+96(SB)/8, $0
DATA there<>+104(SB)/8, $0
DATA there<>+112(SB)/8, $0
DATA there<>+120(SB)/8, $0
GLOBL there<>(SB), RODATA|NOPTR, $128

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
