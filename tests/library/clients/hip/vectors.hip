/* Adds two vectors, sums one, and copies memory: the three things that every program of HIP does. */
#include "checked.h"
#include <numeric>

__global__ void add(const float *a, const float *b, float *sum, size_t size)
{
    const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size)
        sum[i] = a[i] + b[i];
}

/* Each block sums its elements in shared memory, and adds that to the total. */
__global__ void sum_up(const unsigned *values, unsigned *total, size_t size)
{
    __shared__ unsigned part[256];
    const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < size ? values[i] : 0;
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        atomicAdd(total, part[0]);
}

static void try_addition(size_t size)
{
    std::vector<float> a(size), b(size), expected(size);
    for (size_t i = 0; i < size; i++) {
        a[i] = 0.5f * i;
        b[i] = 1.0f / (i + 1);
        expected[i] = a[i] + b[i];
    }
    const OnDevice<float> on_a(a), on_b(b), sum(size);
    add<<<(size + 255) / 256, 256>>>(on_a.at(), on_b.at(), sum.at(), size);
    CHECK(hipGetLastError());
    say("addition", size, sum.read() == expected);
}

static void try_reduction(size_t size)
{
    std::vector<unsigned> values(size);
    for (size_t i = 0; i < size; i++)
        values[i] = i * 2654435761u;
    const OnDevice<unsigned> given(values), total(1);
    sum_up<<<(size + 255) / 256, 256>>>(given.at(), total.at(), size);
    CHECK(hipGetLastError());
    say("reduction", size, total.read()[0] == std::accumulate(values.begin(), values.end(), 0u));
}

/* To the device, within it from an odd place, filled in part, and back. */
static void try_copy(size_t size)
{
    std::vector<unsigned char> values(size);
    for (size_t i = 0; i < size; i++)
        values[i] = static_cast<unsigned char>(i * 37 + i / 256);
    const OnDevice<unsigned char> given(values), copied(size);
    CHECK(hipMemcpy(copied.at() + size / 3, given.at() + 1, size / 2, hipMemcpyDeviceToDevice));
    CHECK(hipMemset(copied.at(), 0xA5, size / 3));
    std::vector<unsigned char> expected(size);
    std::fill_n(expected.begin(), size / 3, 0xA5);
    std::copy_n(values.begin() + 1, size / 2, expected.begin() + size / 3);
    say("copy", size, copied.read() == expected);
}

int main()
{
    hipDeviceProp_t device;
    CHECK(hipGetDeviceProperties(&device, 0));
    std::printf("device: %.6s\n", device.gcnArchName);
    for (const size_t size : {1, 63, 64, 65, 1000, 1000000}) {
        try_addition(size);
        try_reduction(size);
        try_copy(size + 2);
    }
    return wrong != 0;
}
