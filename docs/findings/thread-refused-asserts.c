/* Where no thread can be started, a function that starts one has to say so. */
#include "refusal.h"

FUNCTION(int, hsa_amd_async_function, (void (*begun)(void *), void *argument),
         (begun, argument))

static void nothing(void *argument)
{
    (void)argument;
}

static int first_use(void)
{
    initialise();
    refuse((struct refusal){.call = PTHREAD_CREATE, .error = EAGAIN});
    STATUS_OF(hsa_amd_async_function(nothing, NULL));
    return NO_DEFECT;
}

int main(int count, char **words)
{
    int found;

    load(count, words);
    need("hsa_amd_async_function");
    found = survive(first_use);
    refused();
    return found;
}
