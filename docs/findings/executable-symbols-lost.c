/* A variable that could not be defined for want of memory leaves nothing behind on the heap. */
#include "heap_refusals.h"
#include "executables.h"
#include "heap.h"

enum { ROUNDS = 64, LEAST_BYTES = 64 };

FUNCTION(int, hsa_executable_global_variable_define,
         (hsa_executable_t executable, const char *name, void *address),
         (executable, name, address))

static int defect(void)
{
    static int variable;
    hsa_executable_t executable;
    size_t before = 0, after;

    initialise();
    executable = new_executable();
    for (int round = -ROUNDS; round < ROUNDS; round++) {
        int status;

        if (round == 0)
            before = in_use();
        refuse_memory();
        status = hsa_executable_global_variable_define(executable, "variable", &variable);
        if (!memory_refused())
            return NO_MORE;
        if (!status)
            return NO_DEFECT;
    }
    after = in_use();
    printf("%zd bytes more after %d calls\n", (ssize_t)(after - before), ROUNDS);
    return after >= before + (size_t)ROUNDS * LEAST_BYTES;
}

int main(int count, char **words)
{
    load(count, words);
    return each_request(defect);
}
