//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Indexed by EscapeHTML: what a string may not hold as it is, but for control characters, by the low half of a byte; two
// bytes more; the greatest control character; less '0', and 9. All that a call loads is in one cache line.
DATA verbatimBytes<>+0(SB)/8, $0x0000000000220000
DATA verbatimBytes<>+8(SB)/8, $0x0000005c00000000
DATA verbatimBytes<>+16(SB)/8, $0x09d01f2222
DATA verbatimBytes<>+24(SB)/8, $0
DATA verbatimBytes<>+32(SB)/8, $0x0026000000220000
DATA verbatimBytes<>+40(SB)/8, $0x003e005c00000000
DATA verbatimBytes<>+48(SB)/8, $0x09d01fe23c
DATA verbatimBytes<>+56(SB)/8, $0
GLOBL verbatimBytes<>(SB), RODATA|NOPTR, $64

// CLASSES sets the bits in hits of the 32 bytes at from that a string may not hold as they are, and in others of those
// that are not digits.
#define CLASSES(from, hits, others) \
	VMOVDQU from, Y1; \
	VPADDB Y1, Y12, Y6; \
	VPSHUFB Y1, Y8, Y2; \
	VPMINUB Y13, Y6, Y7; \
	VPCMPEQB Y1, Y2, Y2; \
	VPCMPEQB Y1, Y9, Y3; \
	VPMINUB Y1, Y11, Y4; \
	VPCMPEQB Y1, Y10, Y5; \
	VPCMPEQB Y1, Y4, Y4; \
	VPCMPEQB Y6, Y7, Y7; \
	VPOR Y2, Y3, Y3; \
	VPOR Y4, Y5, Y5; \
	VPMOVMSKB Y7, others; \
	VPOR Y3, Y5, Y5; \
	VPMOVMSKB Y5, hits

// func verbatim(src *byte, n int, how int) bool
TEXT ·verbatim(SB), NOSPLIT, $0-25
	MOVQ src+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ how+16(FP), AX
	ADDQ SI, CX                          // the end
	LEAQ -1(CX), DX
	ANDL $4095, DX
	CMPL DX, $4031
	JHI no                               // 64 bytes behind it may be no memory
	ANDL $const_EscapeHTML, AX
	SHLL $5, AX
	LEAQ verbatimBytes<>(SB), BX
	ADDQ AX, BX
	VBROADCASTI128 (BX), Y8
	VPBROADCASTB 16(BX), Y9
	VPBROADCASTB 17(BX), Y10
	VPBROADCASTB 18(BX), Y11
	VPBROADCASTB 19(BX), Y12
	VPBROADCASTB 20(BX), Y13
	MOVL $1, R10                         // a bit for what is open, the innermost lowest: 1 for an object
	XORL R11, R11                        // 1 in a name
	XORL R15, R15                        // 1 in a number, 2 in its fraction
	LEAQ -64(SI), R12                    // where the 64 bytes begin of which R13 and R14 tell
value:
	CMPQ SI, CX
	JAE no
	MOVBLZX (SI), AX
	CMPL AX, $'"'
	JEQ text
	CMPL AX, $'9'
	JLS number
	MOVL AX, DX
	ORL $0x20, DX
	CMPL DX, $'{'
	JEQ open
	MOVL (SI), AX
	CMPL AX, $0x65757274                 // true
	JEQ literal
	CMPL AX, $0x6c6c756e                 // null
	JEQ literal
	CMPL AX, $0x736c6166                 // fals
	JNE no
	INCQ SI
	CMPB 3(SI), $'e'
	JNE no
literal:
	ADDQ $4, SI
after:
	CMPQ SI, CX
	JAE no
	MOVBLZX (SI), AX
	INCQ SI
	CMPL AX, $','
	JNE close
next:
	TESTL $1, R10
	JZ value
	CMPB (SI), $'"'
	JNE no
	INCL R11
text: // behind the quote at SI
	INCQ SI
chunk:
	MOVQ SI, BX
	SUBQ R12, BX
	CMPQ BX, $64
	JAE classes
	SHRXQ BX, R13, DX
	TZCNTQ DX, DX
	JCS beyond
	LEAQ 1(SI)(DX*1), SI
	MOVBLZX -1(SI), AX
	CMPL AX, $'"'
	JNE separator
	TESTL R11, R11
	JZ after
	CMPB (SI), $':'
	JNE no
	INCQ SI
	DECL R11
	JMP value
beyond:
	LEAQ 64(R12), SI
classes:
	CMPQ SI, CX
	JAE no
	MOVQ SI, R12
	CLASSES((SI), R13, R14)
	CLASSES(32(SI), AX, DX)
	SHLQ $32, AX
	SHLQ $32, DX
	ORQ AX, R13
	ORQ DX, R14
	NOTQ R14
	TESTL R15, R15
	JZ chunk
digits:
	MOVQ SI, BX
	SUBQ R12, BX
	CMPQ BX, $64
	JAE classes
	SHRXQ BX, R14, DX
	TZCNTQ DX, DX
	JCS cut
	JEQ no
	MOVBLZX (SI), AX
	ADDQ DX, SI
	CMPL R15, $1
	JNE whole
	CMPL AX, $'0'
	JNE fraction
	CMPL DX, $1
	JNE no
fraction:
	CMPB (SI), $'.'
	JNE whole
	INCQ SI
	INCL R15
	JMP digits
whole:
	XORL R15, R15
	JMP after
cut: // where they end comes after the 64 bytes
	TESTQ BX, BX
	JNZ classes
	JMP no
separator: // U+2028 or U+2029
	CMPQ SI, CX
	JAE no
	CMPL AX, $0xe2
	JNE escape
	MOVWLZX (SI), AX
	ANDL $0xfeff, AX
	CMPL AX, $0xa880
	JNE chunk
no:
	XORL AX, AX
	JMP end
escape:
	CMPL AX, $'\\'
	JNE no
	MOVBLZX (SI), AX
	INCQ SI
	CMPL AX, $'u'
	JEQ hexadecimal
	MOVQ $0x0014404410000000, DX         // \ b f n r t
	CMPL AX, $64
	JAE letter
	MOVQ $0x0000800400000000, DX         // " /
letter:
	BTQ AX, DX
	JCC no
	CMPL AX, $127
	JLS chunk
	JMP no
hexadecimal:
	MOVL $4, BX
digit:
	MOVBLZX (SI), AX
	INCQ SI
	LEAL -'0'(AX), DX
	CMPL DX, $10
	JLO right
	ORL $0x20, AX
	SUBL $'a', AX
	CMPL AX, $6
	JAE no
right:
	DECL BX
	JNZ digit
	JMP chunk
open:
	BTRL $5, AX                          // of a brace
	SBBL DX, DX
	NEGL DX
	INCQ SI
	TESTQ R10, R10
	JLT no
	LEAQ (DX)(R10*2), R10
	SHLL $5, DX
	ADDL $']', DX
	MOVBLZX (SI), AX
	CMPL AX, DX
	JNE next
	INCQ SI
	JMP closed
close:
	MOVL R10, DX
	ANDL $1, DX
	SHLL $5, DX
	ADDL $']', DX
	CMPL AX, DX
	JNE no
closed:
	SHRQ $1, R10
	CMPQ R10, $1
	JNE after
	CMPQ SI, CX
	SETEQ AX
	JMP end
number:
	INCL R15
	CMPL AX, $'-'
	JNE digits
	INCQ SI
	JMP digits
end:
	MOVB AX, ret+24(FP)
	VZEROUPPER
	RET
