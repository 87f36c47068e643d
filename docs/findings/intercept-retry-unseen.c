/* The doorbell of an intercepted queue must not end the process while what was written waits for room. */
#include "intercepted.h"

static int defect(void)
{
    hsa_queue_t *queue = intercepted(write_copies);
    hsa_signal_t done;

    copies = queue->size;
    done = signal_of(2 * (int64_t)copies);
    submit(queue, 1, done);
    submit(queue, 1, done);
    settled(done);
    return NO_DEFECT;
}

int main(int count, char **words)
{
    int status;

    load(count, words);
    status = run(defect, 10);
    /* where the doorbell does not come back, another defect comes first */
    return status == 128 + SIGALRM ? CANNOT_TELL : status > 128 ? DEFECT : status;
}
