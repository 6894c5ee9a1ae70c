// The loops that need instructions Swift has not: where does a JSON string end, and what are the hashes
// of many ids? The short ones are `static inline`, so that Swift compiles them into its own loops.
#ifndef C_SCAN_KERNEL_H
#define C_SCAN_KERNEL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

// Returns the first byte at or after `p` that is a quote, a backslash, a control character (below
// 0x20) or not ASCII (0x80 and above).
//
// Requires: such a byte exists (every block ends with a line feed), and 32 bytes may be read at any
// address up to it (blocks are padded).
//
// 32 bytes a step: nearly every value that is no id ends in the first, so that the branch after it
// can be predicted; with 16 it depends on the value.
static inline const uint8_t *_Nonnull scan_string_end(const uint8_t *_Nonnull p) {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i space = _mm_set1_epi8(0x20);
  for (;;) {
    unsigned mask = 0;
    for (int half = 0; half < 2; half++) {
      const __m128i bytes = _mm_loadu_si128((const __m128i *)(p + 16 * half));
      // Signed: bytes from 0x80 are negative, so one comparison finds them and the controls.
      const __m128i low = _mm_cmplt_epi8(bytes, space);
      const __m128i special = _mm_or_si128(
          low, _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)));
      mask |= (unsigned)_mm_movemask_epi8(special) << (16 * half);
    }
    if (mask != 0) return p + __builtin_ctz(mask);
    p += 32;
  }
#elif defined(__aarch64__)
  for (;;) {
    const uint8x16_t bytes = vld1q_u8(p);
    const uint8x16_t low =
        vcltq_s8(vreinterpretq_s8_u8(bytes), vdupq_n_s8(0x20));
    const uint8x16_t special = vorrq_u8(
        low, vorrq_u8(vceqq_u8(bytes, vdupq_n_u8('"')), vceqq_u8(bytes, vdupq_n_u8('\\'))));
    const uint64_t mask =
        vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(special), 4)), 0);
    if (mask != 0) return p + (__builtin_ctzll(mask) >> 2);
    p += 16;
  }
#else
  const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;
  for (;;) {
    uint64_t word;
    memcpy(&word, p, 8);
    const uint64_t quote = word ^ (ones * '"'), backslash = word ^ (ones * '\\');
    const uint64_t special =
        ((word - ones * 0x20) | (quote - ones) | (backslash - ones) | word) & tops;
    if (special != 0) break;
    p += 8;
  }
  // The word holds a special byte, or a borrow only looks like one: decide byte by byte.
  while (*p >= 0x20 && *p < 0x80 && *p != '"' && *p != '\\') p++;
  return p;
#endif
}

// 32 bytes of ones and 32 of zeros: from byte 32 - n on, a mask of a text's first n bytes.
extern const uint8_t scan_masks[64];
static inline const uint8_t *_Nonnull scan_tail_masks(void) { return scan_masks; }

// The ways of hashing that this processor has: 0 (any), 1 (AVX2), 2 (AVX-512).
int scan_best_way(void);

// SipHash-2-4 with 128 bits of output of many texts under one key, eight side by side.
//
// Word w of text i, the last one with the length in its top byte, is `words[w * stride + i]`.
// Writes the hash of text i to `low[i]` and `high[i]`; `count` must be a multiple of 8, `way` as
// above.
void scan_hash(
    int way, uint64_t key0, uint64_t key1, const uint64_t *_Nonnull words, size_t stride,
    size_t word_count, size_t count, uint64_t *_Nonnull low, uint64_t *_Nonnull high);

#endif
