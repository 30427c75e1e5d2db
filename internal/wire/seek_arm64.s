//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// As in seek_amd64.s.
DATA seekBytes<>+0(SB)/8, $0x00000000000000ff
DATA seekBytes<>+8(SB)/8, $0x00007d5c7b000000
GLOBL seekBytes<>(SB), RODATA|NOPTR, $16
DATA seekBits<>+0(SB)/8, $0x8040201008040201
DATA seekBits<>+8(SB)/8, $0x8040201008040201
GLOBL seekBits<>(SB), RODATA|NOPTR, $16

// SEEK_BITS leaves in reg one bit for each of the 64 bytes a, b, c, d, each of them all ones or zero.
#define SEEK_BITS(a, b, c, d, reg) \
	VAND V21.B16, a.B16, a.B16; \
	VAND V21.B16, b.B16, b.B16; \
	VAND V21.B16, c.B16, c.B16; \
	VAND V21.B16, d.B16, d.B16; \
	VADDP b.B16, a.B16, a.B16; \
	VADDP d.B16, c.B16, c.B16; \
	VADDP c.B16, a.B16, a.B16; \
	VADDP a.B16, a.B16, a.B16; \
	VMOV a.D[0], reg

// SEEK_CLASS sets to ones the bytes of out where in has a brace or a backslash.
#define SEEK_CLASS(in, out) \
	VAND V19.B16, in.B16, out.B16; \
	VTBL out.B16, [V20.B16], out.B16; \
	VCMEQ in.B16, out.B16, out.B16

// func seekBlocks(src *byte, blocks int, first byte, st *seekState) (at int)
TEXT ·seekBlocks(SB), NOSPLIT, $0-40
	MOVD src+0(FP), R0
	MOVD blocks+8(FP), R1
	MOVBU first+16(FP), R2
	MOVD st+24(FP), R3
	VDUP R2, V16.B16
	VMOVI $0x22, V17.B16
	VMOVI $0x5c, V18.B16
	VMOVI $0x0f, V19.B16
	MOVD $seekBytes<>(SB), R8
	VLD1 (R8), [V20.B16]
	MOVD $seekBits<>(SB), R8
	VLD1 (R8), [V21.B16]
	MOVD seekState_quotes(R3), R4
	MOVD seekState_escaped(R3), R5
	MOVD seekState_depth(R3), R6
loop:
	ADD $1, R0, R8
	VLD1 (R0), [V0.B16, V1.B16, V2.B16, V3.B16]
	VLD1 (R8), [V4.B16, V5.B16, V6.B16, V7.B16]
	VCMEQ V17.B16, V0.B16, V8.B16        // quotes
	VCMEQ V17.B16, V1.B16, V9.B16
	VCMEQ V17.B16, V2.B16, V10.B16
	VCMEQ V17.B16, V3.B16, V11.B16
	VCMEQ V16.B16, V4.B16, V4.B16
	VCMEQ V16.B16, V5.B16, V5.B16
	VCMEQ V16.B16, V6.B16, V6.B16
	VCMEQ V16.B16, V7.B16, V7.B16
	VAND V8.B16, V4.B16, V4.B16          // quotes before the character
	VAND V9.B16, V5.B16, V5.B16
	VAND V10.B16, V6.B16, V6.B16
	VAND V11.B16, V7.B16, V7.B16
	SEEK_CLASS(V0, V12)
	SEEK_CLASS(V1, V13)
	SEEK_CLASS(V2, V14)
	SEEK_CLASS(V3, V15)
	VORR V4.B16, V5.B16, V22.B16
	VORR V6.B16, V7.B16, V23.B16
	VORR V12.B16, V13.B16, V24.B16
	VORR V14.B16, V15.B16, V25.B16
	VORR V22.B16, V23.B16, V22.B16
	VORR V24.B16, V25.B16, V24.B16
	VORR V22.B16, V24.B16, V22.B16
	VMOV V22.D[0], R7
	VMOV V22.D[1], R9
	ORR R9, R7, R7
	ORR R5, R7, R7
	CBNZ R7, special
	VADD V8.B16, V9.B16, V8.B16          // minus their number, of which the last bit counts
	VADD V10.B16, V11.B16, V10.B16
	VADD V8.B16, V10.B16, V8.B16
	VUADDLV V8.B16, V8
	VMOV V8.H[0], R7
	ADD R7, R4, R4
next:
	ADD $64, R0, R0
	SUBS $1, R1, R1
	BNE loop
	MOVD R4, seekState_quotes(R3)
	MOVD R5, seekState_escaped(R3)
	MOVD R6, seekState_depth(R3)
	MOVD $const_SeekNone, R8
	MOVD R8, at+32(FP)
	RET
special:
	SEEK_BITS(V12, V13, V14, V15, R7)
	SEEK_BITS(V4, V5, V6, V7, R9)
	SEEK_BITS(V8, V9, V10, V11, R10)     // quotes
	VCMEQ V18.B16, V0.B16, V0.B16
	VCMEQ V18.B16, V1.B16, V1.B16
	VCMEQ V18.B16, V2.B16, V2.B16
	VCMEQ V18.B16, V3.B16, V3.B16
	SEEK_BITS(V0, V1, V2, V3, R11)       // backslashes
	ORR R5, R11, R12
	CBNZ R12, escaped
unescaped:
	EOR R10<<1, R10, R12
	EOR R12<<2, R12, R12
	EOR R12<<4, R12, R12
	EOR R12<<8, R12, R12
	EOR R12<<16, R12, R12
	EOR R12<<32, R12, R12
	AND $1, R4, R13
	ADD R12>>63, R4, R4
	NEG R13, R13
	EOR R13, R12, R12                    // strings, without their closing quotes
	BIC R12, R7, R7
	AND R12, R9, R9                      // opening quotes
	ORR R9, R7, R7
	CBZ R7, next
event: // the bytes at the places in R7, in their order
	RBIT R7, R8
	CLZ R8, R8
	SUB $1, R7, R13
	AND R13, R7, R7
	MOVBU (R0)(R8), R12
	CMP $0x7b, R12
	BEQ open
	CMP $0x7d, R12
	BEQ close
	CBZ R6, found
more:
	CBNZ R7, event
	B next
open:
	ADD $1, R6, R6
	B more
close:
	SUBS $1, R6, R6
	BPL more
found:
	MOVD src+0(FP), R1
	SUB R1, R0, R0
	ADD R0, R8, R8
	MOVD R8, at+32(FP)
	RET
escaped:
	TBZ $0, R11, sure
	TBZ $0, R4, sure
	MOVBU -1(R0), R12
	CMP $0x22, R12                       // a string may begin before the block, with a backslash
	BEQ unsure
sure:
	ORR R11>>1, R9, R9
	// As ESCAPED in grammar_amd64.s.
	BIC R5, R11, R13
	MOVD $0xaaaaaaaaaaaaaaaa, R14
	ORR R13<<1, R14, R15
	SUB R13, R15, R15
	EOR R14, R15, R15
	ORR R5, R11, R12
	EOR R15, R12, R12
	AND R11, R15, R15
	LSR $63, R15, R5
	BIC R12, R10, R10
	AND R10, R9, R9                      // that a name may begin with
	B unescaped
unsure:
	MOVD $const_SeekUnsure, R8
	MOVD R8, at+32(FP)
	RET
