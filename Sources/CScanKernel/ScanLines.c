// Lines of which it is known how they are built: do all their gaps stand where they are to, and
// what are the codes of their values?
//
// What a processor can do decides how: all ways give the same answers (the tests compare them).
#include "CScanKernel.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define ONES 255, 255, 255, 255, 255, 255, 255, 255
const uint8_t scan_masks[96] = {ONES, ONES, ONES, ONES, ONES, ONES, ONES, ONES};

// 32 bytes a piece, and nothing waits for what was found out about the piece before. The compiler
// makes of `bytes32` what the processor has.
typedef uint8_t bytes32 __attribute__((vector_size(32), aligned(1)));
typedef uint64_t words32 __attribute__((vector_size(32)));
typedef uint64_t loose_words32 __attribute__((vector_size(32), aligned(8)));

#define DEFINE_PIECES(name, attributes)                                                          \
  attributes static _Bool name(                                                                  \
      const uint8_t *text, const uint32_t *quotes, const scan_piece *pieces, size_t count,       \
      const void *spellings) {                                                                   \
    bytes32 differing = {0};                                                                     \
    for (size_t index = 0; index < count; index++) {                                             \
      const scan_piece piece = pieces[index];                                                    \
      const uint8_t *const place = text + quotes[piece.quote] + piece.offset;                    \
      const scan_spelling *const wanted =                                                        \
          (const scan_spelling *)((const uint8_t *)spellings + piece.spelling);                  \
      differing |= (*(const bytes32 *)place ^ *(const bytes32 *)wanted->bytes) &                 \
                   *(const bytes32 *)wanted->mask;                                               \
    }                                                                                            \
    return __builtin_reduce_or((words32)differing) == 0;                                         \
  }

DEFINE_PIECES(pieces_portably, )
#if defined(__x86_64__)
DEFINE_PIECES(pieces_with_avx2, __attribute__((target("avx2"))))
DEFINE_PIECES(pieces_with_avx512, __attribute__((target("avx512f,avx512bw,avx512vl"))))
#endif

_Bool scan_pieces(
    int way, const uint8_t *text, const uint32_t *quotes, const scan_piece *pieces, size_t count,
    const void *spellings) {
#if defined(__x86_64__)
  if (way >= 2) return pieces_with_avx512(text, quotes, pieces, count, spellings);
  if (way == 1) return pieces_with_avx2(text, quotes, pieces, count, spellings);
#endif
  (void)way;
  return pieces_portably(text, quotes, pieces, count, spellings);
}

// Whether the `length` bytes at `start`, at most 32, are others than the known ones. As no text has
// a NUL, the zeros behind a known one tell how long it is.
static inline _Bool differs_portably(
    const uint8_t *start, uint32_t length, const scan_known *known) {
  const bytes32 bytes =
      *(const bytes32 *)start & *(const bytes32 *)(scan_masks + 64 - (length & 63));
  return __builtin_reduce_or((words32)bytes ^ *(const loose_words32 *)known->words) != 0;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static inline _Bool differs_with_avx2(
    const uint8_t *start, uint32_t length, const scan_known *known) {
  const __m256i mask = _mm256_loadu_si256((const __m256i *)(scan_masks + 64 - (length & 63)));
  const __m256i bytes = _mm256_and_si256(_mm256_loadu_si256((const __m256i *)start), mask);
  const __m256i differing =
      _mm256_xor_si256(bytes, _mm256_loadu_si256((const __m256i *)known->words));
  return !_mm256_testz_si256(differing, differing);
}

__attribute__((target("avx512f,avx512bw,avx512vl,bmi2"))) static inline _Bool differs_with_avx512(
    const uint8_t *start, uint32_t length, const scan_known *known) {
  const __m256i bytes = _mm256_maskz_loadu_epi8(_bzhi_u32(~0u, length), start);
  return _mm256_cmpneq_epi64_mask(bytes, _mm256_loadu_si256((const __m256i *)known->words)) != 0;
}
#endif

#define DEFINE_CODES(name, differs, attributes)                                                  \
  attributes static size_t name(                                                                 \
      const uint8_t *text, const uint32_t *quotes, const scan_wanted *wanted, size_t count,      \
      uint32_t *row) {                                                                           \
    for (size_t index = 0; index < count; index++) {                                             \
      const scan_wanted *const own = wanted + index;                                             \
      const uint32_t start = quotes[own->quote] + 1, end = quotes[own->quote + 1];               \
      const scan_known *const known =                                                            \
          own->known + scan_known_place(text + start, text + end);                               \
      if ((end - start - 1 > 31) | differs(text + start, end - start, known)) return index;      \
      row[own->slot] = (uint32_t)known->code;                                                    \
    }                                                                                            \
    return count;                                                                                \
  }

DEFINE_CODES(codes_portably, differs_portably, )
#if defined(__x86_64__)
DEFINE_CODES(codes_with_avx2, differs_with_avx2, __attribute__((target("avx2"))))
DEFINE_CODES(
    codes_with_avx512, differs_with_avx512,
    __attribute__((target("avx512f,avx512bw,avx512vl,bmi2"))))
#endif

size_t scan_codes(
    int way, const uint8_t *text, const uint32_t *quotes, const scan_wanted *wanted, size_t count,
    uint32_t *row) {
#if defined(__x86_64__)
  if (way >= 2) return codes_with_avx512(text, quotes, wanted, count, row);
  if (way == 1) return codes_with_avx2(text, quotes, wanted, count, row);
#endif
  (void)way;
  return codes_portably(text, quotes, wanted, count, row);
}
