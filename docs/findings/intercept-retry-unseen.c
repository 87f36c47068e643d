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
    load(count, words);
    return survive_within(defect, 10); /* on 5.2.3 the doorbell does not come back at all */
}
