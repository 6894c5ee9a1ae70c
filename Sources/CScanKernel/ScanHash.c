// The hashes of ids: eight side by side, in any of three ways that give the same.
#include "CScanKernel.h"

// SipHash (Aumasson, Bernstein): eight texts side by side. The compiler makes of `lanes` what the
// processor has: one register of AVX-512, two of AVX2, four of SSE2 or NEON.
typedef uint64_t lanes __attribute__((vector_size(64)));

typedef struct {
  lanes v0, v1, v2, v3;
} hash_state;

#define ROTATED(word, bits) ((word) << (bits) | (word) >> (64 - (bits)))

#define HASH_ROUND(s)                \
  do {                               \
    (s).v0 += (s).v1;                \
    (s).v2 += (s).v3;                \
    (s).v1 = ROTATED((s).v1, 13);    \
    (s).v3 = ROTATED((s).v3, 16);    \
    (s).v1 ^= (s).v0;                \
    (s).v3 ^= (s).v2;                \
    (s).v0 = ROTATED((s).v0, 32);    \
    (s).v2 += (s).v1;                \
    (s).v0 += (s).v3;                \
    (s).v1 = ROTATED((s).v1, 17);    \
    (s).v3 = ROTATED((s).v3, 21);    \
    (s).v1 ^= (s).v2;                \
    (s).v3 ^= (s).v0;                \
    (s).v2 = ROTATED((s).v2, 32);    \
  } while (0)

#define DEFINE_HASH(name, attributes)                                                        \
  attributes static void name(                                                               \
      uint64_t key0, uint64_t key1, const uint64_t *words, size_t stride, size_t word_count, \
      size_t count, uint64_t *low, uint64_t *high) {                                         \
    for (size_t first = 0; first < count; first += 8) {                                      \
      const lanes zero = {0, 0, 0, 0, 0, 0, 0, 0};                                           \
      hash_state s;                                                                          \
      s.v0 = zero + (key0 ^ 0x736f6d6570736575u);                                            \
      s.v1 = zero + (key1 ^ 0x646f72616e646f6du ^ 0xeeu);                                    \
      s.v2 = zero + (key0 ^ 0x6c7967656e657261u);                                            \
      s.v3 = zero + (key1 ^ 0x7465646279746573u);                                            \
      for (size_t word = 0; word < word_count; word++) {                                     \
        lanes text;                                                                          \
        memcpy(&text, words + word * stride + first, sizeof text);                           \
        s.v3 ^= text;                                                                        \
        HASH_ROUND(s);                                                                       \
        HASH_ROUND(s);                                                                       \
        s.v0 ^= text;                                                                        \
      }                                                                                      \
      s.v2 ^= zero + 0xeeu;                                                                  \
      for (int round = 0; round < 4; round++) HASH_ROUND(s);                                 \
      lanes half = s.v0 ^ s.v1 ^ s.v2 ^ s.v3;                                                \
      memcpy(low + first, &half, sizeof half);                                               \
      s.v1 ^= zero + 0xddu;                                                                  \
      for (int round = 0; round < 4; round++) HASH_ROUND(s);                                 \
      half = s.v0 ^ s.v1 ^ s.v2 ^ s.v3;                                                      \
      memcpy(high + first, &half, sizeof half);                                              \
    }                                                                                        \
  }

DEFINE_HASH(hash_portably, )
#if defined(__x86_64__)
DEFINE_HASH(hash_with_avx2, __attribute__((target("avx2"))))
DEFINE_HASH(hash_with_avx512, __attribute__((target("avx512f,avx512vl"))))
#endif

int scan_best_way(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) return 2;
  if (__builtin_cpu_supports("avx2")) return 1;
#endif
  return 0;
}

void scan_hash(
    int way, uint64_t key0, uint64_t key1, const uint64_t *words, size_t stride, size_t word_count,
    size_t count, uint64_t *low, uint64_t *high) {
#if defined(__x86_64__)
  if (way >= 2) {
    hash_with_avx512(key0, key1, words, stride, word_count, count, low, high);
    return;
  }
  if (way == 1) {
    hash_with_avx2(key0, key1, words, stride, word_count, count, low, high);
    return;
  }
#endif
  (void)way;
  hash_portably(key0, key1, words, stride, word_count, count, low, high);
}
