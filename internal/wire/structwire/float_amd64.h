// Included in the middle of a function: a number, whose bits are in AX, is written to SI. It jumps to unfit, where SI is
// anything, with one that is an integer or not between 2^-19 and 2^52, or so close to another decimal that only
// shortestExact of package wire can tell. It spoils AX to DX, R8, R10 to R13 and X0 to X2.
//
// The way is that of the function shortest, and so are the names of values: of 17 digits, with those that are zero at
// the end, X0 gets 16 as text and R8 the last. A power of two below 1, beside which the numbers are not as far on both
// sides, is one of few digits itself.
	MOVQ AX, BX
	SHRQ $52, BX
	ANDL $0x7ff, BX
	MOVL $1075, R8
	SUBL BX, R8                          // -q
	MOVL $52, CX
	BZHIQ CX, AX, CX
	BTSQ $52, CX                         // c
	LEAL -1(R8), BX
	CMPL BX, $71
	JAE unfit
	BZHIQ R8, CX, BX
	JEQ unfit                            // an integer
	MOVB $'-', (SI)
	SHRQ $63, AX
	ADDQ AX, SI

	IMUL3Q $1262611, R8, R10
	SHRQ $22, R10                        // -k-1
	IMUL3Q $1741647, R10, BX
	ADDQ $2265935, BX                    // 1741647 + 2^19
	SHRQ $19, BX
	SUBQ R8, BX                          // h
	SHLXQ BX, CX, DX                     // c1
	MOVQ ·pow10(SB), AX                  // 10^1
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
	MULXQ ·floatWords+112(SB), R11, R12
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
	JLS unfit
	LEAQ (BX)(R8*1), CX
	MOVQ $0xa000000000000000, R13        // ten
	MOVQ R13, R11
	SUBQ CX, R11
	CMPQ R11, $3
	JLS unfit
	MOVQ $0x8000000000000002, R11
	ADDQ AX, R11
	CMPQ R11, $2
	JLS unfit

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
	MULXQ ·floatWords+120(SB), AX, BX
	SHRQ $26, BX
	IMUL3Q $100000000, BX, AX
	SUBQ AX, R12
	VMOVQ BX, X0
	VPINSRQ $1, R12, X0, X0

	// Split them as digits8 does.
	VPMULUDQ ·floatWords+0(SB), X0, X1
	VPSRLQ $40, X1, X1
	VPMULUDQ ·floatWords+16(SB), X1, X2
	VPSUBQ X2, X0, X0
	VPSLLQ $32, X0, X0
	VPOR X1, X0, X0
	VPMULHUW ·floatWords+32(SB), X0, X1
	VPSRLW $3, X1, X1
	VPMULLW ·floatWords+48(SB), X1, X2
	VPSUBW X2, X0, X0
	VPSLLD $16, X0, X0
	VPOR X1, X0, X0
	VPMULHUW ·floatWords+64(SB), X0, X1
	VPSLLW $8, X0, X0
	VPMULLW ·floatWords+80(SB), X1, X1
	VPSUBW X1, X0, X0

	// BX becomes the index of the last digit that is not zero, CX the number of digits before the point.
	VPXOR X1, X1, X1
	VPCMPEQB X1, X0, X1
	VPOR ·floatWords+96(SB), X0, X0
	VPMOVMSKB X1, BX
	XORL $0xffff, BX
	BSRL BX, BX
	MOVL $16, CX
	TESTQ R8, R8
	CMOVQNE CX, BX
	ADDL $'0', R8
	SUBQ R10, CX
	JLE small
	VMOVDQU X0, (SI)
	LEAQ ·floatShift(SB), AX
	VPSHUFB (AX)(CX*1), X0, X1
	VMOVDQU X1, 1(SI)(CX*1)
	MOVB $'.', (SI)(CX*1)
	MOVB R8, 17(SI)
	LEAQ 2(SI)(BX*1), SI
	JMP set

small:
	MOVQ $0x3030303030302e30, AX         // "0.000000"
	MOVQ AX, (SI)
	SUBQ CX, SI
	VMOVDQU X0, 2(SI)
	MOVB R8, 18(SI)
	LEAQ 3(SI)(BX*1), SI
set:
