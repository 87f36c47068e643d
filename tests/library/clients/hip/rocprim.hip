/* rocPRIM's reduction and scans of whole arrays, against sums that the host computes. */
#include "checked.h"
#include <numeric>
#include <rocprim/rocprim.hpp>

/* Call an algorithm twice, as rocPRIM wants: for the size of its storage, and with it. */
template <class Algorithm> static void call(Algorithm algorithm)
{
    size_t bytes = 0;
    CHECK(algorithm(nullptr, bytes));
    const OnDevice<char> storage(bytes);
    CHECK(algorithm(storage.at(), bytes));
}

template <class T> static void try_type(const char *name, size_t size)
{
    std::vector<T> values(size), inclusive(size), exclusive(size);
    for (size_t i = 0; i < size; i++)  // small: sums of floating-point numbers are exact in any order
        values[i] = static_cast<T>(static_cast<int>(i * 2654435761u >> 28 & 15) - 5);
    const T start = 7;
    const T sum = std::accumulate(values.begin(), values.end(), start);
    std::partial_sum(values.begin(), values.end(), inclusive.begin());
    for (size_t i = 0; i < size; i++)
        exclusive[i] = start + inclusive[i] - values[i];

    const OnDevice<T> in(values), out(size), total(1);
    const rocprim::plus<T> plus;
    std::printf("%s, ", name);
    call([&](void *storage, size_t &bytes) {
        return rocprim::reduce(storage, bytes, in.at(), total.at(), start, size, plus);
    });
    say("reduction", size, total.read()[0] == sum);
    std::printf("%s, ", name);
    call([&](void *storage, size_t &bytes) {
        return rocprim::inclusive_scan(storage, bytes, in.at(), out.at(), size, plus);
    });
    say("inclusive scan", size, out.read() == inclusive);
    std::printf("%s, ", name);
    call([&](void *storage, size_t &bytes) {
        return rocprim::exclusive_scan(storage, bytes, in.at(), out.at(), start, size, plus);
    });
    say("exclusive scan", size, out.read() == exclusive);
}

int main()
{
    for (const size_t size : {1, 63, 64, 65, 1000, 100000}) {
        try_type<int>("int", size);
        try_type<unsigned long>("unsigned long", size);
        try_type<float>("float", size);
    }
    return wrong != 0;
}
