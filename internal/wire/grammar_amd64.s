//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// What a byte is, as bits that its halves have in common: classLower is indexed by the lower half, with 0 for bytes that
// are not ASCII, classUpper by the upper one.
//
//	80 a bracket or brace     40 a colon     20 a space or comma     10 other white space     08 a digit
//	04 a control character
//	02 a colon or brace, or one of ; = z
//	01 an opening bracket or brace, a comma or colon, or one of * + ; < Z \\ z |
//
// No scalar begins with what the last two have too much, so that it does no harm: the check of scalars refuses it.
DATA classLower<>+0(SB)/8, $0x0c0c0c0c0c0c0c2c
DATA classLower<>+8(SB)/8, $0x0404962587571c0c
GLOBL classLower<>(SB), RODATA|NOPTR, $16
DATA classUpper<>+0(SB)/8, $0x830081004b210414
DATA classUpper<>+8(SB)/8, $0
GLOBL classUpper<>(SB), RODATA|NOPTR, $16

// The same for grammarAVX2, which looks at fewer bits one by one. blockUpper is indexed by the four bits above the lower
// three.
//
//	80 a colon or brace, white space but for spaces, a 9, or one of ; = y z
//	40 a control character     20 a bracket or brace     10 a colon     08 a space or comma     04 a digit
//	02 an opening bracket or brace, a comma or colon, a 0, or one of * + ; < Z \\ z |
//	01 with 40, a control character other than white space
//
// Of the bytes with 40, white space has none of the bits below it.
DATA blockLower<>+0(SB)/8, $0x454545454545454f
DATA blockLower<>+8(SB)/8, $0x4141e04be3d2c445
GLOBL blockLower<>(SB), RODATA|NOPTR, $16
DATA blockUpper<>+0(SB)/8, $0x96060a087541c141
DATA blockUpper<>+8(SB)/8, $0xa200000022000000
GLOBL blockUpper<>(SB), RODATA|NOPTR, $16

// Bits of these, twice as high, as the highest one: 02 and 04.
DATA blockSecond<>+0(SB)/8, $0x8080808000000000
DATA blockSecond<>+8(SB)/8, $0x8080808000000000
GLOBL blockSecond<>(SB), RODATA|NOPTR, $16
DATA blockDigit<>+0(SB)/8, $0
DATA blockDigit<>+8(SB)/8, $0x8080808080808080
GLOBL blockDigit<>(SB), RODATA|NOPTR, $16

// Indexed by the lower half of a byte: the quote or backslash with that lower half, else 0.
DATA blockEnds<>+0(SB)/8, $0x0000000000220000
DATA blockEnds<>+8(SB)/8, $0x0000005c00000000
GLOBL blockEnds<>(SB), RODATA|NOPTR, $16

// What a byte is behind a backslash, likewise.
//
//	80 a u     40 a digit     20 a letter that is a hexadecimal digit
//	10 a quote or slash     08 a backslash     04 one of b f n     02 one of r t
DATA escapeLower<>+0(SB)/8, $0x4064e06260766040
DATA escapeLower<>+8(SB)/8, $0x1004000800004040
GLOBL escapeLower<>(SB), RODATA|NOPTR, $16
DATA escapeUpper<>+0(SB)/8, $0x8224082040100000
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
EACH(eachSpace<>, $0x2020202020202020)
EACH(each01<>, $0x0101010101010101)
EACH(each02<>, $0x0202020202020202)
EACH(each04<>, $0x0404040404040404)
EACH(each08<>, $0x0808080808080808)
EACH(each0F<>, $0x0f0f0f0f0f0f0f0f)
EACH(each1F<>, $0x1f1f1f1f1f1f1f1f)
EACH(each60<>, $0x6060606060606060)
EACH(each80<>, $0x8080808080808080)
EACH(each9E<>, $0x9e9e9e9e9e9e9e9e)
EACH(eachF0<>, $0xf0f0f0f0f0f0f0f0)
EACH(each0<>, $0x3030303030303030)
EACH(eachDot<>, $0x2e2e2e2e2e2e2e2e)
EACH(eachE<>, $0x6565656565656565)
EACH(eachPlus<>, $0x2b2b2b2b2b2b2b2b)
EACH(eachMinus<>, $0x2d2d2d2d2d2d2d2d)

// func grammarBlocks(src *byte, blocks, tail int, st *grammarState, tokens *tokenBits, scalars *scalarWord)
TEXT ·grammarBlocks(SB), NOSPLIT, $0-48
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

