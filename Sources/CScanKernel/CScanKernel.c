// The kernel is a header; this file makes it a target.
#include "CScanKernel.h"
