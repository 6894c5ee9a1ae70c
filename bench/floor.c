// The floor: inflates gzip files with ISA-L and does nothing else, a file a thread at a time.
//
//     cc -O2 -o floor floor.c -lisal -lpthread
//     ./floor THREADS FILE...
//
// Checks the checksum, as a reader must; prints the bytes of text. 256 KB buffers stay in cache.
#include <isa-l/igzip_lib.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { buffer_bytes = 1 << 18 };

static char **paths;
static int path_count;
static atomic_int next_path;
static atomic_llong text_bytes;

static void inflate_file(const char *path, unsigned char *input, unsigned char *output) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  struct inflate_state *state = malloc(sizeof *state);
  isal_inflate_init(state);
  state->crc_flag = ISAL_GZIP;
  long long total = 0;
  for (;;) {
    if (state->avail_in == 0) {
      state->avail_in = (uint32_t)fread(input, 1, buffer_bytes, file);
      state->next_in = input;
      if (state->avail_in == 0) break;
    }
    if (state->block_state == ISAL_BLOCK_FINISH) {
      unsigned char *rest = state->next_in;
      uint32_t count = state->avail_in;
      isal_inflate_reset(state);
      state->crc_flag = ISAL_GZIP;
      state->next_in = rest;
      state->avail_in = count;
    }
    do {
      state->next_out = output;
      state->avail_out = buffer_bytes;
      if (isal_inflate(state) < 0) {
        fprintf(stderr, "%s: broken\n", path);
        exit(1);
      }
      total += buffer_bytes - state->avail_out;
    } while (state->avail_out == 0);
  }
  text_bytes += total;
  free(state);
  fclose(file);
}

static void *work(void *unused) {
  unsigned char *input = malloc(buffer_bytes), *output = malloc(buffer_bytes);
  int path;
  while ((path = next_path++) < path_count) inflate_file(paths[path], input, output);
  free(input);
  free(output);
  return unused;
}

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: floor THREADS FILE...\n");
    return 2;
  }
  int threads = atoi(arguments[1]);
  paths = arguments + 2;
  path_count = count - 2;
  pthread_t workers[64];
  if (threads < 1 || threads > 64) return 2;
  for (int i = 0; i < threads; i++) pthread_create(&workers[i], NULL, work, NULL);
  for (int i = 0; i < threads; i++) pthread_join(workers[i], NULL);
  printf("%lld\n", (long long)text_bytes);
}
