/* Options that nobody knows must not keep code from being loaded. */
#include "kernel.h"

int main(int count, char **words)
{
    int status;

    start(count, words);
    status = STATUS_OF(load_code(prepared(kernel_code(), KERNEL_BYTES), "-hsa_unheard_of"));
    if (STATUS_OF(load_code(prepared(kernel_code(), KERNEL_BYTES), NULL)))
        cannot_tell("the code is not loaded without options");
    return status != HSA_STATUS_SUCCESS;
}