// EMIT(BITS, OFF) appends the bits of BITS at the places of R13, at most 56, to the bits that end with R8 bits of the byte
// OFF of the tokens. It spoils AX.
#define EMIT(BITS, OFF) \
	PEXTQ R13, BITS, AX \
	SHLXQ R8, AX, AX \
	ORB OFF(DX), AX \
	MOVQ AX, OFF(DX)

// EMIT_MANY is EMIT for up to 64. It spoils BX and R9 too.
#define EMIT_MANY(BITS, OFF) \
	PEXTQ R13, BITS, AX \
	MOVBLZX OFF(DX), BX \
	SHLXQ R8, AX, R9 \
	ORQ BX, R9 \
	MOVQ R9, OFF(DX) \
	MOVQ R8, R9 \
	XORQ $63, R9 \
	SHRQ $1, AX \
	SHRXQ R9, AX, AX \
	MOVB AX, (OFF+8)(DX)

// COUNT sets R15 to the number of tokens, and says whether they are more than 56.
#define COUNT \
	POPCNTQ R13, R15 \
	CMPQ R15, $56

// ADVANCE moves on by the number of tokens in R15.
#define ADVANCE \
	ADDQ R15, R8 \
	MOVQ R8, AX \
	SHRQ $3, AX \
	ANDL $7, R8 \
	ADDQ AX, DX

// FROM points at the end of the tokens, of which R8 has the number.
#define FROM \
	MOVQ R8, AX \
	SHRQ $3, AX \
	ANDL $7, R8 \
	ADDQ AX, DX

// TOKENS finds where tokens begin: AX has the brackets and marks, R13 the scalars, R9 the strings, R11 their opening
// quotes. It leaves in R13 the first bytes of tokens, and in 0(DI) the scalars. It spoils R15.
#define TOKENS \
	MOVQ R13, 0(DI) \
	LEAQ (R14)(R13*2), R15 \
	MOVQ R13, R14 \
	ANDNQ R13, R15, R15 \
	SHRQ $63, R14 \
	ANDNQ AX, R9, R13 \
	ORQ R11, R13 \
	ORQ R15, R13

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

// PENDING notes whether the blocks before say something of the next one, where R9 has the state. It spoils R11.
#define PENDING \
	MOVQ grammarState_escaped(R9), R11 \
	ORQ grammarState_hex(R9), R11 \
	MOVQ R11, pending-8(SP)

// func grammarAVX512(src *byte, blocks, tail int, st *grammarState, tokens *tokenBits, scalars *scalarWord)
TEXT ·grammarAVX512(SB), NOSPLIT, $8-48
	MOVQ src+0(FP), SI
	MOVQ blocks+8(FP), CX
	MOVQ st+24(FP), R9
	MOVQ tokens+32(FP), DX
	MOVQ scalars+40(FP), DI
	MOVQ grammarState_count(R9), R8
	MOVQ grammarState_inside(R9), R10
	MOVQ grammarState_bad(R9), R12
	MOVQ grammarState_scalar(R9), R14
	PENDING
	FROM
	VBROADCASTI64X4 eachQuote<>(SB), Z16
	VBROADCASTI64X4 eachSlash<>(SB), Z17
	VBROADCASTI64X4 each0F<>(SB), Z18
	VBROADCASTI32X4 classLower<>(SB), Z19
	VBROADCASTI32X4 classUpper<>(SB), Z20
	VBROADCASTI64X4 each04<>(SB), Z21
	VBROADCASTI64X4 each80<>(SB), Z22
	VBROADCASTI64X4 each01<>(SB), Z23
	VBROADCASTI64X4 each02<>(SB), Z24
	VBROADCASTI64X4 eachF0<>(SB), Z25
	VBROADCASTI64X4 each08<>(SB), Z26
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
	VPCMPEQB Z16, Z0, K1
	VPCMPEQB Z17, Z0, K2
	KMOVQ K1, AX
	KMOVQ K2, BX
	MOVQ pending-8(SP), R11
	ORQ BX, R11
	JNZ escaped
unescaped: // AX has the quotes
	TESTQ AX, AX
	JZ unquoted
mixed:
	VPSRLW $4, Z0, Z3
	VPSHUFB Z0, Z19, Z1
	VPANDQ Z18, Z3, Z3
	VPSHUFB Z3, Z20, Z2
	VPANDQ Z2, Z1, Z1
	VPTESTMB Z21, Z1, K3
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
	ANDNQ R13, AX, R15
	ANDNQ R15, R9, R15
	MOVQ R15, scalarWord_spaces(DI)
	ORQ R9, R13
	NOTQ R13
	TOKENS
	COUNT
	JGT many
	KMOVQ K5, AX
	EMIT(AX, tokenBits_bracket)
	KMOVQ K6, AX
	EMIT(AX, tokenBits_second)
	KMOVQ K7, AX
	ORQ R11, AX
	EMIT(AX, tokenBits_third)
