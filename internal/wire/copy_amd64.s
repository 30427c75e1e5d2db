//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "utf8_amd64.h"

// What a JSON string may not hold as it is. Indexed by EscapeHTML: a table by the low half of a byte (0 equals its
// entry and is of the class, as a control character), then one byte more that the table has no room for, and the
// byte before which all are control characters.
DATA attention<>+0(SB)/8, $0x0000000000220000
DATA attention<>+8(SB)/8, $0x0000005c00000000
DATA attention<>+16(SB)/8, $0x2022
DATA attention<>+24(SB)/8, $0
DATA attention<>+32(SB)/8, $0x0026000000220000
DATA attention<>+40(SB)/8, $0x003e005c00000000
DATA attention<>+48(SB)/8, $0x203c
DATA attention<>+56(SB)/8, $0
GLOBL attention<>(SB), RODATA|NOPTR, $64

// FORMS sets forms to the table of how: how the bytes that are escaped are written.
#define FORMS(forms, spoiled) \
	MOVL how+32(FP), forms; \
	ANDL $const_EscapeHTML, forms; \
	SHLL $10, forms; \
	LEAQ ·stringForms(SB), spoiled; \
	ADDQ spoiled, forms

// ROOM jumps to no unless a block may be escaped at DX: there must be room for each of 64 bytes to be six long and for
// 128 bytes after the rest of src, and reads of width bytes behind a byte of the block must not leave its page
// where src ends. end is where the room ends. It spoils R13.
#define ROOM(width, end, no) \
	LEAQ 448(DI)(CX*1), R13; \
	CMPQ R13, end; \
	JHI no; \
	LEAQ (2*width)(DX), R13; \
	CMPQ R13, CX; \
	JLE 5(PC); \
	LEAQ (SI)(DX*1), R13; \
	ANDL $4095, R13; \
	CMPL R13, $(4096-2*width); \
	JHI no

// ESCAPE is for the byte at the lowest bit of AX: its escape is stored over it and the bytes behind it once more behind
// that, so that no branch depends on where the escapes are, but on how many. It spoils R8, R13 and the vector.
#define ESCAPE(forms, load, vector) \
	TZCNTQ AX, R8; \
	ADDQ DX, R8; \
	MOVBLZX (SI)(R8*1), R13; \
	MOVQ (forms)(R13*8), R13; \
	load 1(SI)(R8*1), vector; \
	MOVQ R13, (DI)(R8*1); \
	SHRQ $56, R13; \
	LEAQ -1(DI)(R13*1), DI; \
	load vector, 1(DI)(R8*1); \
	BLSRQ AX, AX

// func copyBlocks(dst *byte, room int, src string, how int) (n, wrote int)
TEXT ·copyBlocks(SB), NOSPLIT, $0-56
	CMPQ ·level(SB), $const_levelAVX512
	JEQ wide
	JMP ·copyPlainAVX2(SB)
wide:
	JMP ·copyPlainAVX512(SB)

