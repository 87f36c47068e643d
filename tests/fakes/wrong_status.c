/* Honest but for one answer: FAKE_WRONG_FUNCTION says FAKE_WRONG_TO where FAKE_WRONG_FROM is right.
 * What the call does stays as it was. */
#ifndef FAKE_WRONG_FUNCTION
#define FAKE_WRONG_FUNCTION hsa_amd_vmem_address_free
#define FAKE_WRONG_FROM 0x100A /* RESOURCE_FREE */
#define FAKE_WRONG_TO 0x1001   /* INVALID_ARGUMENT */
#endif

#define QUOTE(name) #name
#define QUOTE_VALUE(name) QUOTE(name)

static int wrong(const char *function, int status);
#define FAKE_AFTER(name, status) wrong(name, status)
#include "honest.c"

static int wrong(const char *function, int status)
{
    bool here = strcmp(function, QUOTE_VALUE(FAKE_WRONG_FUNCTION)) == 0;
    return here && status == FAKE_WRONG_FROM ? FAKE_WRONG_TO : status;
}
