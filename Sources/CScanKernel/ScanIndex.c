// The index of a block: where its quotes and its special bytes lie.
//
//     text      {"event":"page","note":"a\"b"}\n
//     quotes     1      7 9   14 16 …         but not the one behind the backslash
//     specials                           ^      ^      the backslash, the line feed
//
// 64 bytes a step become masks of 64 bits, and the masks' bits become offsets. What a processor can
// do decides how: all ways write the same numbers (the tests compare them byte for byte).
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

// The bits of the last, shorter step.
static inline uint64_t mask_of_first(size_t count) {
  return count >= 64 ? ~0ull : (1ull << count) - 1;
}

// What the bytes before a step leave for it; each a bit, or nothing.
typedef struct {
  // A backslash stands before it that escapes its first byte.
  uint64_t escaped;
  // The byte before it begins a character: of two bytes or more, of three or more, of four.
  uint64_t two, three, four;
  // The two bytes before it begin a character of three bytes or more, of four; the three before it
  // one of four.
  uint64_t three_after_2, four_after_2, four_after_3;
  // The byte before it, if that is not ASCII; else 0.
  uint64_t last;
} text_state;

static inline size_t bytes_of_character(uint8_t first) {
  return first < 0xC2 || first > 0xF4 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

static inline _Bool is_continuation(uint8_t byte) { return (byte & 0xC0) == 0x80; }

// The state after the `count` bytes before `text`.
static text_state state_before(const uint8_t *text, size_t count) {
  text_state state = {0, 0, 0, 0, 0, 0, 0, 0};
  size_t backslashes = 0;
  while (backslashes < count && text[-1 - (ptrdiff_t)backslashes] == '\\') backslashes++;
  state.escaped = backslashes & 1;
  if (count < 1 || text[-1] < 0x80) return state;
  state.last = text[-1];
  const size_t last = bytes_of_character(text[-1]);
  state.two = last >= 2;
  state.three = last >= 3;
  state.four = last == 4;
  if (count < 2 || !is_continuation(text[-1])) return state;
  const size_t second = bytes_of_character(text[-2]);
  state.three_after_2 = second >= 3;
  state.four_after_2 = second == 4;
  if (count < 3 || !is_continuation(text[-2])) return state;
  state.four_after_3 = bytes_of_character(text[-3]) == 4;
  return state;
}

// The backslashes that begin an escape. What they escape is no quote of a string's end.
static inline uint64_t escape_starts(uint64_t backslashes, uint64_t *quotes, text_state *state) {
  uint64_t escaped = state->escaped, starts = 0;
  uint64_t left = backslashes & ~escaped;
  state->escaped = 0;
  while (left != 0) {
    const uint64_t first = left & (0 - left);
    starts |= first;
    escaped |= first << 1;
    left &= ~(first | first << 1);
    state->escaped = first >> 63;
  }
  *quotes &= ~escaped;
  return starts;
}

// Which of 64 bytes are what in UTF-8: continuations, the first bytes of characters of two, three
// and four bytes, and what breaks the rules for the byte behind certain first bytes (overlong forms,
// surrogates, beyond U+10FFFF).
typedef struct {
  uint64_t continuations, twos, threes, fours, e0, ed, f0, f4, below_90, below_a0;
} utf8_masks;

// The bytes that are not of a valid character. Where a character ends too early that is its last
// byte, so that it is found in its own line: `*before` tells that it is the one before the step.
static inline uint64_t broken_utf8(
    const utf8_masks *m, uint64_t not_ascii, text_state *state, uint64_t wanted,
    uint64_t *before) {
  const uint64_t four = m->fours, three = m->threes | four, two = m->twos | three;
  const uint64_t more = m->continuations;
  // Where a second byte is to stand, and a third and a fourth behind those that are there.
  const uint64_t second = two << 1 | state->two;
  const uint64_t three_after_2 = (three << 1 | state->three) & more;
  const uint64_t four_after_2 = (four << 1 | state->four) & more;
  const uint64_t third = three_after_2 << 1 | state->three_after_2;
  const uint64_t four_after_3 = (four_after_2 << 1 | state->four_after_2) & more;
  const uint64_t fourth = four_after_3 << 1 | state->four_after_3;
  const uint64_t needed = second | third | fourth;
  const uint64_t missing = needed & ~more & wanted;
  uint64_t broken = (more & ~needed) | (not_ascii & ~(more | two));
  broken |= (m->e0 << 1 | (state->last == 0xE0)) & more & m->below_a0;
  broken |= (m->ed << 1 | (state->last == 0xED)) & more & ~m->below_a0;
  broken |= (m->f0 << 1 | (state->last == 0xF0)) & more & m->below_90;
  broken |= (m->f4 << 1 | (state->last == 0xF4)) & more & ~m->below_90;
  *before = missing & 1;
  state->two = two >> 63;
  state->three = three >> 63;
  state->four = four >> 63;
  state->three_after_2 = three_after_2 >> 63;
  state->four_after_2 = four_after_2 >> 63;
  state->four_after_3 = four_after_3 >> 63;
  return broken | missing >> 1;
}

// Comparisons of `width` bytes at once, and their results as bits.
#define DEFINE_UTF8_MASKS(name, vector, width, bits, attributes)                              \
  attributes static inline utf8_masks name(const uint8_t *p) {                                \
    utf8_masks m = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};                                            \
    for (int at = 0; at < 64; at += width) {                                                  \
      vector v;                                                                               \
      memcpy(&v, p + at, sizeof v);                                                           \
      m.continuations |= bits((vector)((v & 0xC0) == 0x80)) << at;                            \
      m.twos |= bits((vector)((v & 0xE0) == 0xC0) & (vector)(v >= 0xC2)) << at;               \
      m.threes |= bits((vector)((v & 0xF0) == 0xE0)) << at;                                   \
      m.fours |= bits((vector)(v >= 0xF0) & (vector)(v <= 0xF4)) << at;                       \
      m.e0 |= bits((vector)(v == 0xE0)) << at;                                                \
      m.ed |= bits((vector)(v == 0xED)) << at;                                                \
      m.f0 |= bits((vector)(v == 0xF0)) << at;                                                \
      m.f4 |= bits((vector)(v == 0xF4)) << at;                                                \
      m.below_90 |= bits((vector)(v < 0x90)) << at;                                           \
      m.below_a0 |= bits((vector)(v < 0xA0)) << at;                                           \
    }                                                                                         \
    return m;                                                                                 \
  }