// func copyPlainAVX512(dst *byte, room int, src string, how int) (n, wrote int)
TEXT ·copyPlainAVX512(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI                   // where byte 0 would stand if nothing before were longer than in src
	MOVQ room+8(FP), R14
	MOVQ src_base+16(FP), SI
	MOVQ src_len+24(FP), CX
	MOVQ how+32(FP), BX
	ADDQ DI, R14                         // end of the room
	LEAQ attention<>(SB), R11
	MOVQ BX, R12
	ANDL $const_EscapeHTML, BX
	SHRQ $1, R12
	SHLQ $5, BX
	DECQ R12                             // zero where what is not ASCII is trusted
	VBROADCASTI32X4 (R11)(BX*1), Z20
	VPBROADCASTB 16(R11)(BX*1), Z21
	VPBROADCASTB 17(R11)(BX*1), Z18
	VPXORQ Z30, Z30, Z30                 // block before
	KXNORQ K7, K7, K7                    // bytes of the block that are there
	XORL DX, DX                          // bytes done
	XORL R9, R9                          // not zero: the block before is not all ASCII
	XORL R10, R10                        // not zero: UTF8_INIT512 is done
loop:
	MOVQ CX, BX
	SUBQ DX, BX
	CMPQ BX, $64
	JLT partial
	VMOVDQU64 (SI)(DX*1), Z0
	VMOVDQU64 Z0, (DI)(DX*1)
block:
	VPSHUFB Z0, Z20, Z1
	VPCMPEQB Z21, Z0, K7, K2
	VPCMPUB $1, Z18, Z0, K7, K3
	VPCMPEQB Z1, Z0, K7, K1
	VPMOVB2M Z0, K4
	KORQ K2, K3, K2
	KMOVQ K4, R8
	KORQ K1, K2, K1
	ANDQ R12, R8
	KMOVQ K1, AX
	ORQ R8, R9
	JNZ high
	TESTQ AX, AX
	JNZ found
next:
	VMOVDQA64 Z0, Z30
	ADDQ $64, DX
	CMPQ DX, CX
	JLT loop
	MOVQ CX, DX
	JMP end
partial:
	TESTQ BX, BX
	JZ none
	MOVQ $-1, AX
	BZHIQ BX, AX, AX
	KMOVQ AX, K7
	VMOVDQU8.Z (SI)(DX*1), K7, Z0
	VMOVDQU8 Z0, K7, (DI)(DX*1)
	JMP block
none:
	MOVQ CX, DX
	JMP end
found:
	ROOM(64, R14, full)
	FORMS(R11, BX)
each:
	ESCAPE(R11, VMOVDQU64, Z1)
	JNZ each
	JMP next
full:
	TZCNTQ AX, AX
	ADDQ AX, DX
end:
	MOVQ DX, n+40(FP)
	SUBQ dst+0(FP), DI
	ADDQ DI, DX
	MOVQ DX, wrote+48(FP)
	VZEROUPPER
	RET
high:
	TESTQ R10, R10
	JNZ check
	MOVQ AX, R10
	UTF8_INIT512
	MOVL $0x82, AX
	VPBROADCASTB AX, Z16                 // E2 less 60: the first byte of U+2028 as Z7 has it
	MOVL $0xa9, AX
	VPBROADCASTB AX, Z17
	MOVL $1, AX
	VPBROADCASTB AX, Z19
	MOVQ R10, AX
	MOVL $1, R10
check:
	UTF8_CHECK512
	VPORQ Z19, Z0, Z10
	VPTESTMB Z9, Z9, K5
	VPCMPEQB Z16, Z7, K2
	VPCMPEQB Z23, Z6, K2, K2
	VPCMPEQB Z17, Z10, K2, K2            // third bytes of U+2028 and U+2029
	MOVQ R8, R9
	KORTESTQ K2, K5
	JNZ stop
	TESTQ AX, AX
	JZ next
	JMP found
stop:
	// The first of: a byte to escape, U+2028 or U+2029 (two before its third byte), an error, where the block
	// is left whole. An error shows at the latest where the character would have gone on, so nothing before
	// the first byte to escape is wrong when no error stands up to there.
	TZCNTQ AX, AX
	KMOVQ K2, R12
	MOVQ $1000, R13
	BSFQ R12, BX
	CMOVQEQ R13, BX
	SUBQ $2, BX
	CMPQ BX, AX
	CMOVQLT BX, AX
	KMOVQ K5, R12
	BSFQ R12, BX
	CMOVQEQ R13, BX
	XORL R13, R13
	CMPQ BX, AX
	CMOVQLE R13, AX
	ADDQ AX, DX
	JMP end

// The same as bits that the halves of a byte have in common: 1 for control characters, 2 for '"' and '&', 4 for
// '<' and '>', 8 for '\\'. Above them are first bytes that do not go with every second byte or that U+2028 begins with: 10
// for C0 and C1, 20 for E0, E2 and ED, 40 for F0 on. lowers is indexed by html and the lower half of a byte, uppers by
// the upper one.
DATA lowers<>+0(SB)/8, $0x4141414141635171
DATA lowers<>+8(SB)/8, $0x4141614941414141
DATA lowers<>+16(SB)/8, $0x4143414141635171
DATA lowers<>+24(SB)/8, $0x4145614d41414141
GLOBL lowers<>(SB), RODATA|NOPTR, $32
DATA uppers<>+0(SB)/8, $0x0000080004020101
DATA uppers<>+8(SB)/8, $0x4020001000000000
GLOBL uppers<>(SB), RODATA|NOPTR, $16

DATA eachE2<>+0(SB)/8, $0xe2e2e2e2e2e2e2e2
DATA eachE2<>+8(SB)/8, $0xe2e2e2e2e2e2e2e2
DATA eachE2<>+16(SB)/8, $0xe2e2e2e2e2e2e2e2
DATA eachE2<>+24(SB)/8, $0xe2e2e2e2e2e2e2e2
GLOBL eachE2<>(SB), RODATA|NOPTR, $32
DATA eachA9<>+0(SB)/8, $0xa9a9a9a9a9a9a9a9
DATA eachA9<>+8(SB)/8, $0xa9a9a9a9a9a9a9a9
DATA eachA9<>+16(SB)/8, $0xa9a9a9a9a9a9a9a9
DATA eachA9<>+24(SB)/8, $0xa9a9a9a9a9a9a9a9
GLOBL eachA9<>(SB), RODATA|NOPTR, $32
DATA each01<>+0(SB)/8, $0x0101010101010101
DATA each01<>+8(SB)/8, $0x0101010101010101
DATA each01<>+16(SB)/8, $0x0101010101010101
DATA each01<>+24(SB)/8, $0x0101010101010101
GLOBL each01<>(SB), RODATA|NOPTR, $32

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
DATA each20<>+0(SB)/8, $0x2020202020202020
DATA each20<>+8(SB)/8, $0x2020202020202020
DATA each20<>+16(SB)/8, $0x2020202020202020
DATA each20<>+24(SB)/8, $0x2020202020202020
GLOBL each20<>(SB), RODATA|NOPTR, $32

// Loaded at 16-n it moves the last n bytes of 16 to the front.
DATA bytes_up<>+0(SB)/8, $0x0706050403020100
DATA bytes_up<>+8(SB)/8, $0x0f0e0d0c0b0a0908
DATA bytes_up<>+16(SB)/8, $0x8080808080808080
DATA bytes_up<>+24(SB)/8, $0x8080808080808080
GLOBL bytes_up<>(SB), RODATA|NOPTR, $32

// CHECK_PLAIN256 adds to Y15 the errors of the 32 bytes cur, of which halves has the upper halves, and what may be of
// U+2028 or U+2029: Y3, Y5 and Y6 have the bytes one, two and three places before. It spoils Y2-Y7.
#define CHECK_PLAIN256(cur, halves) \
	UTF8_TABLES256(halves); \
	VPCMPEQB each80<>(SB), Y3, Y3; \
	VPOR each01<>(SB), cur, Y7; \
	VPCMPEQB eachA9<>(SB), Y7, Y7; \
	VPAND Y3, Y7, Y7; \
	VPOR Y7, Y15, Y15; \
	UTF8_OTHERS256(Y15)

// CHECK_PLAIN_PAIR sets Y15 to what CHECK_PLAIN256 finds in the 64 bytes Y0 and Y1, which stand at at with those before
// them. Y10 has half_low, Y11 and Y12 their upper halves, Y13 half_most. It spoils Y2-Y7, Y11 and Y12.
#define CHECK_PLAIN_PAIR(at) \
	VMOVDQU -1(at), Y3; \
	VMOVDQU 31(at), Y4; \
	VBROADCASTI128 first_hi<>(SB), Y2; \
	VPSRLW $4, Y3, Y5; \
	VPSRLW $4, Y4, Y6; \
	VPAND Y10, Y5, Y5; \
	VPAND Y10, Y6, Y6; \
	VPSHUFB Y5, Y2, Y5; \
	VPSHUFB Y6, Y2, Y6; \
	VBROADCASTI128 first_lo<>(SB), Y2; \
	VPAND Y10, Y3, Y7; \
	VPAND Y10, Y4, Y15; \
	VPSHUFB Y7, Y2, Y7; \
	VPSHUFB Y15, Y2, Y15; \
	VPAND Y7, Y5, Y5; \
	VPAND Y15, Y6, Y6; \
	VBROADCASTI128 second_hi<>(SB), Y2; \
	VPSHUFB Y11, Y2, Y11; \
	VPSHUFB Y12, Y2, Y12; \
	VPAND Y11, Y5, Y5; \
	VPAND Y12, Y6, Y6; \
	VPCMPEQB each80<>(SB), Y3, Y3; \
	VPCMPEQB each80<>(SB), Y4, Y4; \
	VPOR each01<>(SB), Y0, Y7; \
	VPOR each01<>(SB), Y1, Y2; \
	VPCMPEQB eachA9<>(SB), Y7, Y7; \
	VPCMPEQB eachA9<>(SB), Y2, Y2; \
	VPAND Y3, Y7, Y7; \
	VPAND Y4, Y2, Y2; \
	VPOR Y7, Y2, Y15; \
	VPAVGB -2(at), Y13, Y3; \
	VPAVGB -3(at), Y10, Y4; \
	VPAVGB 30(at), Y13, Y2; \
	VPAVGB 29(at), Y10, Y7; \
	VPOR Y3, Y4, Y3; \
	VPOR Y2, Y7, Y2; \
	VPAND each80<>(SB), Y3, Y3; \
	VPAND each80<>(SB), Y2, Y2; \
	VPXOR Y3, Y5, Y5; \
	VPXOR Y2, Y6, Y6; \
	VPOR Y5, Y15, Y15; \
	VPOR Y6, Y15, Y15

// BITS64 sets D to the highest bits of the bytes of A and B. It spoils R11.
#define BITS64(A, B, D) \
	VPMOVMSKB A, D; \
	VPMOVMSKB B, R11; \
	SHLQ $32, R11; \
	ORQ R11, D

// func copyPlainAVX2(dst *byte, room int, src string, how int) (n, wrote int)
TEXT ·copyPlainAVX2(SB), NOSPLIT, $8-56
	MOVQ dst+0(FP), DI                   // as in copyPlainAVX512
	MOVQ room+8(FP), R14
	MOVQ src_base+16(FP), SI
	MOVQ src_len+24(FP), CX
	MOVQ how+32(FP), BX
	ADDQ DI, R14
	LEAQ lowers<>(SB), R11
	MOVL BX, R15
	ANDL $const_EscapeHTML, BX
	SHRL $1, R15
	SHLQ $4, BX
	DECL R15                             // zero where what is not ASCII is trusted
	VBROADCASTI128 (R11)(BX*1), Y8
	VBROADCASTI128 uppers<>(SB), Y9
	VMOVDQU half_low<>(SB), Y10
	VPXOR Y14, Y14, Y14                  // 32 bytes before
	XORL DX, DX                          // bytes done
	XORL R9, R9                          // not zero: a character may be unfinished before
	XORL BP, BP                          // the first bytes that go on a character, below 0 if not known
	MOVQ $-1, R10                        // bits of the bytes that are there
	CMPQ CX, $16
	JLT end
pair:
	LEAQ 64(DX), BX
	CMPQ BX, CX
	JGT tail
	VMOVDQU (SI)(DX*1), Y0
	VMOVDQU 32(SI)(DX*1), Y1
	VMOVDQU Y0, (DI)(DX*1)
	VMOVDQU Y1, 32(DI)(DX*1)
both:
	VPSRLW $4, Y0, Y11
	VPSRLW $4, Y1, Y12
	VPAND Y10, Y11, Y11
	VPAND Y10, Y12, Y12
	VPAND Y10, Y0, Y2
	VPAND Y10, Y1, Y3
	VPSHUFB Y2, Y8, Y2
	VPSHUFB Y3, Y8, Y3
	VPSHUFB Y11, Y9, Y4
	VPSHUFB Y12, Y9, Y5
	VPAND Y4, Y2, Y2
	VPAND Y5, Y3, Y3
	VPOR Y0, Y1, Y4
	VPOR Y2, Y3, Y2
	VPMOVMSKB Y4, R8
	ANDL R15, R8
	VPTEST Y2, Y2
	JNZ special
	ORL R8, R9
	JNZ highPair
nextPair:
	VMOVDQA Y1, Y14
	MOVQ BX, DX
	CMPQ BX, CX
	JLT pair
	MOVQ CX, DX
	JMP end
tail:
	// Less than 64 bytes are left. They are copied with bytes before them, or in two parts that overlap.
	CMPQ DI, dst+0(FP)
	JNE moved
	LEAQ (SI)(CX*1), R12
	LEAQ (DI)(CX*1), R13
	CMPQ CX, $32
	JLT short
	XORL R11, R11
	CMPQ CX, $64
	JLT start
	LEAQ -64(CX), R11
start:
	VMOVDQU (SI)(R11*1), Y0
	VMOVDQU -32(R12), Y1
	VMOVDQU Y0, (DI)(R11*1)
	VMOVDQU Y1, -32(R13)
	TESTQ BP, BP
	JNS copied
	CMPQ R11, $3
	JLT copied
	MOVQ CX, BX                          // some of them once more
	JMP both
short:
	VMOVDQU (SI), X0
	VMOVDQU -16(R12), X1
	VMOVDQU X0, (DI)
	VMOVDQU X1, -16(R13)
copied:
	// They are loaded with what comes after them, where that is of the same page, and of it spaces are made.
	LEAQ (SI)(DX*1), R12
	MOVL R12, R11
	ANDL $4095, R11
	CMPL R11, $4032
	JGT loop
	LEAQ ones_zeros<>+64(SB), R13
	SUBQ CX, R13
	ADDQ DX, R13
	VMOVDQU each20<>(SB), Y2
	VMOVDQU (R13), Y0
	VMOVDQU 32(R13), Y1
	VPBLENDVB Y0, (R12), Y2, Y0
	VPBLENDVB Y1, 32(R12), Y2, Y1
	JMP both
moved:
	// Bytes before them stand elsewhere, but there is room behind them.
	LEAQ (SI)(DX*1), R12
	MOVL R12, R11
	ANDL $4095, R11
	CMPL R11, $4032
	JGT end
	VMOVDQU (R12), Y0
	VMOVDQU 32(R12), Y1
	VMOVDQU Y0, (DI)(DX*1)
	VMOVDQU Y1, 32(DI)(DX*1)
	JMP copied
highPair:
	// All first bytes are of two bytes or three and go with every second byte: there need only be so many
	// continuation bytes after each.
	TESTQ BP, BP
	JS exact
	VPADDB Y0, Y0, Y4
	VPADDB Y1, Y1, Y5
	BITS64(Y0, Y1, R8)                   // not ASCII
	BITS64(Y4, Y5, R12)
	VPADDB Y4, Y4, Y4
	VPADDB Y5, Y5, Y5
	BITS64(Y4, Y5, R13)
	ANDQ R8, R12                         // first bytes
	ANDQ R12, R13                        // of three
	ANDNQ R8, R12, R8
	LEAQ (BP)(R12*2), BP
	LEAQ (BP)(R13*4), BP                 // the lowest byte that two ask for is a first one
	CMPQ BP, R8
	JNE exact
	SHRQ $63, R12
	SHRQ $62, R13
	LEAQ (R12)(R13*1), BP
	MOVQ BP, R9
	JMP nextPair
special:
	VPTEST Y10, Y2
	JNZ loop                             // which finds out where
	ORL R8, R9
	JZ nextPair
exact:
	CMPQ BX, CX
	JGT apart
	LEAQ -64(SI)(BX*1), R12
	CMPQ BX, $64
	JEQ first
behind: // what makes them right or wrong
	VPBROADCASTD half_most<>(SB), Y13
	CHECK_PLAIN_PAIR(R12)
checked:
	VPTEST Y15, Y15
	JNZ loop
	VPSUBUSB complete<>+32(SB), Y1, Y2
	XORL R9, R9
	VPTEST Y2, Y2
	SETNE R9
	MOVQ R9, BP
	NEGQ BP
	JMP nextPair
first:
	// What is in memory before src makes nothing right where a character begins with src, and is of the same page.
	CMPB (SI), $-64
	JLT apart
	MOVL SI, R13
	ANDL $4095, R13
	CMPL R13, $3
	JGE behind
apart: // what is in memory before or behind them is not theirs
	VPXOR Y15, Y15, Y15
	VPERM2I128 $0x21, Y0, Y14, Y2
	VPALIGNR $15, Y2, Y0, Y3
	VPALIGNR $14, Y2, Y0, Y5
	VPALIGNR $13, Y2, Y0, Y6
	CHECK_PLAIN256(Y0, Y11)
	VPERM2I128 $0x21, Y1, Y0, Y2
	VPALIGNR $15, Y2, Y1, Y3
	VPALIGNR $14, Y2, Y1, Y5
	VPALIGNR $13, Y2, Y1, Y6
	CHECK_PLAIN256(Y1, Y12)
	JMP checked
loop:
	LEAQ 32(DX), BX
	CMPQ BX, CX
	JGT partial
	VMOVDQU (SI)(DX*1), Y0
	VMOVDQU Y0, (DI)(DX*1)
block:
	VPSRLW $4, Y0, Y3
	VPAND Y10, Y3, Y3
	VPSHUFB Y0, Y8, Y2
	VPSHUFB Y3, Y9, Y3
	VPXOR Y4, Y4, Y4
	VPAND Y2, Y3, Y2
	VPCMPEQB Y2, Y4, Y2
	VPMOVMSKB Y2, AX
	VPMOVMSKB Y0, R8
	NOTL AX
	ANDL R10, AX
	ANDL R15, R8
	ORL R8, R9
	JNZ high
	TESTL AX, AX
	JNZ found
next:
	VMOVDQA Y0, Y14
	MOVQ BX, DX
	CMPQ BX, CX
	JLT pair
	MOVQ CX, DX
	JMP end
found:
	ROOM(32, R14, full)
	FORMS(R11, R12)
each:
	ESCAPE(R11, VMOVDQU, Y1)
	JNZ each
	JMP next
full:
	TZCNTL AX, AX
	ADDQ AX, DX
end:
	MOVQ DX, n+40(FP)
	SUBQ dst+0(FP), DI
	ADDQ DI, DX
	MOVQ DX, wrote+48(FP)
	VZEROUPPER
	RET
partial:
	// Less than 32 bytes are left, which have been copied.
	MOVQ CX, R11
	SUBQ DX, R11
	MOVQ $-1, R10
	BZHIQ R11, R10, R10
	LEAQ ones_zeros<>+64(SB), R13
	SUBQ R11, R13
	LEAQ (SI)(DX*1), R12
	ANDL $4095, R12
	CMPL R12, $4064
	JGT crossing
	VMOVDQU (SI)(DX*1), Y0
cut:
	VPAND (R13), Y0, Y0
	JMP block
crossing:
	// Of two halves that overlap, and below 16 bytes from a whole that ends with them.
	VMOVDQU -16(SI)(CX*1), X0
	CMPQ R11, $16
	JGE halves
	LEAQ bytes_up<>+16(SB), R12
	SUBQ R11, R12
	VPSHUFB (R12), X0, X0
	JMP cut
halves:
	LEAQ bytes_up<>+32(SB), R12
	SUBQ R11, R12
	VPSHUFB (R12), X0, X0
	VMOVDQU (SI)(DX*1), X1
	VINSERTI128 $1, X0, Y1, Y0
	JMP cut
high:
	VPXOR Y15, Y15, Y15
	UTF8_CHECK256(Y14, Y0, Y15)
	VPERM2I128 $0x21, Y0, Y14, Y2
	VPALIGNR $14, Y2, Y0, Y4
	VPOR each01<>(SB), Y0, Y5
	VPCMPEQB eachE2<>(SB), Y4, Y4
	VPCMPEQB each80<>(SB), Y3, Y3
	VPCMPEQB eachA9<>(SB), Y5, Y5
	VPAND Y4, Y3, Y3
	VPAND Y5, Y3, Y3
	VPMOVMSKB Y3, R12                    // third bytes of U+2028 and U+2029
	MOVL R8, R9
	MOVQ $-1, BP
	VPTEST Y15, Y15
	JNZ stop
	TESTL R12, R12
	JNZ stop
	TESTL AX, AX
	JZ next
	JMP found
stop:
	// As in copyPlainAVX512.
	VPXOR Y3, Y3, Y3
	VPCMPEQB Y3, Y15, Y15
	VPMOVMSKB Y15, R11
	NOTL R11                             // errors
	MOVQ $1000, R13
	BSFL AX, AX
	CMOVQEQ R13, AX
	BSFL R12, BX
	CMOVQEQ R13, BX
	SUBQ $2, BX
	CMPQ BX, AX
	CMOVQLT BX, AX
	BSFL R11, BX
	CMOVQEQ R13, BX
	XORL R13, R13
	CMPQ BX, AX
	CMOVQLE R13, AX
	ADDQ AX, DX
	JMP end
