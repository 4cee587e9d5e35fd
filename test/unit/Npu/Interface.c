/* The interface of the reference NPU is C. */
#include <septran/npu/reference_npu.h>

int is_c(void);
int is_c(void) { return (int)RNPU_VECTOR + (int)(RNPU_ACC(32) - RNPU_SPM(32)); }