emitted:
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
	SUBQ tokens+32(FP), DX
	LEAQ (R8)(DX*8), R8
	MOVQ R8, grammarState_count(R9)
	MOVQ R10, grammarState_inside(R9)
	MOVQ R12, grammarState_bad(R9)
	MOVQ R14, grammarState_scalar(R9)
	MOVQ $0, grammarState_left(R9)
	VZEROUPPER
	RET
many:
	KMOVQ K5, AX
	EMIT_MANY(AX, tokenBits_bracket)
	KMOVQ K6, AX
	EMIT_MANY(AX, tokenBits_second)
	KMOVQ K7, AX
	ORQ R11, AX
	EMIT_MANY(AX, tokenBits_third)
	JMP emitted
unquoted: // the whole block may be of a string
	TESTQ R10, R10
	JZ mixed
	VPCMPUB $1, Z13, Z0, K3
	KMOVQ K3, R11
	ORQ R11, R12                         // control characters
	XORL R14, R14
	MOVQ R14, 0(DI)
	MOVQ R14, scalarWord_spaces(DI)
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
	MOVQ st+24(FP), R9
	MOVQ grammarState_escaped(R9), R11
	ESCAPED
	MOVQ st+24(FP), R9
	MOVQ R15, grammarState_escaped(R9)
	ANDNQ AX, R11, AX
	// What they escape.
	VPSRLW $4, Z0, Z3
	VBROADCASTI32X4 escapeLower<>(SB), Z2
	VBROADCASTI32X4 escapeUpper<>(SB), Z4
	VPANDQ Z18, Z3, Z3
	VPSHUFB Z0, Z2, Z2
	VPSHUFB Z3, Z4, Z4
	VPANDQ Z4, Z2, Z2
	VBROADCASTI64X4 each9E<>(SB), Z4
	VBROADCASTI64X4 each60<>(SB), Z3
	VPTESTNMB Z4, Z2, K1
	VPMOVB2M Z2, K2
	VPTESTNMB Z3, Z2, K3
	KMOVQ K1, BX
	ANDQ R11, BX
	ORQ BX, R12
	KMOVQ K2, BX
	ANDQ R11, BX
	DIGITS
	ORQ grammarState_hex(R9), R13
	MOVQ R11, grammarState_hex(R9)
	PENDING
	KMOVQ K3, BX
	ANDQ R13, BX
	ORQ BX, R12
	JMP unescaped

// MASK(CONST, D) sets D to the bytes of Y0 and Y1 that equal CONST.
#define MASK(CONST, D) \
	VPCMPEQB CONST, Y0, Y4 \
	VPCMPEQB CONST, Y1, Y5 \
	BITS(Y4, Y5, D)

#define BITS(A, B, D) \
	VPMOVMSKB A, D \
	VPMOVMSKB B, R15 \
	SHLQ $32, R15 \
	ORQ R15, D

// LOOKUP(TABLE, D) sets D to the bytes of Y4 and Y5 that the table has the highest bit for.
#define LOOKUP(TABLE, D) \
	VPSHUFB Y4, TABLE, Y15 \
	VPMOVMSKB Y15, D \
	VPSHUFB Y5, TABLE, Y15 \
	VPMOVMSKB Y15, R15 \
	SHLQ $32, R15 \
	ORQ R15, D

// STORE(A, B, OFF) sets the word OFF of the block's words to the highest bits of the bytes of A and B.
#define STORE(A, B, OFF) \
	VPMOVMSKB A, AX \
	VPMOVMSKB B, BX \
	MOVL AX, OFF(DI) \
	MOVL BX, (OFF+4)(DI)

// WITHIN is all that is to be done for a block within a string.
#define WITHIN \
	VPMINUB Y0, Y12, Y12 \
	VPMINUB Y1, Y12, Y12 \
	XORL R14, R14 \
	MOVQ R14, 0(DI) \
	MOVQ R14, scalarWord_spaces(DI)

