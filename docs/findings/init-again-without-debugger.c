/* After the last hsa_shut_down, hsa_init has to work again. */
#include "finding.h"

FUNCTION(int, hsa_shut_down, (void), ())

int main(int count, char **words)
{
    start(count, words);
    for (int time = 0; time < 3; time++) {
        if (hsa_shut_down())
            cannot_tell("hsa_shut_down fails");
        if (STATUS_OF(hsa_init()))
            return DEFECT;
    }
    return NO_DEFECT;
}