typedef uint8_t bytes16 __attribute__((vector_size(16)));

static inline uint64_t bits_of_16(bytes16 bytes) {
#if defined(__SSE2__)
  return (unsigned)_mm_movemask_epi8((__m128i)bytes);
#elif defined(__aarch64__)
  const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  uint8x16_t sums = vandq_u8((uint8x16_t)bytes, weights);
  for (int round = 0; round < 3; round++) sums = vpaddq_u8(sums, sums);
  return vgetq_lane_u16(vreinterpretq_u16_u8(sums), 0);
#else
  uint64_t bits = 0;
  for (int lane = 0; lane < 16; lane++) bits |= (uint64_t)(bytes[lane] >> 7) << lane;
  return bits;
#endif
}

DEFINE_UTF8_MASKS(utf8_masks_portably, bytes16, 16, bits_of_16, )

// What 64 bytes hold: quotes, what is below 0x20, and backslashes with all that is not ASCII.
typedef struct {
  uint64_t quotes, controls, odd;
} block_masks;

static inline block_masks masks_of_64(const uint8_t *p) {
  block_masks masks = {0, 0, 0};
  for (int at = 0; at < 64; at += 16) {
    bytes16 v;
    memcpy(&v, p + at, sizeof v);
    masks.quotes |= bits_of_16((bytes16)(v == '"')) << at;
    masks.controls |= bits_of_16((bytes16)(v < 0x20)) << at;
    masks.odd |= bits_of_16(v | (bytes16)(v == '\\')) << at;
  }
  return masks;
}

