/* Code with a segment at an impossible address must not end the process that loads it. */
#include "kernel.h"

enum { HIGHEST_BYTE_OF_SECOND_ADDRESS = 143 };

static int defect(void)
{
    unsigned char *code = kernel_code();

    initialise();
    code[HIGHEST_BYTE_OF_SECOND_ADDRESS] = 0x7f;
    (void)STATUS_OF(load_code(prepared(code, KERNEL_BYTES), NULL));
    return NO_DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    return survive(defect);
}
