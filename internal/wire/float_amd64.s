//go:build !purego

#include "textflag.h"

// For the 64-bit lanes of VPMULUDQ: 2^40/10^4 rounded up, and 10^4.
DATA floatWords<>+0(SB)/8, $109951163
DATA floatWords<>+8(SB)/8, $109951163
DATA floatWords<>+16(SB)/8, $10000
DATA floatWords<>+24(SB)/8, $10000
// 2^19/100 rounded up and 100, in the low halves of 32-bit lanes.
DATA floatWords<>+32(SB)/8, $0x0000147b0000147b
DATA floatWords<>+40(SB)/8, $0x0000147b0000147b
DATA floatWords<>+48(SB)/8, $0x0000006400000064
DATA floatWords<>+56(SB)/8, $0x0000006400000064
// 2^16/10 rounded up, and 10·2^8-1, in 16-bit lanes.
DATA floatWords<>+64(SB)/8, $0x199a199a199a199a
DATA floatWords<>+72(SB)/8, $0x199a199a199a199a
DATA floatWords<>+80(SB)/8, $0x09ff09ff09ff09ff
DATA floatWords<>+88(SB)/8, $0x09ff09ff09ff09ff
DATA floatWords<>+96(SB)/8, $0x3030303030303030
DATA floatWords<>+104(SB)/8, $0x3030303030303030
// 2^67/10 and 2^90/10^8, rounded up.
DATA floatWords<>+112(SB)/8, $0xcccccccccccccccd
DATA floatWords<>+120(SB)/8, $0xabcc77118461cefd
GLOBL floatWords<>(SB), RODATA|NOPTR, $128

// From byte n on: what moves the bytes from n on to the front.
DATA floatShift<>+0(SB)/8, $0x0706050403020100
DATA floatShift<>+8(SB)/8, $0x0f0e0d0c0b0a0908
DATA floatShift<>+16(SB)/8, $0xffffffffffffffff
DATA floatShift<>+24(SB)/8, $0xffffffffffffffff
GLOBL floatShift<>(SB), RODATA|NOPTR, $32