// func grammarAVX2(src *byte, blocks, tail int, st *grammarState, tokens *tokenBits, scalars *scalarWord)
TEXT ·grammarAVX2(SB), NOSPLIT, $96-48
	MOVQ src+0(FP), SI
	MOVQ blocks+8(FP), CX
	MOVQ st+24(FP), R9
	MOVQ tokens+32(FP), DX
	MOVQ scalars+40(FP), DI
	MOVQ grammarState_count(R9), R8
	MOVQ grammarState_inside(R9), R10
	MOVQ grammarState_bad(R9), R12
	MOVQ grammarState_scalar(R9), R14
	PENDING
	MOVQ grammarState_full(R9), R11
	MOVQ R11, full-24(SP)
	MOVQ $0, any-32(SP)
	FROM
	SHLQ $6, CX
	LEAQ -64(SI)(CX*1), CX
	MOVQ CX, last-16(SP)
	VMOVDQU eachQuote<>(SB), Y8
	VMOVDQU eachSlash<>(SB), Y9
	VBROADCASTI128 blockLower<>(SB), Y10
	VBROADCASTI128 blockUpper<>(SB), Y11
	VPCMPEQB Y12, Y12, Y12               // the least bytes of blocks within strings
	VBROADCASTI128 blockSecond<>(SB), Y6
	VBROADCASTI128 blockDigit<>(SB), Y7
	VPXOR Y13, Y13, Y13                  // the greatest of what bytes are, twice
	VPCMPEQB X14, X14, X14
	CMPQ SI, CX
	JEQ last
	PCALIGN $64
loop:
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
block:
	MASK(Y8, AX)
	VPCMPEQB Y9, Y0, Y4
	VPCMPEQB Y9, Y1, Y5
	VPOR Y4, Y5, Y15
	VPMOVMSKB Y15, BX
	ORQ pending-8(SP), BX
	JNZ escaped
	TESTQ AX, AX
	JZ unquoted
mixed: // AX has the quotes
	STRINGS
	MOVQ AX, R11
	ANDQ R9, R11                         // opening quotes
	ORQ AX, R9
	VPSRLW $3, Y0, Y4
	VPSRLW $3, Y1, Y5
	VPSHUFB Y0, Y10, Y2
	VPSHUFB Y1, Y10, Y3
	VPAND each0F<>(SB), Y4, Y4
	VPAND each0F<>(SB), Y5, Y5
	VPSHUFB Y4, Y11, Y4
	VPSHUFB Y5, Y11, Y5
	VPAND Y4, Y2, Y2
	VPAND Y5, Y3, Y3
	VPADDB Y2, Y2, Y4
	VPADDB Y3, Y3, Y5
	VPMAXUB Y4, Y13, Y13
	VPMAXUB Y5, Y13, Y13
	VPADDB eachF0<>(SB), Y4, Y15
	VPMOVMSKB Y15, R13
	VPADDB eachF0<>(SB), Y5, Y15
	VPMOVMSKB Y15, R15
	SHLQ $32, R15
	ORQ R15, R13                         // neither white space nor tokens but for scalars
	LOOKUP(Y6, AX)
	MOVQ AX, 16(DI)
	ANDNQ AX, R13, CX
	VPADDB Y4, Y4, Y15
	VPMOVMSKB Y15, BP
	VPADDB Y5, Y5, Y15
	VPMOVMSKB Y15, R15
	SHLQ $32, R15
	ORQ R15, BP                          // brackets
	MOVQ CX, AX
	ORQ BP, AX
	BITS(Y2, Y3, BX)
	ANDNQ BX, R13, BX
	ANDNQ BX, AX, R15
	ANDQ R9, R15
	ORQ R15, R12                         // white space but for spaces in strings
	ORQ R11, BX
	MOVQ R13, R15
	ORQ AX, R15
	ORQ R9, R15
	NOTQ R15
	MOVQ R15, scalarWord_spaces(DI)
	ANDNQ R13, R9, R13
	ORQ R13, any-32(SP)
	TOKENS
	COUNT
	JGT many
	EMIT(BX, tokenBits_third)
	EMIT(CX, tokenBits_second)
	EMIT(BP, tokenBits_bracket)
emitted:
	ADVANCE
	VPSHUFB Y4, Y7, Y4
	VPSHUFB Y5, Y7, Y5
	STORE(Y4, Y5, 8)                     // digits
	CMPQ full-24(SP), $0
	JNE numbers
next:
	ADDQ $64, SI
	ADDQ $64, DI
	CMPQ SI, last-16(SP)
	JCS loop
