//go:build !purego

#include "textflag.h"
#include "utf8_arm64.h"

// As in copy_amd64.s: indexed by EscapeHTML, a table by the low half of a byte, then the byte it has no room for.
DATA attention<>+0(SB)/8, $0x0000000000220000
DATA attention<>+8(SB)/8, $0x0000005c00000000
DATA attention<>+16(SB)/8, $0x2222222222222222
DATA attention<>+24(SB)/8, $0x2222222222222222
DATA attention<>+32(SB)/8, $0x0026000000220000
DATA attention<>+40(SB)/8, $0x003e005c00000000
DATA attention<>+48(SB)/8, $0x3c3c3c3c3c3c3c3c
DATA attention<>+56(SB)/8, $0x3c3c3c3c3c3c3c3c
GLOBL attention<>(SB), RODATA|NOPTR, $64

// ATTENTION sets to ones the bytes of out where in has one that is to be escaped. It spoils V9-V11.
#define ATTENTION(in, out) \
	VAND V24.B16, in.B16, V9.B16; \
	VCMEQ V17.B16, in.B16, V10.B16; \
	VUMIN V18.B16, in.B16, V11.B16; \
	VTBL V9.B16, [V16.B16], V9.B16; \
	VCMEQ in.B16, V11.B16, V11.B16; \
	VCMEQ in.B16, V9.B16, V9.B16; \
	VORR V10.B16, V11.B16, V10.B16; \
	VORR V9.B16, V10.B16, out.B16

// SEPARATOR adds to V15 the third bytes of U+2028 and U+2029 in cur, prev being the 16 bytes before. It spoils
// V4-V6.
#define SEPARATOR(prev, cur) \
	VEXT $15, cur.B16, prev.B16, V4.B16; \
	VEXT $14, cur.B16, prev.B16, V5.B16; \
	VORR V28.B16, cur.B16, V6.B16; \
	VCMEQ V25.B16, V4.B16, V4.B16; \
	VCMEQ V29.B16, V5.B16, V5.B16; \
	VCMEQ V30.B16, V6.B16, V6.B16; \
	VAND V4.B16, V5.B16, V4.B16; \
	VAND V4.B16, V6.B16, V4.B16; \
	VORR V4.B16, V15.B16, V15.B16

// func copyPlainNEON(dst *byte, src string, how int) (n int)
TEXT ·copyPlainNEON(SB), NOSPLIT, $0-40
	MOVD dst+0(FP), R0
	MOVD src_base+8(FP), R1
	MOVD src_len+16(FP), R2
	MOVD how+24(FP), R3
	UTF8_INIT
	LSR $1, R3, R12
	SUB $1, R12, R12
	AND $0x8080808080808080, R12         // zero where what is not ASCII is trusted
	AND $1, R3, R3
	MOVD $attention<>(SB), R8
	ADD R3<<5, R8, R8
	VLD1 (R8), [V16.B16, V17.B16]
	VMOVI $0x1f, V18.B16
	VMOVI $0x01, V28.B16
	VMOVI $0xe2, V29.B16
	VMOVI $0xa9, V30.B16
	VEOR V14.B16, V14.B16, V14.B16       // 16 bytes before
	MOVD ZR, R4                          // bytes done
	MOVD ZR, R5                          // not zero: the 32 bytes before are not all ASCII
loop:
	ADD $32, R4, R6
	CMP R2, R6
	BGT done
	VLD1.P 32(R1), [V0.B16, V1.B16]
	VST1.P [V0.B16, V1.B16], 32(R0)
	ATTENTION(V0, V2)
	ATTENTION(V1, V3)
	VORR V2.B16, V3.B16, V2.B16
	VORR V0.B16, V1.B16, V3.B16
	VMOV V2.D[0], R7
	VMOV V2.D[1], R9
	VMOV V3.D[0], R10
	VMOV V3.D[1], R11
	ORR R9, R7, R7
	CBNZ R7, done
	ORR R11, R10, R10
	AND R12, R10
	ORR R10, R5, R5
	CBNZ R5, high
next:
	VMOV V1.B16, V14.B16
	MOVD R6, R4
	B loop
high:
	VEOR V15.B16, V15.B16, V15.B16
	UTF8_CHECK(V14, V0)
	UTF8_CHECK(V0, V1)
	SEPARATOR(V14, V0)
	SEPARATOR(V0, V1)
	VMOV V15.D[0], R7
	VMOV V15.D[1], R9
	ORR R9, R7, R7
	MOVD R10, R5
	CBZ R7, next
done:
	MOVD R4, n+32(FP)
	RET
