/* SPDX-License-Identifier: GPL-3.0-or-later
 * MD5 (RFC 1321) and SHA-1 (FIPS 180-4) under nettle's names, for builds without nettle. Both take blocks of 64 bytes,
 * and end with a 1, zeros, and the length in bits. */
#include <nettle/md5.h>
#include <nettle/sha1.h>
#include <stdbool.h>
#include <string.h>

enum { BLOCK = 64, LENGTH_AT = 56 };

static uint32_t left(uint32_t x, unsigned by) { return x << by | x >> (32 - by); }

static uint32_t big(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}
static uint32_t little(const uint8_t *at) {
    return (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

/* ---- Blocks ---- */

/* RFC 1321, section 3.4: T[i] is the integer part of 2³² |sin(i)|. */
static const uint32_t SINES[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

static void md5_block(uint32_t *state, const uint8_t *block) {
    static const unsigned TURN[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    static const unsigned STEP[4] = {1, 5, 3, 7}, FIRST[4] = {0, 1, 5, 0};
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    for (unsigned i = 0; i < 64; i++) {
        unsigned round = i / 16;
        uint32_t mixed = round == 0   ? (b & c) | (~b & d)
                         : round == 1 ? (b & d) | (c & ~d)
                         : round == 2 ? b ^ c ^ d
                                      : c ^ (b | ~d);
        uint32_t sum = a + mixed + little(block + 4 * ((FIRST[round] + STEP[round] * i) % 16)) + SINES[i];
        a = d;
        d = c;
        c = b;
        b += left(sum, TURN[round][i % 4]);
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
}

static void sha1_block(uint32_t *state, const uint8_t *block) {
    static const uint32_t ADDED[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
    uint32_t word[80], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (unsigned i = 0; i < 80; i++)
        word[i] = i < 16 ? big(block + 4 * i) : left(word[i - 3] ^ word[i - 8] ^ word[i - 14] ^ word[i - 16], 1);
    for (unsigned i = 0; i < 80; i++) {
        unsigned round = i / 20;
        uint32_t mixed = round == 0 ? (b & c) | (~b & d) : round == 2 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
        uint32_t sum = left(a, 5) + mixed + e + ADDED[round] + word[i];
        e = d, d = c, c = left(b, 30), b = a, a = sum;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
}

/* ---- Messages of any length ---- */

typedef struct running {
    uint32_t *state;
    uint64_t *blocks;
    unsigned *index;
    uint8_t *block;
    void (*take)(uint32_t *state, const uint8_t *block);
} running;

static void add(const running *to, size_t length, const uint8_t *data) {
    while (length) {
        size_t room = BLOCK - *to->index, part = length < room ? length : room;
        memcpy(to->block + *to->index, data, part);
        *to->index += (unsigned)part;
        data += part;
        length -= part;
        if (*to->index < BLOCK) return;
        to->take(to->state, to->block);
        *to->blocks += 1;
        *to->index = 0;
    }
}

static void end(const running *of, bool big_endian, size_t length, uint8_t *digest) {
    uint64_t bits = (*of->blocks * BLOCK + *of->index) * 8;
    static const uint8_t PADDING[BLOCK] = {0x80};
    add(of, *of->index < LENGTH_AT ? LENGTH_AT - *of->index : BLOCK + LENGTH_AT - *of->index, PADDING);
    for (unsigned i = 0; i < 8; i++) of->block[LENGTH_AT + i] = (uint8_t)(bits >> 8 * (big_endian ? 7 - i : i));
    of->take(of->state, of->block);
    for (size_t i = 0; i < length; i++) digest[i] = (uint8_t)(of->state[i / 4] >> 8 * (big_endian ? 3 - i % 4 : i % 4));
}

/* ---- nettle's names ---- */

#define RUNNING(context, take) \
    { (context)->state, &(context)->count, &(context)->index, (context)->block, take }

void md5_init(struct md5_ctx *context) {
    *context = (struct md5_ctx){.state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}};
}
void md5_update(struct md5_ctx *context, size_t length, const uint8_t *data) {
    add(&(running)RUNNING(context, md5_block), length, data);
}
void md5_digest(struct md5_ctx *context, size_t length, uint8_t *digest) {
    end(&(running)RUNNING(context, md5_block), false, length, digest);
    md5_init(context);
}

void sha1_init(struct sha1_ctx *context) {
    *context = (struct sha1_ctx){.state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}};
}
void sha1_update(struct sha1_ctx *context, size_t length, const uint8_t *data) {
    add(&(running)RUNNING(context, sha1_block), length, data);
}
void sha1_digest(struct sha1_ctx *context, size_t length, uint8_t *digest) {
    end(&(running)RUNNING(context, sha1_block), true, length, digest);
    sha1_init(context);
}
