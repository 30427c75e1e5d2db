// The three table look-ups of utf8_amd64.h.
DATA first_hi<>+0(SB)/8, $0x0202020202020202
DATA first_hi<>+8(SB)/8, $0x4915012180808080
GLOBL first_hi<>(SB), RODATA|NOPTR, $16
DATA first_lo<>+0(SB)/8, $0xcbcbcb8b8383a3e7
DATA first_lo<>+8(SB)/8, $0xcbcbdbcbcbcbcbcb
GLOBL first_lo<>(SB), RODATA|NOPTR, $16
DATA second_hi<>+0(SB)/8, $0x0101010101010101
DATA second_hi<>+8(SB)/8, $0x01010101babaaee6
GLOBL second_hi<>(SB), RODATA|NOPTR, $16

// The greatest bytes that may stand last without leaving a character unfinished.
DATA complete<>+0(SB)/8, $0xffffffffffffffff
DATA complete<>+8(SB)/8, $0xbfdfefffffffffff
GLOBL complete<>(SB), RODATA|NOPTR, $16

// UTF8_INIT sets the constants in V20-V27. It spoils R8.
#define UTF8_INIT \
	MOVD $first_hi<>(SB), R8; \
	VLD1 (R8), [V20.B16]; \
	MOVD $first_lo<>(SB), R8; \
	VLD1 (R8), [V21.B16]; \
	MOVD $second_hi<>(SB), R8; \
	VLD1 (R8), [V22.B16]; \
	MOVD $complete<>(SB), R8; \
	VLD1 (R8), [V23.B16]; \
	VMOVI $0x0f, V24.B16; \
	VMOVI $0x80, V25.B16; \
	VMOVI $0xe0, V26.B16; \
	VMOVI $0xf0, V27.B16

// UTF8_CHECK adds to V15 the errors of the 16 bytes cur, prev being the 16 before them. It spoils V4-V8.
#define UTF8_CHECK(prev, cur) \
	VEXT $15, cur.B16, prev.B16, V4.B16; \
	VUSHR $4, V4.B16, V5.B16; \
	VAND V24.B16, V4.B16, V4.B16; \
	VUSHR $4, cur.B16, V6.B16; \
	VTBL V5.B16, [V20.B16], V5.B16; \
	VTBL V4.B16, [V21.B16], V4.B16; \
	VTBL V6.B16, [V22.B16], V6.B16; \
	VEXT $14, cur.B16, prev.B16, V7.B16; \
	VEXT $13, cur.B16, prev.B16, V8.B16; \
	VAND V4.B16, V5.B16, V4.B16; \
	VUMAX V26.B16, V7.B16, V5.B16; \
	VAND V4.B16, V6.B16, V4.B16; \
	VUMAX V27.B16, V8.B16, V6.B16; \
	VCMEQ V5.B16, V7.B16, V7.B16; \
	VCMEQ V6.B16, V8.B16, V8.B16; \
	VORR V7.B16, V8.B16, V7.B16; \
	VAND V25.B16, V7.B16, V7.B16; \
	VEOR V7.B16, V4.B16, V4.B16; \
	VORR V4.B16, V15.B16, V15.B16
