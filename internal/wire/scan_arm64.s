//go:build !purego

#include "textflag.h"
#include "utf8_arm64.h"

// As in scan_amd64.s.
DATA white<>+0(SB)/8, $0x0000000000000020
DATA white<>+8(SB)/8, $0x00000d00000a0900
GLOBL white<>(SB), RODATA|NOPTR, $16
DATA string_end<>+0(SB)/8, $0x0000000000220000
DATA string_end<>+8(SB)/8, $0x0000005c00000000
GLOBL string_end<>(SB), RODATA|NOPTR, $16
DATA bit_of<>+0(SB)/8, $0x8040201008040201
DATA bit_of<>+8(SB)/8, $0x8040201008040201
GLOBL bit_of<>(SB), RODATA|NOPTR, $16
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

// MASK leaves in reg one bit for each of the 64 bytes a, b, c, d, each of them all ones or zero.
#define MASK(a, b, c, d, reg) \
	VAND V19.B16, a.B16, a.B16; \
	VAND V19.B16, b.B16, b.B16; \
	VAND V19.B16, c.B16, c.B16; \
	VAND V19.B16, d.B16, d.B16; \
	VADDP b.B16, a.B16, a.B16; \
	VADDP d.B16, c.B16, c.B16; \
	VADDP c.B16, a.B16, a.B16; \
	VADDP a.B16, a.B16, a.B16; \
	VMOV a.D[0], reg

// ENDS sets to all ones the bytes of out where in has a byte of s. It spoils V10.
#define ENDS(in, low, out) \
	VTBL low.B16, [V17.B16], V10.B16; \
	VCMEQ in.B16, V10.B16, V10.B16; \
	VUMIN in.B16, V18.B16, out.B16; \
	VCMEQ in.B16, out.B16, out.B16; \
	VORR V10.B16, out.B16, out.B16

// func scanNEON(src *byte, blocks, tail int, s, nw *uint64, before int, dst *byte) (bad uint64)
TEXT ·scanNEON(SB), NOSPLIT, $0-64
	MOVD src+0(FP), R0
	MOVD blocks+8(FP), R1
	MOVD tail+16(FP), R2
	MOVD s+24(FP), R3
	MOVD nw+32(FP), R4
	MOVD before+40(FP), R5
	MOVD dst+48(FP), R9
	UTF8_INIT
	MOVD $white<>(SB), R8
	VLD1 (R8), [V16.B16]
	MOVD $string_end<>(SB), R8
	VLD1 (R8), [V17.B16]
	VMOVI $0x1f, V18.B16
	MOVD $bit_of<>(SB), R8
	VLD1 (R8), [V19.B16]
	VEOR V13.B16, V13.B16, V13.B16       // not zero: the bytes before end unfinished
	VEOR V14.B16, V14.B16, V14.B16       // 16 bytes before
	VEOR V15.B16, V15.B16, V15.B16       // errors
	CBZ R5, loop
	SUB $16, R0, R8
	VLD1 (R8), [V14.B16]
	VUMIN V23.B16, V14.B16, V13.B16
	VEOR V14.B16, V13.B16, V13.B16
loop:
	VLD1.P 64(R0), [V0.B16, V1.B16, V2.B16, V3.B16]
	CMP $1, R1
	BEQ last
block:
	VAND V24.B16, V0.B16, V4.B16
	VAND V24.B16, V1.B16, V5.B16
	VAND V24.B16, V2.B16, V6.B16
	VAND V24.B16, V3.B16, V7.B16
	ENDS(V0, V4, V28)
	ENDS(V1, V5, V29)
	ENDS(V2, V6, V30)
	ENDS(V3, V7, V31)
	VTBL V4.B16, [V16.B16], V4.B16
	VTBL V5.B16, [V16.B16], V5.B16
	VTBL V6.B16, [V16.B16], V6.B16
	VTBL V7.B16, [V16.B16], V7.B16
	VCMEQ V4.B16, V0.B16, V4.B16
	VCMEQ V5.B16, V1.B16, V5.B16
	VCMEQ V6.B16, V2.B16, V6.B16
	VCMEQ V7.B16, V3.B16, V7.B16
	MASK(V28, V29, V30, V31, R6)
	MASK(V4, V5, V6, V7, R7)
	MVN R7, R7
	MOVD.P R6, 8(R3)
	MOVD.P R7, 8(R4)
	VORR V0.B16, V1.B16, V10.B16
	VORR V2.B16, V3.B16, V11.B16
	VORR V10.B16, V11.B16, V10.B16
	VMOV V10.D[0], R6
	VMOV V10.D[1], R7
	ORR R6, R7, R6
	TST $0x8080808080808080, R6
	BNE high
	VORR V13.B16, V15.B16, V15.B16
	VEOR V13.B16, V13.B16, V13.B16
next:
	VMOV V3.B16, V14.B16
	CBZ R9, copied
	VST1.P [V0.B16, V1.B16, V2.B16, V3.B16], 64(R9)
copied:
	SUBS $1, R1, R1
	BNE loop
	VMOV V15.D[0], R6
	VMOV V15.D[1], R7
	ORR R6, R7, R6
	MOVD R6, bad+56(FP)
	RET
high:
	UTF8_CHECK(V14, V0)
	UTF8_CHECK(V0, V1)
	UTF8_CHECK(V1, V2)
	UTF8_CHECK(V2, V3)
	VUMIN V23.B16, V3.B16, V13.B16
	VEOR V3.B16, V13.B16, V13.B16
	B next
last:
	MOVD $ones_zeros<>(SB), R8
	ADD $64, R8, R8
	SUB R2, R8, R8
	VLD1 (R8), [V4.B16, V5.B16, V6.B16, V7.B16]
	VAND V4.B16, V0.B16, V0.B16
	VAND V5.B16, V1.B16, V1.B16
	VAND V6.B16, V2.B16, V2.B16
	VAND V7.B16, V3.B16, V3.B16
	B block