static inline uint64_t backslashes_of_64(const uint8_t *p) {
  uint64_t bits = 0;
  for (int at = 0; at < 64; at += 16) {
    bytes16 v;
    memcpy(&v, p + at, sizeof v);
    bits |= bits_of_16((bytes16)(v == '\\')) << at;
  }
  return bits;
}

// Takes in a step that has backslashes or other bytes than ASCII, or lies behind some: removes
// escaped quotes from `*quotes` and returns the special bytes among those. `*before` is set where
// the byte before the step is one.
#define DEFINE_ODD_BYTES(name, utf8_masks_of, attributes)                                         \
  attributes static inline uint64_t name(                                                         \
      const uint8_t *p, uint64_t odd, uint64_t wanted, uint64_t *quotes, text_state *state,       \
      uint64_t *before) {                                                                         \
    const uint64_t backslashes = backslashes_of_64(p) & wanted;                                   \
    const uint64_t not_ascii = odd & ~backslashes;                                                \
    uint64_t specials = 0;                                                                        \
    if ((backslashes | state->escaped) != 0)                                                      \
      specials |= escape_starts(backslashes, quotes, state);                                      \
    if ((not_ascii | state->last) != 0) {                                                         \
      utf8_masks masks = utf8_masks_of(p);                                                        \
      specials |= broken_utf8(&masks, not_ascii, state, wanted, before);                          \
    }                                                                                             \
    state->last = p[63] >= 0x80 ? p[63] : 0;                                                      \
    return specials & wanted;                                                                     \
  }

DEFINE_ODD_BYTES(odd_bytes_portably, utf8_masks_portably, )

static inline _Bool is_odd(const text_state *state) {
  return (state->escaped | state->last) != 0;
}

// A byte before the step that turned out to be special.
static inline scan_special *append_before(
    scan_special *out, uint64_t before, uint32_t offset, uint32_t quotes) {
  out->place = offset - 1;
  out->quotes = quotes;
  return out + before;
}

// What every way does with the masks of a step; `press` writes the quotes' offsets.
#define TAKE_STEP(masks, odd_bytes, press)                                                        \
  do {                                                                                            \
    const uint64_t wanted = mask_of_first(count - at);                                            \
    uint64_t specials = (masks).controls & wanted, found = (masks).quotes & wanted;               \
    const uint32_t before = quotes_before + (uint32_t)(quote - quotes);                           \
    if (__builtin_expect(((masks).odd & wanted) != 0 || is_odd(&state), 0)) {                     \
      uint64_t ends_early = 0;                                                                    \
      specials |=                                                                                 \
          odd_bytes(text + at, (masks).odd & wanted, wanted, &found, &state, &ends_early);        \
      special = append_before(special, ends_early, offset + (uint32_t)at, before);                \
    }                                                                                             \
    special = append_specials(special, specials, found, offset + (uint32_t)at, before);           \
    quote = press;                                                                                \
  } while (0)

static scan_counts index_portably(
    const uint8_t *text, size_t count, size_t known, uint32_t offset, uint32_t quotes_before,
    uint32_t *quotes, scan_special *specials_found) {
  uint32_t *quote = quotes;
  scan_special *special = specials_found;
  text_state state = state_before(text, known);
  for (size_t at = 0; at < count; at += 64) {
    const block_masks masks = masks_of_64(text + at);
    TAKE_STEP(masks, odd_bytes_portably, append_bits(quote, found, offset + (uint32_t)at));
  }
  const scan_counts counts = {(uint32_t)(quote - quotes), (uint32_t)(special - specials_found)};
  return counts;
}

#if defined(__x86_64__)
#define AVX2 "avx2,bmi,bmi2,popcnt"
typedef uint8_t bytes32 __attribute__((vector_size(32)));

__attribute__((target(AVX2))) static inline uint64_t bits_of_32(bytes32 bytes) {
  return (uint32_t)_mm256_movemask_epi8((__m256i)bytes);
}

DEFINE_UTF8_MASKS(utf8_masks_with_avx2, bytes32, 32, bits_of_32, __attribute__((target(AVX2))))
DEFINE_ODD_BYTES(odd_bytes_with_avx2, utf8_masks_with_avx2, __attribute__((target(AVX2))))

