// The index of a block: where its quotes and its special bytes lie.
//
//     text      {"event":"page","note":"a\"b"}\n
//     quotes     1      7 9   14 16 …
//     specials                           ^      ^      the backslash, the line feed
//
// 64 bytes a step become two masks of 64 bits, and the masks' bits become offsets. What a processor
// can do decides how: all ways write the same numbers (the tests compare them byte for byte).
#include "CScanKernel.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Offsets of the set bits of `mask`, eight at a time: up to 8 entries more than there are bits are
// written, and overwritten by what comes next.
static inline uint32_t *append_bits(uint32_t *out, uint64_t mask, uint32_t offset) {
  const int count = __builtin_popcountll(mask);
  uint32_t *const end = out + count;
  while (out < end) {
    for (int i = 0; i < 8; i++) {
      // After the last bit ctz of 0 is undefined: the top bit stands in for it.
      out[i] = offset + (uint32_t)__builtin_ctzll(mask | 1ull << 63);
      mask &= mask - 1;
    }
    out += 8;
  }
  return end;
}

// The special bytes of a step. Nearly always there is one or none, the line feed: no branch for that.
static inline scan_special *append_specials(
    scan_special *out, uint64_t mask, uint64_t quotes, uint32_t offset, uint32_t quotes_before) {
  // Below the first bit; all bits where there is none, which nobody reads.
  const uint64_t before = (mask & (0 - mask)) - 1;
  out->place = offset + (uint32_t)__builtin_ctzll(mask | 1ull << 63);
  out->quotes = quotes_before + (uint32_t)__builtin_popcountll(quotes & before);
  out += mask != 0;
  mask &= mask - 1;
  while (mask != 0) {
    out->place = offset + (uint32_t)__builtin_ctzll(mask);
    out->quotes =
        quotes_before + (uint32_t)__builtin_popcountll(quotes & ((mask & (0 - mask)) - 1));
    out++;
    mask &= mask - 1;
  }
  return out;
}

typedef struct {
  uint64_t quotes, specials;
} block_masks;

#if defined(__SSE2__)
static inline block_masks masks_of_64(const uint8_t *p) {
  const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\');
  const __m128i space = _mm_set1_epi8(0x20);
  block_masks masks = {0, 0};
  for (int part = 0; part < 4; part++) {
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(p + 16 * part));
    const __m128i special =
        _mm_or_si128(_mm_cmplt_epi8(bytes, space), _mm_cmpeq_epi8(bytes, backslash));
    const uint64_t quotes = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, quote));
    masks.quotes |= quotes << (16 * part);
    masks.specials |= (uint64_t)(unsigned)_mm_movemask_epi8(special) << (16 * part);
  }
  return masks;
}
#elif defined(__aarch64__)
static inline uint64_t bits_of(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d) {
  const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const uint8x16_t ab = vpaddq_u8(vandq_u8(a, weights), vandq_u8(b, weights));
  const uint8x16_t cd = vpaddq_u8(vandq_u8(c, weights), vandq_u8(d, weights));
  const uint8x16_t all = vpaddq_u8(ab, cd);
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(all, all)), 0);
}

static inline block_masks masks_of_64(const uint8_t *p) {
  uint8x16_t quotes[4], specials[4];
  for (int part = 0; part < 4; part++) {
    const uint8x16_t bytes = vld1q_u8(p + 16 * part);
    // Signed: bytes from 0x80 are negative, so one comparison finds them and the controls.
    const uint8x16_t low = vcltq_s8(vreinterpretq_s8_u8(bytes), vdupq_n_s8(0x20));
    quotes[part] = vceqq_u8(bytes, vdupq_n_u8('"'));
    specials[part] = vorrq_u8(low, vceqq_u8(bytes, vdupq_n_u8('\\')));
  }
  block_masks masks = {
      bits_of(quotes[0], quotes[1], quotes[2], quotes[3]),
      bits_of(specials[0], specials[1], specials[2], specials[3])};
  return masks;
}
#else
static inline block_masks masks_of_64(const uint8_t *p) {
  block_masks masks = {0, 0};
  for (int index = 0; index < 64; index++) {
    const uint64_t bit = 1ull << index;
    if (p[index] == '"') masks.quotes |= bit;
    if (p[index] < 0x20 || p[index] >= 0x80 || p[index] == '\\') masks.specials |= bit;
  }
  return masks;
}
#endif

// The bits of the last, shorter step.
static inline uint64_t mask_of_first(size_t count) {
  return count >= 64 ? ~0ull : (1ull << count) - 1;
}

static scan_counts index_portably(
    const uint8_t *text, size_t count, uint32_t offset, uint32_t quotes_before, uint32_t *quotes,
    scan_special *specials) {
  uint32_t *quote = quotes;
  scan_special *special = specials;
  for (size_t at = 0; at < count; at += 64) {
    block_masks masks = masks_of_64(text + at);
    const uint64_t wanted = mask_of_first(count - at);
    const uint32_t before = quotes_before + (uint32_t)(quote - quotes);
    special = append_specials(
        special, masks.specials & wanted, masks.quotes, offset + (uint32_t)at, before);
    quote = append_bits(quote, masks.quotes & wanted, offset + (uint32_t)at);
  }
  const scan_counts counts = {(uint32_t)(quote - quotes), (uint32_t)(special - specials)};
  return counts;
}

