/* A handler of an intercepted queue must be able to write in several calls. */
#include "intercepted.h"

static int defect(void)
{
    hsa_queue_t *queue = intercepted(write_copies);
    hsa_signal_t done;

    copies = 2;
    pieces = 2;
    done = signal_of((int64_t)queue->size * copies);
    submit(queue, queue->size, done);
    return settled(done) ? DEFECT : NO_DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    return survive(defect);
}
