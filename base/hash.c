/* SPDX-License-Identifier: GPL-3.0-or-later
 * Term hashes, and checksums of files. */
#include <nettle/sha2.h>
#include <xxhash.h>

#include "base/base.h"

uint64_t fp_fnv1a(const void *data, size_t length, uint64_t seed) {
    const unsigned char *byte = data;
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ seed;
    for (size_t i = 0; i < length; i++) hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

uint64_t fp_xxh3(const void *data, size_t length, uint64_t seed) { return XXH3_64bits_withSeed(data, length, seed); }

void fp_sha256_hex(fp_string content, char hex[65]) {
    struct sha256_ctx context;
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_init(&context);
    sha256_update(&context, content.length, (const uint8_t *)content.data);
    sha256_digest(&context, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++) snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}