step:
	JEQ last
	MOVQ st+24(FP), R9
	SUBQ tokens+32(FP), DX
	LEAQ (R8)(DX*8), R8
	VPMINUB each1F<>(SB), Y12, Y0
	VPCMPEQB Y0, Y12, Y0                 // control characters
	VPSUBUSB each80<>(SB), Y13, Y13
	VPOR Y0, Y13, Y13
	VPTEST Y13, Y13
	SETNE AX
	ORB AX, R12
	MOVQ any-32(SP), AX
	MOVQ R8, grammarState_count(R9)
	MOVQ AX, grammarState_any(R9)
	MOVQ R10, grammarState_inside(R9)
	MOVQ R12, grammarState_bad(R9)
	MOVQ R14, grammarState_scalar(R9)
	MOVQ full-24(SP), AX
	XORQ $3, AX
	MOVQ AX, grammarState_left(R9)
	VZEROUPPER
	RET
numbers: // that are more than digits
	VPCMPEQB eachMinus<>(SB), Y0, Y4
	VPCMPEQB eachMinus<>(SB), Y1, Y5
	VPCMPEQB eachDot<>(SB), Y0, Y2
	VPCMPEQB eachDot<>(SB), Y1, Y3
	STORE(Y4, Y5, 48)
	STORE(Y2, Y3, 24)
	JMP next
many:
	EMIT_MANY(BX, tokenBits_third)
	EMIT_MANY(CX, tokenBits_second)
	EMIT_MANY(BP, tokenBits_bracket)
	JMP emitted
unquoted: // the whole block may be of a string
	TESTQ R10, R10
	JZ mixed
	VBROADCASTI128 blockEnds<>(SB), Y4
	PCALIGN $32
within:
	WITHIN
	ADDQ $64, SI
	ADDQ $64, DI
	CMPQ SI, last-16(SP)
	JCC step
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	VPSHUFB Y0, Y4, Y2
	VPSHUFB Y1, Y4, Y3
	VPCMPEQB Y2, Y0, Y2
	VPCMPEQB Y3, Y1, Y3
	VPOR Y2, Y3, Y2
	VPMOVMSKB Y2, BX
	TESTL BX, BX
	JZ within
	JMP block
last: // of which tail bytes are there
	MOVQ tail+16(FP), BX
	CMPQ BX, $64
	JEQ loop
	TESTQ BX, BX
	JEQ crossing // no byte of the page need be there
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
	LEAQ end-96(SP), R9
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
	MOVQ $0, last-16(SP)
	JMP around
escaped: // Y4 and Y5 have the backslashes
	BITS(Y4, Y5, BX)
	MOVQ st+24(FP), R9
	MOVQ grammarState_escaped(R9), R11
	MOVQ BX, BP
	SHRQ $63, BP
	LEAQ (R11)(BX*2), R11
	TESTQ BX, R11
	JNZ runs
each:
	MOVQ BP, grammarState_escaped(R9)
	ANDNQ AX, R11, AX
	// What they escape.
	VPSRLW $4, Y0, Y2
	VPSRLW $4, Y1, Y3
	VBROADCASTI128 escapeLower<>(SB), Y15
	VPAND each0F<>(SB), Y2, Y2
	VPAND each0F<>(SB), Y3, Y3
	VPSHUFB Y0, Y15, Y4
	VPSHUFB Y1, Y15, Y5
	VBROADCASTI128 escapeUpper<>(SB), Y15
	VPSHUFB Y2, Y15, Y2
	VPSHUFB Y3, Y15, Y3
	VPAND Y2, Y4, Y4
	VPAND Y3, Y5, Y5
	BITS(Y4, Y5, BX)
	ANDQ R11, BX
	CMPQ BX, R11
	JEQ hexadecimal
	VPAND each9E<>(SB), Y4, Y2
	VPAND each9E<>(SB), Y5, Y3
	VPXOR X15, X15, X15
	VPCMPEQB Y15, Y2, Y2
	VPCMPEQB Y15, Y3, Y3
	BITS(Y2, Y3, R13)
	ANDQ R11, R13
	ORQ R13, R12
	MOVQ BP, pending-8(SP)
	MOVQ grammarState_hex(R9), R11
	ORQ BX, R11
	JZ digits
hexadecimal:
	DIGITS
	ORQ grammarState_hex(R9), R13
	MOVQ R11, grammarState_hex(R9)
	ORQ BP, R11
	MOVQ R11, pending-8(SP)
	VPCMPGTB each1F<>(SB), Y4, Y4
	VPCMPGTB each1F<>(SB), Y5, Y5
	BITS(Y4, Y5, BX)
	ANDNQ R13, BX, BX
	ORQ BX, R12
digits: // are right
	TESTQ AX, AX
	JNZ mixed
	TESTQ R10, R10
	JZ mixed
	WITHIN
	JMP next
runs: // of backslashes
	MOVQ grammarState_escaped(R9), R11
	ESCAPED
	MOVQ R15, BP
	MOVQ st+24(FP), R9
	JMP each

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
