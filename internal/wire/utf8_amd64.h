// Validation of UTF-8 by three table look-ups (Keiser and Lemire, "Validating UTF-8 in less than one
// instruction per byte"): each pair of neighbouring bytes is looked up by the high and the low half of the
// first and by the high half of the second; a bit common to all three names an error, except that bit 7 (two
// continuation bytes) is right exactly where the second or third byte before starts a longer character.
//
//	bit 0 too short      bit 1 too long       bit 2 overlong of 3   bit 3 above U+10FFFF
//	bit 4 surrogate      bit 5 overlong of 2  bit 6 overlong of 4, or lead F5-FF   bit 7 two continuations

DATA first_hi<>+0(SB)/8, $0x0202020202020202
DATA first_hi<>+8(SB)/8, $0x4915012180808080
GLOBL first_hi<>(SB), RODATA|NOPTR, $16
DATA first_lo<>+0(SB)/8, $0xcbcbcb8b8383a3e7
DATA first_lo<>+8(SB)/8, $0xcbcbdbcbcbcbcbcb
GLOBL first_lo<>(SB), RODATA|NOPTR, $16
DATA second_hi<>+0(SB)/8, $0x0101010101010101
DATA second_hi<>+8(SB)/8, $0x01010101babaaee6
GLOBL second_hi<>(SB), RODATA|NOPTR, $16

// The greatest bytes that may stand last in a block without leaving a character unfinished.
DATA complete<>+0(SB)/8, $0xffffffffffffffff
DATA complete<>+8(SB)/8, $0xffffffffffffffff
DATA complete<>+16(SB)/8, $0xffffffffffffffff
DATA complete<>+24(SB)/8, $0xffffffffffffffff
DATA complete<>+32(SB)/8, $0xffffffffffffffff
DATA complete<>+40(SB)/8, $0xffffffffffffffff
DATA complete<>+48(SB)/8, $0xffffffffffffffff
DATA complete<>+56(SB)/8, $0xbfdfefffffffffff
GLOBL complete<>(SB), RODATA|NOPTR, $64

// UTF8_INIT512 sets the constants in Z22-Z29. It spoils AX.
#define UTF8_INIT512 \
	MOVL $0x0f, AX; \
	VPBROADCASTB AX, Z24; \
	MOVL $0x80, AX; \
	VPBROADCASTB AX, Z23; \
	MOVL $0x60, AX; \
	VPBROADCASTB AX, Z28; \
	MOVL $0x70, AX; \
	VPBROADCASTB AX, Z29; \
	VBROADCASTI32X4 first_hi<>(SB), Z25; \
	VBROADCASTI32X4 first_lo<>(SB), Z26; \
	VBROADCASTI32X4 second_hi<>(SB), Z27; \
	VMOVDQU64 complete<>(SB), Z22

// UTF8_CHECK512 leaves in Z9 the errors of the block Z0, Z30 being the block before it. It spoils Z5-Z11.
#define UTF8_CHECK512 \
	VALIGNQ $6, Z30, Z0, Z5; \
	VPALIGNR $15, Z5, Z0, Z6; \
	VPALIGNR $14, Z5, Z0, Z7; \
	VPALIGNR $13, Z5, Z0, Z8; \
	VPSRLW $4, Z6, Z9; \
	VPANDQ Z24, Z9, Z9; \
	VPSHUFB Z9, Z25, Z9; \
	VPANDQ Z24, Z6, Z10; \
	VPSHUFB Z10, Z26, Z10; \
	VPSRLW $4, Z0, Z11; \
	VPANDQ Z24, Z11, Z11; \
	VPSHUFB Z11, Z27, Z11; \
	VPTERNLOGQ $0x80, Z11, Z10, Z9; \
	VPSUBUSB Z28, Z7, Z7; \
	VPSUBUSB Z29, Z8, Z8; \
	VPORQ Z7, Z8, Z8; \
	VPTERNLOGQ $0x78, Z23, Z8, Z9

