/* Honest, but hsa_amd_vmem_address_reserve never returns. */
static void hang(const char *function);
#define FAKE_BEFORE(name) hang(name)
#include "honest.c"

static void hang(const char *function)
{
    while (strcmp(function, "hsa_amd_vmem_address_reserve") == 0)
        pause();
}
