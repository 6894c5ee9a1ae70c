// The system library as Swift sees it; no code of our own.
#include <xxhash.h>
