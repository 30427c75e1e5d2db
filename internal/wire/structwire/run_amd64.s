//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// What a JSON string may not hold as it is, but for what is not below 128 and control characters: a table by the low half
// of a byte, and one byte for which it has no room. The second one is for HTML.
DATA special<>+0(SB)/8, $0x0000000000220000
DATA special<>+8(SB)/8, $0x0000005c00000000
DATA special<>+16(SB)/8, $0x0026000000220000
DATA special<>+24(SB)/8, $0x003e005c00000000
DATA special<>+32(SB)/8, $0x2222222222222222
DATA special<>+40(SB)/8, $0x3c3c3c3c3c3c3c3c
DATA special<>+48(SB)/8, $0x2020202020202020
GLOBL special<>(SB), RODATA|NOPTR, $56

#define TABLE Y15
#define EXTRA Y14
#define SPACE Y13

// CLASSES sets the bits in hit of the bytes in Y1 that are special. It spoils Y2 to Y4.
#define CLASSES(hit) \
	VPSHUFB  Y1, TABLE, Y2; \
	VPCMPEQB Y1, Y2, Y2; \
	VPCMPEQB Y1, EXTRA, Y3; \
	VPCMPGTB Y1, SPACE, Y4; \
	VPOR     Y2, Y3, Y3; \
	VPOR     Y3, Y4, Y4; \
	VPMOVMSKB Y4, hit

