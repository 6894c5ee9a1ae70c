// The system library as Swift sees it; no code of our own.
#include <archive.h>
#include <archive_entry.h>
