/* Code that cannot be loaded for want of memory is not said to be for an unknown ISA. */
#include "heap_refusals.h"
#include "kernel.h"

enum { INVALID_ISA_NAME = 0x1017, SECONDS = 60 };

static int defect(void)
{
    struct loading loading;
    int status;

    initialise();
    loading = prepared(kernel_code(), KERNEL_BYTES);
    refuse_memory();
    status = load_code(loading, NULL);
    if (!memory_refused())
        return NO_MORE;
    if (status != INVALID_ISA_NAME)
        return NO_DEFECT;
    printf("refused one request after %d: status %#x\n", requests_met, status);
    return DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    /* One request alone shows it, and others end the process for reasons of their own. */
    for (requests_met = 0; requests_met < MOST_REQUESTS; requests_met++) {
        int found = run(defect, SECONDS);

        if (found == NO_MORE)
            return NO_DEFECT;
        if (found == DEFECT || found == CANNOT_TELL)
            return found;
    }
    return CANNOT_TELL;
}