DATA half_low<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA half_low<>+8(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA half_low<>+16(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA half_low<>+24(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL half_low<>(SB), RODATA|NOPTR, $32
DATA each60<>+0(SB)/8, $0x6060606060606060
DATA each60<>+8(SB)/8, $0x6060606060606060
DATA each60<>+16(SB)/8, $0x6060606060606060
DATA each60<>+24(SB)/8, $0x6060606060606060
GLOBL each60<>(SB), RODATA|NOPTR, $32
DATA each70<>+0(SB)/8, $0x7070707070707070
DATA each70<>+8(SB)/8, $0x7070707070707070
DATA each70<>+16(SB)/8, $0x7070707070707070
DATA each70<>+24(SB)/8, $0x7070707070707070
GLOBL each70<>(SB), RODATA|NOPTR, $32
DATA each80<>+0(SB)/8, $0x8080808080808080
DATA each80<>+8(SB)/8, $0x8080808080808080
DATA each80<>+16(SB)/8, $0x8080808080808080
DATA each80<>+24(SB)/8, $0x8080808080808080
GLOBL each80<>(SB), RODATA|NOPTR, $32

// UTF8_CHECK256 adds to errs the errors of the 32 bytes cur, prev being the 32 before them. It spoils Y2-Y7 and
// Y12.
#define UTF8_CHECK256(prev, cur, errs) \
	VPERM2I128 $0x21, cur, prev, Y7; \
	VPALIGNR $15, Y7, cur, Y3; \
	VPALIGNR $14, Y7, cur, Y5; \
	VPALIGNR $13, Y7, cur, Y6; \
	UTF8_FIRST256(cur); \
	UTF8_OTHERS256(errs)

// UTF8_FIRST256 leaves in Y4 what the tables say of the 32 bytes cur and those one place before, in Y3. It spoils Y2,
// Y7 and Y12.
#define UTF8_FIRST256(cur) \
	VPSRLW $4, cur, Y12; \
	VPAND half_low<>(SB), Y12, Y12; \
	UTF8_TABLES256(Y12)

// UTF8_TABLES256 is UTF8_FIRST256 for bytes of which halves has the upper halves.
#define UTF8_TABLES256(halves) \
	VPSRLW $4, Y3, Y4; \
	VPAND half_low<>(SB), Y4, Y4; \
	VBROADCASTI128 first_hi<>(SB), Y2; \
	VPSHUFB Y4, Y2, Y4; \
	VBROADCASTI128 first_lo<>(SB), Y2; \
	VPAND half_low<>(SB), Y3, Y7; \
	VPSHUFB Y7, Y2, Y2; \
	VPAND Y2, Y4, Y4; \
	VBROADCASTI128 second_hi<>(SB), Y2; \
	VPSHUFB halves, Y2, Y2; \
	VPAND Y2, Y4, Y4

// UTF8_OTHERS256 adds to errs what is wrong in Y4, Y5 and Y6 having the bytes two and three places before.
#define UTF8_OTHERS256(errs) \
	VPSUBUSB each60<>(SB), Y5, Y5; \
	VPSUBUSB each70<>(SB), Y6, Y6; \
	VPOR Y5, Y6, Y5; \
	VPAND each80<>(SB), Y5, Y5; \
	VPXOR Y4, Y5, Y4; \
	VPOR Y4, errs, errs

DATA half_most<>+0(SB)/4, $0x1f1f1f1f
GLOBL half_most<>(SB), RODATA|NOPTR, $4

// UTF8_BLOCK256 adds to errs the errors of the 64 bytes Y0 and Y1, which stand at at with those before them. Y10 has
// half_most everywhere, Y12 half_low. It spoils Y2-Y7.
#define UTF8_BLOCK256(at, errs) \
	VMOVDQU -1(at), Y3; \
	VMOVDQU 31(at), Y4; \
	VBROADCASTI128 first_hi<>(SB), Y2; \
	VPSRLW $4, Y3, Y5; \
	VPSRLW $4, Y4, Y6; \
	VPAND Y12, Y5, Y5; \
	VPAND Y12, Y6, Y6; \
	VPSHUFB Y5, Y2, Y5; \
	VPSHUFB Y6, Y2, Y6; \
	VBROADCASTI128 first_lo<>(SB), Y2; \
	VPAND Y12, Y3, Y3; \
	VPAND Y12, Y4, Y4; \
	VPSHUFB Y3, Y2, Y3; \
	VPSHUFB Y4, Y2, Y4; \
	VPAND Y3, Y5, Y5; \
	VPAND Y4, Y6, Y6; \
	VBROADCASTI128 second_hi<>(SB), Y2; \
	VPSRLW $4, Y0, Y3; \
	VPSRLW $4, Y1, Y4; \
	VPAND Y12, Y3, Y3; \
	VPAND Y12, Y4, Y4; \
	VPSHUFB Y3, Y2, Y3; \
	VPSHUFB Y4, Y2, Y4; \
	VPAND Y3, Y5, Y5; \
	VPAND Y4, Y6, Y6; \
	VPAVGB -2(at), Y10, Y3; \
	VPAVGB -3(at), Y12, Y4; \
	VPAVGB 30(at), Y10, Y2; \
	VPAVGB 29(at), Y12, Y7; \
	VPOR Y3, Y4, Y3; \
	VPOR Y2, Y7, Y2; \
	VPAND each80<>(SB), Y3, Y3; \
	VPAND each80<>(SB), Y2, Y2; \
	VPXOR Y3, Y5, Y5; \
	VPXOR Y2, Y6, Y6; \
	VPOR Y5, Y6, Y5; \
	VPOR Y5, errs, errs
