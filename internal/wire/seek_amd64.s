//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Indexed by the low half of a byte: the brace or backslash with that low half, else a byte of another one.
DATA seekBytes<>+0(SB)/8, $0x00000000000000ff
DATA seekBytes<>+8(SB)/8, $0x00007d5c7b000000
GLOBL seekBytes<>(SB), RODATA|NOPTR, $16
DATA seekQuote<>+0(SB)/4, $0x5c22
GLOBL seekQuote<>(SB), RODATA|NOPTR, $4

#define SEEK_BITS(A, B, D) \
	VPMOVMSKB A, D \
	VPMOVMSKB B, R15 \
	SHLQ $32, R15 \
	ORQ R15, D

// func seekBlocks(src *byte, blocks int, first byte, st *seekState) (at int)
TEXT ·seekBlocks(SB), NOSPLIT, $0-40
	MOVQ src+0(FP), SI
	MOVQ blocks+8(FP), CX
	MOVQ st+24(FP), DX
	VPBROADCASTB first+16(FP), Y12
	VPBROADCASTB seekQuote<>+0(SB), Y8
	VPBROADCASTB seekQuote<>+1(SB), Y9
	VBROADCASTI128 seekBytes<>(SB), Y10
	VPCMPEQB X14, X14, X14
	MOVQ seekState_quotes(DX), R10
	MOVQ seekState_escaped(DX), R12
	MOVQ seekState_depth(DX), R8
	VMOVQ R12, X13
loop:
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	VPCMPEQB Y0, Y8, Y2
	VPCMPEQB Y1, Y8, Y3
	VPSHUFB Y0, Y10, Y4
	VPSHUFB Y1, Y10, Y5
	VPCMPEQB Y0, Y4, Y4                  // braces and backslashes
	VPCMPEQB Y1, Y5, Y5
	VPCMPEQB 1(SI), Y12, Y6
	VPCMPEQB 33(SI), Y12, Y7
	VPAND Y2, Y6, Y6                     // quotes before the character
	VPAND Y3, Y7, Y7
	SEEK_BITS(Y2, Y3, AX)                // quotes
	VPOR Y4, Y5, Y2
	VPOR Y6, Y7, Y3
	VPOR Y2, Y3, Y2
	VPOR Y13, Y2, Y2
	VPTEST Y2, Y2
	JNZ special
	POPCNTQ AX, AX
	ADDQ AX, R10
next:
	ADDQ $64, SI
	DECQ CX
	JNZ loop
	MOVQ st+24(FP), DX
	MOVQ R10, seekState_quotes(DX)
	MOVQ R12, seekState_escaped(DX)
	MOVQ R8, seekState_depth(DX)
	MOVQ $const_SeekNone, AX
done:
	MOVQ AX, at+32(FP)
	VZEROUPPER
	RET
special:
	SEEK_BITS(Y4, Y5, BX)
	SEEK_BITS(Y6, Y7, DI)
	VPCMPEQB Y0, Y9, Y4
	VPCMPEQB Y1, Y9, Y5
	SEEK_BITS(Y4, Y5, R11)               // backslashes
	MOVQ R11, R13
	ORQ R12, R13
	JNZ escaped
unescaped:
	MOVQ R10, R13
	ANDQ $1, R13
	NEGQ R13
	VMOVQ AX, X4
	VPCLMULQDQ $0, X14, X4, X4
	VMOVQ X4, R15
	XORQ R13, R15                        // strings, without their closing quotes
	POPCNTQ AX, R13
	ADDQ R13, R10
	ANDNQ BX, R15, BX
	ANDQ R15, DI                         // opening quotes
	ORQ DI, BX
	JZ next
event: // the bytes at the places in BX, in their order
	TZCNTQ BX, R13
	BLSRQ BX, BX
	MOVBLZX (SI)(R13*1), AX
	CMPL AX, $0x7b
	JEQ open
	CMPL AX, $0x7d
	JEQ close
	TESTQ R8, R8
	JZ found
	TESTQ BX, BX
	JNZ event
	JMP next
open:
	INCQ R8
	TESTQ BX, BX
	JNZ event
	JMP next
close:
	DECQ R8
	JMI found
	TESTQ BX, BX
	JNZ event
	JMP next
found:
	LEAQ (SI)(R13*1), AX
	SUBQ src+0(FP), AX
	JMP done
escaped:
	BTQ $0, R11
	JCC sure
	BTQ $0, R10
	JCC sure
	CMPB -1(SI), $0x22                   // a string may begin before the block, with a backslash
	JEQ unsure
sure:
	MOVQ R11, R9
	SHRQ $1, R9
	// Bytes after a run of backslashes of odd length: see ODD of the grammar.
	ANDNQ R11, R12, R11
	LEAQ (R11)(R11*1), DX
	ANDNQ R11, DX, DX
	MOVQ $0x5555555555555555, R13
	MOVQ DX, R14
	ANDQ R13, R14
	XORQ R14, DX
	ADDQ R11, R14
	ANDNQ R14, R11, R14
	ANDNQ R14, R13, R14
	XORL R15, R15
	ADDQ R11, DX
	ADCQ $0, R15
	ANDNQ DX, R11, DX
	ANDQ DX, R13
	ORQ R14, R13
	ORQ R12, R13
	MOVQ R15, R12
	VMOVQ R12, X13
	ANDNQ AX, R13, AX                    // quotes
	ORQ R9, DI
	ANDQ AX, DI                          // that a name may begin with
	JMP unescaped
unsure:
	MOVQ $const_SeekUnsure, AX
	JMP done
