// The loops that need instructions Swift has not: where do a text's quotes lie, where does a JSON string
// end, does a text begin with these bytes? The short ones are `static inline`, so that Swift
// compiles them into its own loops.
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

// Up to 32 bytes that a text is to begin with. Invariant: `mask` has ones where there are bytes,
// and `bytes` zeros where there are none.
typedef struct {
  uint8_t bytes[32];
  uint8_t mask[32];
} scan_spelling;

// Whether the text at `p` begins with the spelling. 32 bytes may be read from `p`.
static inline _Bool scan_begins(
    const uint8_t *_Nonnull p, const scan_spelling *_Nonnull spelling) {
#if defined(__SSE2__)
  const __m128i *const bytes = (const __m128i *)spelling->bytes;
  const __m128i *const masks = (const __m128i *)spelling->mask;
  const __m128i first = _mm_and_si128(
      _mm_xor_si128(_mm_loadu_si128((const __m128i *)p), _mm_loadu_si128(bytes)),
      _mm_loadu_si128(masks));
  const __m128i second = _mm_and_si128(
      _mm_xor_si128(_mm_loadu_si128((const __m128i *)(p + 16)), _mm_loadu_si128(bytes + 1)),
      _mm_loadu_si128(masks + 1));
  const __m128i same = _mm_cmpeq_epi8(_mm_or_si128(first, second), _mm_setzero_si128());
  return _mm_movemask_epi8(same) == 0xFFFF;
#else
  uint64_t text[4], bytes[4], masks[4], differing = 0;
  memcpy(text, p, 32);
  memcpy(bytes, spelling->bytes, 32);
  memcpy(masks, spelling->mask, 32);
  for (int word = 0; word < 4; word++) differing |= (text[word] ^ bytes[word]) & masks[word];
  return differing == 0;
#endif
}

// 64 bytes of ones and 32 of zeros.
extern const uint8_t scan_masks[96];

// From byte 32 - n on, a mask of a text's first n bytes.
static inline const uint8_t *_Nonnull scan_tail_masks(void) { return scan_masks + 32; }

// How many quotes and specials `scan_index` found.
typedef struct {
  uint32_t quotes;
  uint32_t specials;
} scan_counts;

// The ways of indexing that this processor has: 0 (any), 1 (AVX2), 2 (AVX-512).
int scan_best_way(void);

// A byte that JSON text has seldom or never: below 0x20, line feeds among them; a backslash that
// begins an escape; what is not of a valid character of UTF-8.
typedef struct {
  uint32_t place;
  // How many quotes stand before it.
  uint32_t quotes;
} scan_special;

// Writes `offset` and the place in `text` of every quote that no backslash escapes to `quotes`, and
// of every special byte to `specials`, where quotes are counted from `quotes_before` on.
//
// A text may be indexed piece by piece: `known` bytes of it stand before `text`. A character that
// the bytes before began, and `text` does not continue, is special at the byte before `text`. So is
// one where 64 bytes end, and that byte may be found twice.
//
// Requires: `way` is at most `scan_best_way()`; 64 bytes may be read beyond `text + count`; both
// lists have room for `count` + `count` / 64 + 64 entries.
scan_counts scan_index(
    int way, const uint8_t *_Nonnull text, size_t count, size_t known, uint32_t offset,
    uint32_t quotes_before, uint32_t *_Nonnull quotes, scan_special *_Nonnull specials);

// Where a spelling is to stand: `offset` bytes from the line's quote number `quote`.
typedef struct {
  // The distance of the spelling from the first one in bytes.
  uint32_t spelling;
  int16_t quote;
  int16_t offset;
} scan_piece;

// Whether all these pieces of a line stand where they are to.
//
// `quotes` are the places in `text` of the line's quotes. Requires: `way` is at most
// `scan_best_way()`; 32 bytes may be read from every piece's place, also where the text is another.
_Bool scan_pieces(
    int way, const uint8_t *_Nonnull text, const uint32_t *_Nonnull quotes,
    const scan_piece *_Nonnull pieces, size_t count, const void *_Nonnull spellings);

// A value of 1 to 32 bytes with zeros behind it, and its code; no bytes where there is none.
typedef struct {
  uint64_t words[4];
  uint64_t count;
  uint64_t code;
} scan_known;

// Where a text stands among 256 known ones: a number below 256 that depends on its first and last
// eight bytes, or, of a shorter one, on what stands beside it too. 8 bytes may be read from its
// beginning, and before its end.
static inline size_t scan_known_place(const uint8_t *_Nonnull start, const uint8_t *_Nonnull end) {
  uint64_t first, last;
  memcpy(&first, start, 8);
  memcpy(&last, end - 8, 8);
  return (size_t)((first * 0x9E3779B97F4A7C15u + last * 0xD6E8FEB86659FD93u) >> 56);
}

// A string of a line, the one behind its quote number `quote`: what is known of its values, 256
// of them, and where its code goes.
typedef struct {
  scan_known *_Nonnull known;
  uint16_t quote;
  uint16_t slot;
  uint32_t rule;
} scan_wanted;

// Writes the codes of strings into their slots of `row`, until one is not known; returns its number,
// `count` if all are.
//
// `quotes` are the places in `text` of the line's quotes. Requires: `way` as above; 32 bytes may be
// read from every string's beginning, and 8 before its end; no string has a NUL.
size_t scan_codes(
    int way, const uint8_t *_Nonnull text, const uint32_t *_Nonnull quotes,
    const scan_wanted *_Nonnull wanted, size_t count, uint32_t *_Nonnull row);

// SipHash-2-4 with 128 bits of output of many texts under one key, eight side by side.
//
// Word w of text i, the last one with the length in its top byte, is `words[w * stride + i]`.
// Writes the hash of text i to `low[i]` and `high[i]`; `count` must be a multiple of 8, `way` as
// above.
void scan_hash(
    int way, uint64_t key0, uint64_t key1, const uint64_t *_Nonnull words, size_t stride,
    size_t word_count, size_t count, uint64_t *_Nonnull low, uint64_t *_Nonnull high);

#endif
