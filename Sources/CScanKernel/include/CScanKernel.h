// The one loop that needs vector instructions: where does a JSON string end?
// Everything is `static inline`, so that Swift compiles it into its own loops.
#ifndef C_SCAN_KERNEL_H
#define C_SCAN_KERNEL_H

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

#endif
