/* The length of the name of an instruction set architecture counts no NUL byte. */
#include "isas.h"

enum { HSA_ISA_INFO_NAME_LENGTH = 0, HSA_ISA_INFO_NAME = 1 };

FUNCTION(int, hsa_isa_get_info_alt, (hsa_isa_t isa, int attribute, void *value),
         (isa, attribute, value))

static int check_isa(hsa_isa_t isa, void *data)
{
    char name[1024] = "";
    uint32_t length;

    (void)data;
    if (hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH, &length) ||
        hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, name))
        return HSA_STATUS_SUCCESS;
    seen++;
    if (length != strlen(name)) {
        printf("%s: %zu characters, length %u\n", name, strlen(name), length);
        defects++;
    }
    return HSA_STATUS_SUCCESS;
}

int main(int count, char **words)
{
    return check_isas(count, words, check_isa);
}