// The tables of Keiser and Lemire that find what is not UTF-8: utf8_amd64.h of package wire has what their bits mean.
DATA tables<>+0(SB)/8, $0x0202020202020202
DATA tables<>+8(SB)/8, $0x4915012180808080
DATA tables<>+16(SB)/8, $0xcbcbcb8b8383a3e7
DATA tables<>+24(SB)/8, $0xcbcbdbcbcbcbcbcb
DATA tables<>+32(SB)/8, $0x0101010101010101
DATA tables<>+40(SB)/8, $0x01010101babaaee6
DATA tables<>+48(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA tables<>+56(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL tables<>(SB), RODATA|NOPTR, $64

DATA each<>+0(SB)/8, $0x6060606060606060
DATA each<>+8(SB)/8, $0x6060606060606060
DATA each<>+16(SB)/8, $0x6060606060606060
DATA each<>+24(SB)/8, $0x6060606060606060
DATA each<>+32(SB)/8, $0x7070707070707070
DATA each<>+40(SB)/8, $0x7070707070707070
DATA each<>+48(SB)/8, $0x7070707070707070
DATA each<>+56(SB)/8, $0x7070707070707070
DATA each<>+64(SB)/8, $0x8080808080808080
DATA each<>+72(SB)/8, $0x8080808080808080
DATA each<>+80(SB)/8, $0x8080808080808080
DATA each<>+88(SB)/8, $0x8080808080808080
DATA each<>+96(SB)/8, $0xe2e2e2e2e2e2e2e2
DATA each<>+104(SB)/8, $0xe2e2e2e2e2e2e2e2
DATA each<>+112(SB)/8, $0xe2e2e2e2e2e2e2e2
DATA each<>+120(SB)/8, $0xe2e2e2e2e2e2e2e2
DATA each<>+128(SB)/8, $0x1f1f1f1f1f1f1f1f
DATA each<>+136(SB)/8, $0x1f1f1f1f1f1f1f1f
DATA each<>+144(SB)/8, $0x1f1f1f1f1f1f1f1f
DATA each<>+152(SB)/8, $0x1f1f1f1f1f1f1f1f
GLOBL each<>(SB), RODATA|NOPTR, $160

DATA separators<>+0(SB)/8, $0x0101010101010101
DATA separators<>+8(SB)/8, $0x0101010101010101
DATA separators<>+16(SB)/8, $0x0101010101010101
DATA separators<>+24(SB)/8, $0x0101010101010101
DATA separators<>+32(SB)/8, $0x0101010101010101
DATA separators<>+40(SB)/8, $0x0101010101010101
DATA separators<>+48(SB)/8, $0x0101010101010101
DATA separators<>+56(SB)/8, $0x0101010101010101
DATA separators<>+64(SB)/8, $0xa9a9a9a9a9a9a9a9
DATA separators<>+72(SB)/8, $0xa9a9a9a9a9a9a9a9
DATA separators<>+80(SB)/8, $0xa9a9a9a9a9a9a9a9
DATA separators<>+88(SB)/8, $0xa9a9a9a9a9a9a9a9
DATA separators<>+96(SB)/8, $0xa9a9a9a9a9a9a9a9
DATA separators<>+104(SB)/8, $0xa9a9a9a9a9a9a9a9
DATA separators<>+112(SB)/8, $0xa9a9a9a9a9a9a9a9
DATA separators<>+120(SB)/8, $0xa9a9a9a9a9a9a9a9
GLOBL separators<>(SB), RODATA|NOPTR, $128

// The least of these and the bytes of a tail, and the greatest of that and those 64 bytes further on, has spaces behind it.
DATA ends<>+0(SB)/8, $0xffffffffffffffff
DATA ends<>+8(SB)/8, $0xffffffffffffffff
DATA ends<>+16(SB)/8, $0xffffffffffffffff
DATA ends<>+24(SB)/8, $0xffffffffffffffff
DATA ends<>+32(SB)/8, $0x2020202020202020
DATA ends<>+40(SB)/8, $0x2020202020202020
DATA ends<>+48(SB)/8, $0x2020202020202020
DATA ends<>+56(SB)/8, $0x2020202020202020
DATA ends<>+64(SB)/8, $0x0000000000000000
DATA ends<>+72(SB)/8, $0x0000000000000000
DATA ends<>+80(SB)/8, $0x0000000000000000
DATA ends<>+88(SB)/8, $0x0000000000000000
DATA ends<>+96(SB)/8, $0x2020202020202020
DATA ends<>+104(SB)/8, $0x2020202020202020
DATA ends<>+112(SB)/8, $0x2020202020202020
DATA ends<>+120(SB)/8, $0x2020202020202020
GLOBL ends<>(SB), RODATA|NOPTR, $128

// SPECIAL sets the bytes of Y3 of those in Y1 that are special, but for what is not below 128. It spoils Y0 and Y2.
#define SPECIAL \
	VPSHUFB  Y1, TABLE, Y2; \
	VPCMPEQB Y1, Y2, Y2; \
	VPCMPEQB Y1, EXTRA, Y3; \
	VPMINUB  each<>+128(SB), Y1, Y0; \
	VPCMPEQB Y1, Y0, Y0; \
	VPOR     Y2, Y3, Y3; \
	VPOR     Y0, Y3, Y3

// DIGITS makes u, below 1e8, its eight digits without the zeros of ASCII, the first one lowest: digits8 of package wire.
#define DIGITS(u, t, c) \
	IMUL3Q $109951163, u, t; \
	SHRQ $40, t; \
	MOVQ $42949672959999, c; \
	SHLQ $32, u; \
	IMULQ t, c; \
	SUBQ c, u; \
	IMUL3Q $10486, u, t; \
	SHRQ $20, t; \
	MOVQ $0x0000007f0000007f, c; \
	ANDQ c, t; \
	SHLQ $16, u; \
	IMUL3Q $6553599, t, t; \
	SUBQ t, u; \
	IMUL3Q $103, u, t; \
	SHRQ $10, t; \
	MOVQ $0x000f000f000f000f, c; \
	ANDQ c, t; \
	SHLQ $8, u; \
	IMUL3Q $2559, t, t; \
	SUBQ t, u

// WIDTH sets n to the number of decimal digits of u, which is not zero and below 1e8. Where the number ends is known
// long before its digits are.
#define WIDTH(u, n, t) \
	LZCNTL u, n; \
	LEAQ ·widths(SB), t; \
	MOVQ (t)(n*8), n; \
	ADDQ u, n; \
	SHRQ $32, n

// LEAD writes the last n digits in u to SI.
#define LEAD(u, n, t) \
	MOVQ $0x3030303030303030, t; \
	ORQ  t, u; \
	LEAQ (n*8), t; \
	NEGQ t; \
	SHRXQ t, u, u; \
	MOVQ u, (SI); \
	ADDQ n, SI

// The registers: R9 is the run, DI what is written to, SI where, up to R8. BX is the member, DX the struct, CX the value.
// R12 is behind the last frame, R13 where the member begins.

// func Go(r *Run)
TEXT ·Go(SB), NOSPLIT, $40-8
	MOVQ r+0(FP), R9
	MOVQ Run_Base(R9), DI
	MOVQ Run_At(R9), SI
	ADDQ DI, SI
	MOVQ Run_Limit(R9), R8
	ADDQ DI, R8
	MOVQ Run_Member(R9), BX
	MOVQ Run_P(R9), DX
	MOVQ $0, Run_Value(R9)
	XORL R14, R14 // of a list: the elements from this one on
	MOVQ Run_Depth(R9), AX
	IMUL3Q $Frame__size, AX, AX
	LEAQ Run_Frames(R9)(AX*1), R12
	MOVQ Run_How(R9), AX
	ANDL $1, AX
	LEAQ special<>(SB), CX
	VPBROADCASTQ 48(CX), SPACE
	VPBROADCASTQ 32(CX)(AX*8), EXTRA
	ADDQ AX, AX
	VBROADCASTI128 (CX)(AX*8), TABLE

loop:
	CMPQ SI, R8
	JHI  exit

untouched:
	TESTQ BX, BX
	JZ   end
	MOVWLZX Member_Kind(BX), R10 // with the omission behind it
	LEAL -1(R10), AX
	CMPL AX, $255
	JB   write // never left out
	MOVL R10, AX
	SHRL $8, AX
	MOVBLZX R10, R10
	TESTL R10, R10
	JZ   exit
	MOVL Member_State(BX), CX
	CMPL AX, $const_ZeroWord
	JNE  narrow
	CMPQ (DX)(CX*1), $0
	JNE  write

skip:
	MOVQ Member_Next(BX), BX
	JMP  untouched

narrow:
	CMPL AX, $const_ZeroByte
	JE   byte
	JA   float
	CMPL (DX)(CX*1), $0
	JNE  write
	JMP  skip

byte:
	CMPB (DX)(CX*1), $0
	JNE  write
	JMP  skip

float:
	CMPL AX, $const_ZeroFloat
	JB   option
	JA   emptied
	MOVQ (DX)(CX*1), AX
	ADDQ AX, AX
	JZ   skip

write:
	MOVQ SI, R13
	VMOVDQU Member_Name(BX), Y0
	VMOVDQU Y0, (SI)
	MOVBLZX Member_N(BX), AX
	ADDQ AX, SI
	MOVQ Member_Off(BX), CX
	ADDQ DX, CX
	TESTL $(const_To|const_Long), R10
	JNZ  special

value:
	CMPL R10, $const_String
	JNE  notString

string: // at CX
	MOVQ (CX), R10
	MOVQ 8(CX), R11
	MOVB $'"', (SI)
	INCQ SI

chunk: // of R11 bytes at R10
	CMPQ R11, $32
	JB   tail
	CMPQ SI, R8
	JHI  give
	VMOVDQU (R10), Y1
	VMOVDQU Y1, (SI)
	CLASSES(AX)
	TESTL AX, AX
	JNZ  hit
	ADDQ $32, R10
	ADDQ $32, SI
	SUBQ $32, R11
	JMP  chunk

tail:
	TESTQ R11, R11
	JZ   quote
	MOVL R10, AX
	ANDL $4095, AX
	CMPL AX, $4064
	JHI  last // what is behind the string may be no memory
	VMOVDQU (R10), Y1
	VMOVDQU Y1, (SI)

classes:
	CLASSES(AX)
	BZHIL R11, AX, AX
	JNZ  hit
	ADDQ R11, SI

quote:
	MOVB $'"', (SI)
	INCQ SI
	TESTQ R14, R14
	JNZ  stringAfter
	MOVQ Member_Next(BX), BX
	JMP  loop

last: // byte by byte
	VMOVQ DX, X5
	MOVQ R11, AX

byteOf:
	MOVB -1(R10)(AX*1), DX
	MOVB DX, -1(SI)(AX*1)
	DECQ AX
	JNZ  byteOf
	VMOVQ X5, DX
	VMOVDQU (SI), Y1
	JMP  classes

hit: // AX has the bits of bytes that are special
	CMPQ SI, R8
	JHI  give
	VMOVQ BX, X5
	VMOVQ DX, X6
	VPMOVMSKB Y1, BX
	TESTL BX, AX
	JNZ  first
	MOVL R10, BX
	ANDL $4095, BX
	CMPL BX, $4032
	JHI  first // what is behind the 32 bytes may be no memory

each: // its form is written over it, and what is behind it once more behind that
	TZCNTL AX, DX
	MOVBLZX (R10)(DX*1), BX
	SHLL $3, BX
	ADDQ Run_Forms(R9), BX
	MOVQ (BX), BX
	VMOVDQU 1(R10)(DX*1), Y2
	MOVQ BX, (SI)(DX*1)
	SHRQ $56, BX
	LEAQ -1(SI)(BX*1), SI
	VMOVDQU Y2, 1(SI)(DX*1)
	BLSRL AX, AX
	JNZ  each
	VMOVQ X5, BX
	VMOVQ X6, DX
	ADDQ $32, R10
	ADDQ $32, SI
	SUBQ $32, R11
	JAE  chunk
	ADDQ R11, SI
	JMP  quote

first: // alone
	VMOVQ X5, BX
	VMOVQ X6, DX
	TZCNTL AX, AX
	ADDQ AX, R10
	ADDQ AX, SI
	SUBQ AX, R11
	MOVBLZX (R10), AX
	CMPL AX, $0x80
	JAE  wideText
	SHLQ $3, AX
	ADDQ Run_Forms(R9), AX
	MOVQ (AX), AX
	MOVQ AX, (SI)
	SHRQ $56, AX
	ADDQ AX, SI
	INCQ R10
	DECQ R11
	JMP  chunk

wideText: // a character begins at R10
	TESTQ $const_AVX512, Run_How(R9)
	JNZ  wideText512
	VBROADCASTI128 tables<>+0(SB), Y9
	VBROADCASTI128 tables<>+16(SB), Y10
	VBROADCASTI128 tables<>+32(SB), Y11
	VBROADCASTI128 tables<>+48(SB), Y12

wideFirst:
	VPXOR Y8, Y8, Y8

wideChunk: // Y8 is before it
	CMPQ R11, $32
	JB   wideTail
	CMPQ SI, R8
	JHI  give
	VMOVDQU (R10), Y1

wideCheck:
	VMOVDQU Y1, (SI)
	TESTQ $const_Trusted, Run_How(R9)
	JNZ  trusted
	VPERM2I128 $0x21, Y1, Y8, Y7
	VPALIGNR $15, Y7, Y1, Y3
	VPALIGNR $14, Y7, Y1, Y5
	VPALIGNR $13, Y7, Y1, Y6
	VPSRLW $4, Y3, Y4
	VPAND Y12, Y4, Y4
	VPAND Y12, Y3, Y3
	VPSRLW $4, Y1, Y2
	VPAND Y12, Y2, Y2
	VPSHUFB Y4, Y9, Y4
	VPSHUFB Y3, Y10, Y3
	VPSHUFB Y2, Y11, Y2
	VPAND Y3, Y4, Y4
	VPAND Y2, Y4, Y4
	VPSUBUSB each<>+0(SB), Y5, Y2
	VPSUBUSB each<>+32(SB), Y6, Y6
	VPOR Y2, Y6, Y6
	VPAND each<>+64(SB), Y6, Y6
	VPXOR Y6, Y4, Y4 // what is not UTF-8
	VPCMPEQB each<>+96(SB), Y5, Y5
	SPECIAL
	VPOR Y4, Y5, Y6
	VPOR Y3, Y6, Y6
	VPTEST Y6, Y6
	JNZ  careful

wideNext:
	VMOVDQA Y1, Y8
	ADDQ $32, R10
	ADDQ $32, SI
	SUBQ $32, R11
	JGE  wideChunk
	ADDQ R11, SI
	JMP  quote

trusted:
	SPECIAL
	VPMOVMSKB Y3, AX
	TESTL AX, AX
	JZ   wideNext
	JMP  wideHit

wideTail: // its spaces find a character that is cut off
	VMOVDQU ends<>+32(SB), Y1
	TESTQ R11, R11
	JZ   wideCheck
	MOVL R10, AX
	ANDL $4095, AX
	CMPL AX, $4064
	JHI  give
	LEAQ ends<>+32(SB), AX
	SUBQ R11, AX
	VMOVDQU (R10), Y1
	VPMINUB (AX), Y1, Y1
	VPMAXUB 64(AX), Y1, Y1
	JMP  wideCheck

careful:
	VPTEST Y4, Y4
	JNZ  give
	VPALIGNR $15, Y7, Y1, Y4
	VPCMPEQB each<>+64(SB), Y4, Y4
	VPAND Y4, Y5, Y5
	VPOR separators<>+0(SB), Y1, Y4
	VPCMPEQB separators<>+64(SB), Y4, Y4
	VPTEST Y4, Y5
	JNZ  give // U+2028 or U+2029
	VPMOVMSKB Y3, AX
	TESTL AX, AX
	JZ   wideNext

wideHit:
	TZCNTQ AX, AX
	ADDQ AX, R10
	ADDQ AX, SI
	SUBQ AX, R11
	CMPQ SI, R8
	JHI  give
	MOVBLZX (R10), AX
	SHLQ $3, AX
	ADDQ Run_Forms(R9), AX
	MOVQ (AX), AX
	MOVQ AX, (SI)
	SHRQ $56, AX
	ADDQ AX, SI
	INCQ R10
	DECQ R11
	TESTQ $const_AVX512, Run_How(R9)
	JZ   wideFirst
	JMP  wideFirst512

wideText512: // the same, 64 bytes at a time
	VBROADCASTI32X4 tables<>+0(SB), Z25
	VBROADCASTI32X4 tables<>+16(SB), Z26
	VBROADCASTI32X4 tables<>+32(SB), Z27
	VBROADCASTI32X4 tables<>+48(SB), Z24
	VBROADCASTI32X4 each<>+0(SB), Z28
	VBROADCASTI32X4 each<>+32(SB), Z29
	VBROADCASTI32X4 each<>+64(SB), Z23
	VBROADCASTI32X4 each<>+96(SB), Z22
	VBROADCASTI32X4 ends<>+32(SB), Z21
	VSHUFI64X2 $0, Z15, Z15, Z20
	VSHUFI64X2 $0, Z14, Z14, Z19

wideFirst512:
	VPXORQ Z18, Z18, Z18

wideChunk512: // Z18 is before it
	CMPQ R11, $64
	JB   wideTail512
	CMPQ SI, R8
	JHI  give
	VMOVDQU64 (R10), Z1

wideCheck512:
	VMOVDQU64 Z1, (SI)
	VPSHUFB Z1, Z20, Z2
	VPCMPEQB Z1, Z2, K3
	VPCMPEQB Z1, Z19, K4
	VPCMPUB $1, Z21, Z1, K5
	KORQ K3, K4, K3
	KORQ K3, K5, K3
	TESTQ $const_Trusted, Run_How(R9)
	JNZ  trusted512
	VALIGNQ $6, Z18, Z1, Z7
	VPALIGNR $15, Z7, Z1, Z3
	VPALIGNR $14, Z7, Z1, Z5
	VPALIGNR $13, Z7, Z1, Z6
	VPSRLW $4, Z3, Z4
	VPANDQ Z24, Z4, Z4
	VPANDQ Z24, Z3, Z2
	VPSRLW $4, Z1, Z7
	VPANDQ Z24, Z7, Z7
	VPSHUFB Z4, Z25, Z4
	VPSHUFB Z2, Z26, Z2
	VPSHUFB Z7, Z27, Z7
	VPTERNLOGQ $0x80, Z7, Z2, Z4
	VPCMPEQB Z22, Z5, K2
	VPSUBUSB Z28, Z5, Z5
	VPSUBUSB Z29, Z6, Z6
	VPORQ Z5, Z6, Z6
	VPTERNLOGQ $0x78, Z23, Z6, Z4 // what is not UTF-8
	VPTESTMB Z4, Z4, K1
	KORQ K1, K2, K6
	KORTESTQ K3, K6
	JNZ  careful512

wideNext512:
	VMOVDQA64 Z1, Z18
	ADDQ $64, R10
	ADDQ $64, SI
	SUBQ $64, R11
	JGE  wideChunk512
	ADDQ R11, SI
	JMP  quote

trusted512:
	KMOVQ K3, AX
	TESTQ AX, AX
	JZ   wideNext512
	JMP  wideHit

wideTail512:
	MOVQ $-1, AX
	BZHIQ R11, AX, AX
	KMOVQ AX, K1
	VMOVDQA64 Z21, Z1
	VMOVDQU8 (R10), K1, Z1
	JMP  wideCheck512

careful512:
	VPCMPEQB Z23, Z3, K2, K2
	VPORQ separators<>+0(SB), Z1, Z4
	VPCMPEQB separators<>+64(SB), Z4, K2, K2
	KORTESTQ K1, K2
	JNZ  give
	KMOVQ K3, AX
	TESTQ AX, AX
	JNZ  wideHit
	JMP  wideNext512

special:
	BTRL $7, R10
	JCC  pointer
	MOVQ Member_More(BX), AX
	VMOVDQU (AX), Y0
	VMOVDQU Y0, (SI)
	MOVBLZX More_N(AX), AX
	ADDQ AX, SI
	BTL  $6, R10
	JCC  value

pointer:
	ANDL $~const_To, R10
	MOVQ (CX), CX
	TESTQ CX, CX
	JNZ  value

null:
	MOVL $0x6c6c756e, (SI)
	ADDQ $4, SI
	MOVQ Member_Next(BX), BX
	JMP  loop

notString:
	CMPL R10, $const_Struct
	JAE  nested
	CMPL R10, $const_Int64
	JA   other
	JE   int64
	CMPL R10, $const_Bool
	JNE  none
	CMPB (CX), $0
	JE   false
	MOVL $0x65757274, (SI)
	ADDQ $4, SI
	MOVQ Member_Next(BX), BX
	JMP  loop

false:
	MOVL $0x736c6166, (SI)
	MOVB $'e', 4(SI)
	ADDQ $5, SI
	MOVQ Member_Next(BX), BX
	JMP  loop

option:
	MOVBLZX (DX)(CX*1), CX
	CMPL AX, $const_NullByte
	JNE  field
	TESTL CX, CX
	JNZ  write
	JMP  unset

emptied:
	CMPL AX, $const_NilEmpty
	JB   write
	MOVQ (DX)(CX*1), CX
	TESTQ CX, CX
	JZ   zero
	CMPL AX, $const_NilLength
	JNE  write
	CMPQ 8(CX), $0
	JNE  write
	JMP  skip

zero:
	CMPL AX, $const_Stands
	JNE  skip
	JMP  exit

field:
	CMPL CX, $2
	JE   write
	CMPL CX, $1
	JNE  skip

unset:
	VMOVDQU Member_Name(BX), Y0
	VMOVDQU Y0, (SI)
	MOVBLZX Member_N(BX), AX
	ADDQ AX, SI
	BTL  $7, R10
	JCC  null
	MOVQ Member_More(BX), AX
	VMOVDQU (AX), Y0
	VMOVDQU Y0, (SI)
	MOVBLZX More_N(AX), AX
	ADDQ AX, SI
	JMP  null

none:
	CMPL R10, $const_List
	JE   slice
	CMPL R10, $const_Other
	JE   leave
	CMPQ (CX), $0
	JNE  leave
	CMPL R10, $const_Nil
	JE   null
	TESTQ $(const_FullSlices|const_FullMaps), Run_How(R9)
	JZ   null
	JMP  leave

slice:
	CMPQ 8(CX), $0
	JE   without
	JMP  leave

give: // go back to where the value begins
	MOVBLZX Member_N(BX), SI
	ADDQ R13, SI
	MOVBLZX Member_Kind(BX), R10
	MOVQ Member_Off(BX), CX
	ADDQ DX, CX
	BTL  $7, R10
	JCC  brief
	MOVQ Member_More(BX), AX
	MOVBLZX More_N(AX), AX
	ADDQ AX, SI

brief:
	BTL  $6, R10
	JCC  leave
	MOVQ (CX), CX

leave: // the value at CX to the caller
	MOVQ CX, Run_Value(R9)

exit:
	VZEROUPPER
	SUBQ DI, SI
	MOVQ SI, Run_At(R9)
	MOVQ BX, Run_Member(R9)
	MOVQ DX, Run_P(R9)
	RET

other:
	CMPL R10, $const_Uint32
	JA   wide
	JE   uint32
	CMPL R10, $const_Int32
	JNE  uint8
	MOVLQSX (CX), R10
	JMP  signed

uint8:
	CMPL R10, $const_Uint8
	JNE  uint16
	MOVBLZX (CX), R10
	JMP  unsigned

uint16:
	MOVWLZX (CX), R10
	JMP  unsigned

uint32:
	MOVL (CX), R10
	JMP  unsigned

wide:
	CMPL R10, $const_Uint64
	JNE  float64
	MOVQ (CX), R10
	JMP  unsigned

float64:
	MOVQ (CX), AX
	VCVTTSD2SIQ (CX), R10
	VPXOR X1, X1, X1
	VCVTSI2SDQ R10, X1, X1
	VMOVQ X1, R11
	CMPQ AX, R11
	JE   whole
	MOVQ BX, member-40(SP)
	MOVQ DX, struct-32(SP)
	MOVQ R8, limit-24(SP)
	MOVQ R12, frame-16(SP)
	MOVQ R13, from-8(SP)
#include "float_amd64.h"
	JMP  float64After

unfit:
	XORL SI, SI

float64After:
	MOVQ member-40(SP), BX
	MOVQ struct-32(SP), DX
	MOVQ limit-24(SP), R8
	MOVQ frame-16(SP), R12
	MOVQ from-8(SP), R13
	TESTQ SI, SI
	JZ   give
	MOVQ Member_Next(BX), BX
	JMP  loop

whole: // from 2^53 on the shortest decimal is another one
	MOVQ R10, AX
	SARQ $53, AX
	INCQ AX
	CMPQ AX, $1
	JLS  signed
	JMP  give

int64:
	MOVQ (CX), R10

signed:
	TESTQ R10, R10
	JNS  unsigned
	MOVB $'-', (SI)
	INCQ SI
	NEGQ R10

unsigned:
	CMPQ R10, $10
	JAE  digits
	ADDL $'0', R10
	MOVB R10, (SI)
	INCQ SI

number:
	TESTQ R14, R14
	JNZ  intAfter
	MOVQ Member_Next(BX), BX
	JMP  loop

digits:
	CMPQ R10, $100000000
	JAE  many
	WIDTH(R10, R15, AX)
	DIGITS(R10, R11, AX)
	LEAD(R10, R15, AX)
	JMP  number

many:
	VMOVQ DX, X1
	MOVQ $0xabcc77118461cefd, AX
	MOVQ R10, DX
	MULXQ AX, AX, R11
	SHRQ $26, R11
	IMUL3Q $100000000, R11, AX
	SUBQ AX, R10
	CMPQ R11, $100
	JAE  longer
	IMUL3Q $103, R11, AX
	SHRL $10, AX // the first of two digits
	LEAQ (AX)(AX*4), DX
	ADDQ DX, DX
	SUBQ DX, R11
	LEAL '0'(AX), DX
	MOVB DX, (SI)
	CMPQ AX, $1
	SBBQ $-1, SI // if it is not zero
	ADDL $'0', R11
	MOVB R11, (SI)
	INCQ SI

eight:
	VMOVQ X1, DX
	DIGITS(R10, R11, AX)
	MOVQ $0x3030303030303030, AX
	ORQ  AX, R10
	MOVQ R10, (SI)
	ADDQ $8, SI
	JMP  number

longer:
	CMPQ R11, $100000000
	JAE  huge
	WIDTH(R11, DX, AX)
	DIGITS(R11, R15, AX)
	LEAD(R11, DX, AX)
	JMP  eight

huge:
	VMOVQ R10, X2
	MOVQ $0xabcc77118461cefd, AX
	MOVQ R11, DX
	MULXQ AX, AX, R15
	SHRQ $26, R15
	IMUL3Q $100000000, R15, AX
	SUBQ AX, R11
	WIDTH(R15, DX, AX)
	DIGITS(R15, R10, AX)
	LEAD(R15, DX, AX)
	DIGITS(R11, R10, AX)
	MOVQ $0x3030303030303030, AX
	ORQ  AX, R11
	MOVQ R11, (SI)
	ADDQ $8, SI
	VMOVQ X2, R10
	JMP  eight

nested:
	CMPL R10, $const_Strings
	JAE  scalars
	MOVQ Member_Object(BX), R11
	CMPL R10, $const_Struct
	JNE  list
	CMPL Object_Ready(R11), $0
	JE   give
	CMPQ Run_Depth(R9), $const_Depth
	JGE  give
	MOVQ $0, Frame_Left(R12)
	MOVQ SI, AX
	SUBQ DI, AX
	MOVQ AX, Frame_Start(R12)
	INCQ Run_Depth(R9)
	MOVQ BX, Frame_Member(R12)
	MOVQ DX, Frame_P(R12)
	ADDQ $Frame__size, R12
	MOVQ Object_First(R11), BX
	MOVQ CX, DX
	JMP  loop

end: // of a struct
	CMPQ Run_Depth(R9), $0
	JE   exit
	MOVQ (Frame_Start-Frame__size)(R12), AX
	ADDQ DI, AX
	CMPQ AX, SI
	JE   bare
	MOVB $'{', (AX)
	MOVB $'}', (SI)
	INCQ SI

closed:
	MOVQ (Frame_Left-Frame__size)(R12), R10
	TESTQ R10, R10
	JNZ  following

pop:
	SUBQ $Frame__size, R12
	DECQ Run_Depth(R9)
	MOVQ Frame_Member(R12), BX
	MOVQ Frame_P(R12), DX
	MOVQ Member_Next(BX), BX
	JMP  loop

bare:
	CMPQ (Frame_Left-Frame__size)(R12), $0
	JNE  braces // an element
	MOVQ (Frame_Member-Frame__size)(R12), R10
	CMPB Member_Omit(R10), $const_Empty
	JB   braces
	MOVBLZX Member_N(R10), AX // the member is taken back
	SUBQ AX, SI
	CMPB Member_Kind(R10), $0
	JGE  pop
	MOVQ Member_More(R10), AX
	MOVBLZX More_N(AX), AX
	SUBQ AX, SI
	JMP  pop

braces:
	MOVW $0x7d7b, (SI)
	ADDQ $2, SI
	JMP  closed

list: // an empty one asks for nothing of its object, which may never be ready
	MOVQ 8(CX), AX
	TESTQ AX, AX
	JZ   without
	CMPL Object_Ready(R11), $0
	JE   give
	CMPQ Run_Depth(R9), $const_Depth
	JGE  give
	MOVQ (CX), CX
	CMPL R10, $const_ToStructs
	JNE  begin

	// One that is nil is left to the caller, with the rest of the list.
	LEAQ -8(CX)(AX*8), R10

pointers:
	CMPQ (R10), $0
	JE   give
	SUBQ $8, R10
	CMPQ R10, CX
	JAE  pointers

begin:
	MOVQ AX, Frame_Left(R12)
	MOVQ SI, AX
	SUBQ DI, AX
	MOVQ AX, Frame_List(R12)
	INCQ Run_Depth(R9)
	MOVQ BX, Frame_Member(R12)
	MOVQ DX, Frame_P(R12)
	ADDQ $Frame__size, R12

element: // at CX
	MOVQ CX, (Frame_Elem-Frame__size)(R12)
	MOVQ (Frame_Member-Frame__size)(R12), R10
	MOVB $',', (SI)
	INCQ SI
	MOVQ SI, AX
	SUBQ DI, AX
	MOVQ AX, (Frame_Start-Frame__size)(R12)
	MOVBLZX Member_Kind(R10), AX
	ANDL $0x3f, AX
	MOVQ Member_Object(R10), R11
	CMPL AX, $const_ToStructs
	JNE  direct
	MOVQ (CX), CX
	TESTQ CX, CX
	JZ   lost

direct:
	MOVQ CX, DX
	MOVQ Object_First(R11), BX
	JMP  loop

lost: // it has become nil, and counts as empty
	XORL BX, BX
	JMP  loop

following:
	MOVQ (Frame_Elem-Frame__size)(R12), CX
	MOVQ (Frame_Member-Frame__size)(R12), AX
	MOVBLZX Member_Kind(AX), R11
	ANDL $0x3f, R11
	MOVQ Member_Object(AX), AX
	MOVQ Object_Size(AX), AX
	CMPL R11, $const_ToStructs
	JNE  sized
	MOVL $8, AX

sized:
	ADDQ AX, CX
	DECQ R10
	MOVQ R10, (Frame_Left-Frame__size)(R12)
	JNZ  element
	MOVQ (Frame_List-Frame__size)(R12), AX
	MOVB $'[', (DI)(AX*1)
	MOVB $']', (SI)
	INCQ SI
	JMP  pop

without:
	CMPQ (CX), $0
	JNE  hollow
	CMPB Member_Omit(BX), $const_Full
	JE   hollow
	TESTQ $const_FullSlices, Run_How(R9)
	JZ   null

hollow:
	MOVW $0x5d5b, (SI)
	ADDQ $2, SI
	MOVQ Member_Next(BX), BX
	JMP  loop

scalars: // R14 is how many are left
	MOVQ 8(CX), R14
	TESTQ R14, R14
	JZ   without
	MOVQ SI, AX
	SUBQ R13, AX
	MOVL AX, Run_List(R9)
	MOVQ (CX), CX
	MOVB $',', (SI)
	INCQ SI
	XORL R15, R15
	CMPL R10, $const_Int64s
	JB   string
	JE   int64
	INCL R15 // of pairs
	JMP  string

stringAfter:
	ADDQ $16, CX
	CMPQ SI, R8
	JHI  give
	MOVB $',', (SI)
	TESTL R15, R15
	JNZ  pair

another:
	INCQ SI
	DECQ R14
	JNZ  string
	TESTL R15, R15
	JZ   listed
	MOVL Run_List(R9), AX
	MOVB $'{', (R13)(AX*1)
	MOVB $'}', -1(SI)
	MOVQ Member_Next(BX), BX
	JMP  loop

pair:
	TESTL $1, R14
	JNZ  another
	MOVB $':', (SI) // an even number is left with the value
	JMP  another

intAfter:
	ADDQ $8, CX
	CMPQ SI, R8
	JHI  give
	MOVB $',', (SI)
	INCQ SI
	DECQ R14
	JNZ  int64

listed:
	MOVL Run_List(R9), AX
	MOVB $'[', (R13)(AX*1)
	MOVB $']', -1(SI)
	MOVQ Member_Next(BX), BX
	JMP  loop