#if defined(__x86_64__)
__attribute__((target("avx2,bmi,bmi2,popcnt"))) static scan_counts index_with_avx2(
    const uint8_t *text, size_t count, uint32_t offset, uint32_t quotes_before, uint32_t *quotes,
    scan_special *specials) {
  const __m256i quote_byte = _mm256_set1_epi8('"'), backslash = _mm256_set1_epi8('\\');
  const __m256i space = _mm256_set1_epi8(0x20);
  uint32_t *quote = quotes;
  scan_special *special = specials;
  for (size_t at = 0; at < count; at += 64) {
    uint64_t found[2] = {0, 0};
    for (int half = 0; half < 2; half++) {
      const __m256i bytes = _mm256_loadu_si256((const __m256i *)(text + at + 32 * half));
      const __m256i low = _mm256_cmpgt_epi8(space, bytes);
      const __m256i is_special = _mm256_or_si256(low, _mm256_cmpeq_epi8(bytes, backslash));
      const __m256i is_quote = _mm256_cmpeq_epi8(bytes, quote_byte);
      found[0] |= (uint64_t)(uint32_t)_mm256_movemask_epi8(is_quote) << (32 * half);
      found[1] |= (uint64_t)(uint32_t)_mm256_movemask_epi8(is_special) << (32 * half);
    }
    const uint64_t wanted = mask_of_first(count - at);
    const uint32_t before = quotes_before + (uint32_t)(quote - quotes);
    special =
        append_specials(special, found[1] & wanted, found[0], offset + (uint32_t)at, before);
    quote = append_bits(quote, found[0] & wanted, offset + (uint32_t)at);
  }
  const scan_counts counts = {(uint32_t)(quote - quotes), (uint32_t)(special - specials)};
  return counts;
}

#define AVX512 "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi,bmi2,popcnt"

// The bits' numbers, pressed together, 16 a store.
__attribute__((target(AVX512))) static inline uint32_t *append_pressed(
    uint32_t *out, uint64_t mask, __m512i numbers, uint32_t offset) {
  const __m512i pressed = _mm512_maskz_compress_epi8(mask, numbers);
  const __m512i base = _mm512_set1_epi32((int)offset);
  const int count = __builtin_popcountll(mask);
  _mm512_storeu_si512(
      out, _mm512_add_epi32(base, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(pressed))));
  if (count > 16) {
    _mm512_storeu_si512(
        out + 16,
        _mm512_add_epi32(base, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(pressed, 1))));
    _mm512_storeu_si512(
        out + 32,
        _mm512_add_epi32(base, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(pressed, 2))));
    _mm512_storeu_si512(
        out + 48,
        _mm512_add_epi32(base, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(pressed, 3))));
  }
  return out + count;
}

__attribute__((target(AVX512))) static scan_counts index_with_avx512(
    const uint8_t *text, size_t count, uint32_t offset, uint32_t quotes_before, uint32_t *quotes,
    scan_special *specials) {
  static const uint8_t upwards[64] = {
      0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
      22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
      44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
  const __m512i numbers = _mm512_loadu_si512(upwards);
  const __m512i quote_byte = _mm512_set1_epi8('"'), backslash = _mm512_set1_epi8('\\');
  const __m512i space = _mm512_set1_epi8(0x20);
  uint32_t *quote = quotes;
  scan_special *special = specials;
  for (size_t at = 0; at < count; at += 64) {
    const __m512i bytes = _mm512_loadu_si512(text + at);
    const uint64_t wanted = mask_of_first(count - at);
    const uint64_t is_quote = _mm512_cmpeq_epi8_mask(bytes, quote_byte) & wanted;
    const uint64_t is_special =
        (_mm512_cmplt_epi8_mask(bytes, space) | _mm512_cmpeq_epi8_mask(bytes, backslash)) & wanted;
    const uint32_t before = quotes_before + (uint32_t)(quote - quotes);
    special = append_specials(special, is_special, is_quote, offset + (uint32_t)at, before);
    quote = append_pressed(quote, is_quote, numbers, offset + (uint32_t)at);
  }
  const scan_counts counts = {(uint32_t)(quote - quotes), (uint32_t)(special - specials)};
  return counts;
}
#endif

int scan_best_way(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi2"))
    return 2;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) return 1;
#endif
  return 0;
}

scan_counts scan_index(
    int way, const uint8_t *text, size_t count, uint32_t offset, uint32_t quotes_before,
    uint32_t *quotes, scan_special *specials) {
#if defined(__x86_64__)
  if (way >= 2) return index_with_avx512(text, count, offset, quotes_before, quotes, specials);
  if (way == 1) return index_with_avx2(text, count, offset, quotes_before, quotes, specials);
#endif
  (void)way;
  return index_portably(text, count, offset, quotes_before, quotes, specials);
}
