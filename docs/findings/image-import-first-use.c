/* Two threads import into images, as the first ones of their process, one a little after the other. */
#include "imports.h"
#include "threads.h"

enum { DELAYS = 40, STEP_NS = 250000, PATIENCE = 2 };

static hsa_agent_t gpu;
static hsa_ext_image_t images[THREADS];
static void *memory;
static long delay;

static void *import(void *number)
{
    const int thread = *(int *)number;

    meet();
    if (thread)
        nanosleep(&(struct timespec){.tv_nsec = delay}, NULL);
    hsa_ext_image_import(gpu, memory, 0, 0, images[thread], one_point());
    return NULL;
}

static int defect(void)
{
    initialise();
    gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    memory = block_for(gpu);
    for (int i = 0; i < THREADS; i++)
        images[i] = linear_image(gpu);
    begin(import);
    return NO_DEFECT;
}

/* Where no kernel runs, an import does not come back: that is no defect. */
int main(int count, char **words)
{
    load(count, words);
    for (int i = 0; i < DELAYS; i++) {
        delay = (long)i * STEP_NS;
        int status = run(defect, PATIENCE);

        if (status == CANNOT_TELL)
            return CANNOT_TELL;
        if (status > 128 && status != 128 + SIGALRM)
            return DEFECT;
    }
    return NO_DEFECT;
}
