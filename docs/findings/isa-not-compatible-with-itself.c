/* An instruction set architecture is compatible with itself. */
#include "isas.h"

FUNCTION(int, hsa_isa_compatible, (hsa_isa_t code, hsa_isa_t agent, bool *result),
         (code, agent, result))

static int check_isa(hsa_isa_t isa, void *data)
{
    bool result = true;

    (void)data;
    if (hsa_isa_compatible(isa, isa, &result))
        return HSA_STATUS_SUCCESS;
    seen++;
    if (!result) {
        printf("an architecture is not compatible with itself\n");
        defects++;
    }
    return HSA_STATUS_SUCCESS;
}

int main(int count, char **words)
{
    return check_isas(count, words, check_isa);
}
