/* Prints how many microseconds one attribute query takes from C. */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

extern uint32_t hsa_init(void);
extern uint32_t hsa_system_get_info(uint32_t attribute, void *value);

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

int main(void)
{
    enum { ROUNDS = 7, CALLS = 20000 };
    double best[ROUNDS];
    uint16_t value;

    if (hsa_init() != 0)
        return 1;
    for (int round = 0; round < ROUNDS; round++) {
        double started = now();
        for (int i = 0; i < CALLS; i++)
            if (hsa_system_get_info(0, &value) != 0)
                return 1;
        best[round] = (now() - started) / CALLS;
    }
    for (int i = 0; i < ROUNDS; i++)
        for (int j = i + 1; j < ROUNDS; j++)
            if (best[j] < best[i]) {
                double swap = best[i];
                best[i] = best[j];
                best[j] = swap;
            }
    printf("%.3f\n", best[ROUNDS / 2]);
    return 0;
}
