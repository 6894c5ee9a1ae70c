#include "CScanKernel.h"

#define ONES 255, 255, 255, 255, 255, 255, 255, 255
const uint8_t scan_masks[64] = {ONES, ONES, ONES, ONES};
