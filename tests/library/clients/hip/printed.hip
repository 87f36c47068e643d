/* Prints from the device, which the host does for it: a thread waits for a signal of the device. */
#include "checked.h"

__global__ void print(unsigned items)
{
    const unsigned item = threadIdx.x, block = blockIdx.x;
    if (item < items)
        printf("item %u of block %u: right\n", item, block);
}

int main()
{
    print<<<2, 64>>>(3);
    CHECK(hipDeviceSynchronize());
    return 0;
}