// func setFloats(dst *byte, src *float64, n, group, pos int) (wrote, done int)
//
// The way is that of the function shortest, and so are the names of values: of 17 digits, with those that are zero at
// the end, X0 gets 16 as text and R8 the last.
TEXT ·setFloats(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ pos+32(FP), R9
	LEAQ (SI)(CX*8), CX
	MOVQ CX, n+16(FP)                    // where the numbers end
loop:
	MOVQ DI, wrote+40(FP)
	MOVQ (SI), AX
	MOVQ AX, BX
	SHRQ $52, BX
	ANDL $0x7ff, BX
	MOVL $1075, R8
	SUBL BX, R8                          // -q
	MOVL $52, CX
	BZHIQ CX, AX, CX
	LEAL -1(R8), BX
	CMPL BX, $71
	JAE done
	BZHIQ R8, CX, BX
	JEQ done                             // an integer or a power of two
	BTSQ $52, CX                         // c
	CMPQ R9, group+24(FP)
	JEQ next
	MOVB $',', (DI)
	INCQ DI
number:
	INCQ R9
	MOVB $'-', (DI)
	SHRQ $63, AX
	ADDQ AX, DI

	IMUL3Q $1262611, R8, R10
	SHRQ $22, R10                        // -k-1
	IMUL3Q $1741647, R10, BX
	ADDQ $2265935, BX                    // 1741647 + 2^19
	SHRQ $19, BX
	SUBQ R8, BX                          // h
	SHLXQ BX, CX, DX                     // c1
	LEAQ ·pow10Table+5488(SB), AX        // 10^1
	LEAQ (R10)(R10*1), R11
	MOVQ (AX)(R11*8), R8
	MULXQ 8(AX)(R11*8), AX, R12
	MULXQ R8, AX, R13
	ADDQ R12, AX                         // frac
	ADCQ $0, R13                         // hi
	MOVL $5, CX
	SUBL BX, CX
	SHRXQ CX, R8, R8                     // half
	MOVQ R13, DX
	MULXQ floatWords<>+112(SB), R11, R12
	SHRQ $3, R12                         // tens
	LEAQ (R12)(R12*4), R11
	ADDQ R11, R11
	SUBQ R11, DX                         // hi - 10·tens
	MOVQ AX, BX
	SHRQ $4, DX, BX                      // last

	// Is it too close to tell?
	MOVQ BX, CX
	SUBQ R8, CX
	ADDQ $2, CX
	CMPQ CX, $4
	JLS done
	LEAQ (BX)(R8*1), CX
	MOVQ $0xa000000000000000, R13        // ten
	MOVQ R13, R11
	SUBQ CX, R11
	CMPQ R11, $3
	JLS done
	MOVQ $0x8000000000000002, R11
	ADDQ AX, R11
	CMPQ R11, $2
	JLS done

	// The last digit in DX is 0 where it is the ten below or above.
	XORL R11, R11
	ADDQ AX, AX
	ADCQ $0, DX
	CMPQ BX, R8
	CMOVQCS R11, DX
	CMPQ R13, CX
	CMOVQCS R11, DX
	ADCQ $0, R12

	// Make 16 digits of 15, and two words of 8 digits of them.
	LEAQ (R12)(R12*4), AX
	LEAQ (DX)(AX*2), AX
	MOVQ $1000000000000000, BX
	CMPQ R12, BX
	CMOVQCS AX, R12
	CMOVQCS R11, DX
	ADCQ $0, R10
	MOVQ DX, R8
	MOVQ R12, DX
	MULXQ floatWords<>+120(SB), AX, BX
	SHRQ $26, BX
	IMUL3Q $100000000, BX, AX
	SUBQ AX, R12
	VMOVQ BX, X0
	VPINSRQ $1, R12, X0, X0

	// Split them as digits8 does.
	VPMULUDQ floatWords<>+0(SB), X0, X1
	VPSRLQ $40, X1, X1
	VPMULUDQ floatWords<>+16(SB), X1, X2
	VPSUBQ X2, X0, X0
	VPSLLQ $32, X0, X0
	VPOR X1, X0, X0
	VPMULHUW floatWords<>+32(SB), X0, X1
	VPSRLW $3, X1, X1
	VPMULLW floatWords<>+48(SB), X1, X2
	VPSUBW X2, X0, X0
	VPSLLD $16, X0, X0
	VPOR X1, X0, X0
	VPMULHUW floatWords<>+64(SB), X0, X1
	VPSLLW $8, X0, X0
	VPMULLW floatWords<>+80(SB), X1, X1
	VPSUBW X1, X0, X0

	// BX becomes the index of the last digit that is not zero, CX the number of digits before the point.
	VPXOR X1, X1, X1
	VPCMPEQB X1, X0, X1
	VPOR floatWords<>+96(SB), X0, X0
	VPMOVMSKB X1, BX
	XORL $0xffff, BX
	BSRL BX, BX
	MOVL $16, CX
	TESTQ R8, R8
	CMOVQNE CX, BX
	ADDL $'0', R8
	SUBQ R10, CX
	JLE small
	VMOVDQU X0, (DI)
	LEAQ floatShift<>(SB), AX
	VPSHUFB (AX)(CX*1), X0, X1
	VMOVDQU X1, 1(DI)(CX*1)
	MOVB $'.', (DI)(CX*1)
	MOVB R8, 17(DI)
	LEAQ 2(DI)(BX*1), DI
again:
	ADDQ $8, SI
	CMPQ SI, n+16(FP)
	JNE loop
	MOVQ DI, wrote+40(FP)
done:
	MOVQ dst+0(FP), DI
	SUBQ DI, wrote+40(FP)
	SUBQ src+8(FP), SI
	SHRQ $3, SI
	MOVQ SI, done+48(FP)
	RET

small:
	MOVQ $0x3030303030302e30, AX         // "0.000000"
	MOVQ AX, (DI)
	SUBQ CX, DI
	VMOVDQU X0, 2(DI)
	MOVB R8, 18(DI)
	LEAQ 3(DI)(BX*1), DI
	JMP again

next:
	MOVL $0x005b2c5d, (DI)               // "],["
	ADDQ $3, DI
	XORL R9, R9
	JMP number
