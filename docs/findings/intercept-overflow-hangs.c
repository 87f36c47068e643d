/* What a handler writes for all packets of a queue must be processed, also when it is more than fits. */
#include "intercepted.h"

static int defect(void)
{
    hsa_queue_t *queue = intercepted(write_copies);
    hsa_signal_t done;

    copies = 2;
    done = signal_of((int64_t)queue->size * copies);
    submit(queue, queue->size, done);
    return settled(done) ? DEFECT : NO_DEFECT;
}

int main(int count, char **words)
{
    int status;

    load(count, words);
    status = run(defect, 10);
    return status == 128 + SIGALRM ? DEFECT : status > 128 ? CANNOT_TELL : status;
}
