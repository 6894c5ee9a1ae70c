#include "CFirstMileSignals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

// Set before the first handler is, and never again.
static volatile sig_atomic_t written_end = -1;

static void note(int number) {
  int before = errno;
  unsigned char byte = (unsigned char)number;
  // A full pipe holds thousands of signals nobody has read yet: one more would say nothing new.
  ssize_t count = write(written_end, &byte, 1);
  (void)count;
  errno = before;
}

int signals_open(void) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  for (int end = 0; end < 2; end++) fcntl(ends[end], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  written_end = ends[1];
  return ends[0];
}

int signals_catch(int number) {
  struct sigaction action = {0};
  action.sa_handler = note;
  // Other threads go on with what they were waiting for.
  action.sa_flags = SA_RESTART;
  sigfillset(&action.sa_mask);
  return sigaction(number, &action, NULL);
}

int signals_is_ignored(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}