__attribute__((target(AVX2))) static scan_counts index_with_avx2(
    const uint8_t *text, size_t count, size_t known, uint32_t offset, uint32_t quotes_before,
    uint32_t *quotes, scan_special *specials_found) {
  const __m256i quote_byte = _mm256_set1_epi8('"'), backslash = _mm256_set1_epi8('\\');
  const __m256i space = _mm256_set1_epi8(0x20);
  uint32_t *quote = quotes;
  scan_special *special = specials_found;
  text_state state = state_before(text, known);
  for (size_t at = 0; at < count; at += 64) {
    block_masks masks = {0, 0, 0};
    for (int half = 0; half < 2; half++) {
      const __m256i bytes = _mm256_loadu_si256((const __m256i *)(text + at + 32 * half));
      const __m256i is_quote = _mm256_cmpeq_epi8(bytes, quote_byte);
      // Signed: bytes that are not ASCII are below the space too. Their sign is their bit.
      const __m256i is_low = _mm256_cmpgt_epi8(space, bytes);
      const __m256i is_odd = _mm256_or_si256(bytes, _mm256_cmpeq_epi8(bytes, backslash));
      masks.quotes |= (uint64_t)(uint32_t)_mm256_movemask_epi8(is_quote) << (32 * half);
      masks.controls |= (uint64_t)(uint32_t)_mm256_movemask_epi8(is_low) << (32 * half);
      masks.odd |= (uint64_t)(uint32_t)_mm256_movemask_epi8(is_odd) << (32 * half);
    }
    masks.controls &= ~masks.odd;
    TAKE_STEP(masks, odd_bytes_with_avx2, append_bits(quote, found, offset + (uint32_t)at));
  }
  const scan_counts counts = {(uint32_t)(quote - quotes), (uint32_t)(special - specials_found)};
  return counts;
}

#define AVX512 "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi,bmi2,popcnt"

DEFINE_UTF8_MASKS(utf8_masks_with_avx512, bytes32, 32, bits_of_32, __attribute__((target(AVX512))))
DEFINE_ODD_BYTES(odd_bytes_with_avx512, utf8_masks_with_avx512, __attribute__((target(AVX512))))

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
    const uint8_t *text, size_t count, size_t known, uint32_t offset, uint32_t quotes_before,
    uint32_t *quotes, scan_special *specials_found) {
  static const uint8_t upwards[64] = {
      0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
      22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
      44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
  const __m512i numbers = _mm512_loadu_si512(upwards);
  const __m512i quote_byte = _mm512_set1_epi8('"'), backslash = _mm512_set1_epi8('\\');
  const __m512i space = _mm512_set1_epi8(0x20);
  uint32_t *quote = quotes;
  scan_special *special = specials_found;
  text_state state = state_before(text, known);
  for (size_t at = 0; at < count; at += 64) {
    const __m512i bytes = _mm512_loadu_si512(text + at);
    const block_masks masks = {
        _mm512_cmpeq_epi8_mask(bytes, quote_byte), _mm512_cmplt_epu8_mask(bytes, space),
        _mm512_movepi8_mask(bytes) | _mm512_cmpeq_epi8_mask(bytes, backslash)};
    TAKE_STEP(
        masks, odd_bytes_with_avx512,
        append_pressed(quote, found, numbers, offset + (uint32_t)at));
  }
  const scan_counts counts = {(uint32_t)(quote - quotes), (uint32_t)(special - specials_found)};
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
    int way, const uint8_t *text, size_t count, size_t known, uint32_t offset,
    uint32_t quotes_before, uint32_t *quotes, scan_special *specials) {
#if defined(__x86_64__)
  if (way >= 2)
    return index_with_avx512(text, count, known, offset, quotes_before, quotes, specials);
  if (way == 1) return index_with_avx2(text, count, known, offset, quotes_before, quotes, specials);
#endif
  (void)way;
  return index_portably(text, count, known, offset, quotes_before, quotes, specials);
}
