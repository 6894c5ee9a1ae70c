// Signals as bytes in a pipe. What runs when a signal comes may not wait, lock or allocate, which
// Swift promises of none of its code. So it stands here, and does nothing but write the number.
#ifndef C_SIGNALS_H
#define C_SIGNALS_H

// Makes the pipe. Returns the descriptor to read numbers from, one byte each, or -1 with `errno`.
int signals_open(void);

// From here on a signal's number is written to the pipe, and nothing else comes of the signal.
// Returns 0, or -1 with `errno`.
int signals_catch(int number);

// Whether the program was started with a signal ignored.
int signals_is_ignored(int number);

#endif
