/* rocRAND's Philox4x32-10: its device header and its library's generator, against the known answers
   that Random123 publishes (kat_vectors) and against the algorithm on the host. */
#include "checked.h"
#include <array>
#include <cstdint>
#include <cstring>
#include <rocrand/rocrand.h>
#include <rocrand/rocrand_kernel.h>

using Block = std::array<uint32_t, 4>;
using Key = std::array<uint32_t, 2>;

struct Answer {
    Block counter;
    Key key;
    Block block;
};

static const Answer published[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

/* The algorithm of Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", in ten rounds. */
static Block on_host(Block counter, Key key)
{
    for (int round = 0; round < 10; round++) {
        const uint64_t a = uint64_t{0xD2511F53} * counter[0], b = uint64_t{0xCD9E8D57} * counter[2];
        counter = {static_cast<uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(b),
                   static_cast<uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(a)};
        key = {key[0] + 0x9E3779B9, key[1] + 0xBB67AE85};
    }
    return counter;
}

/* What the device's header makes of one counter. An offset counts numbers, four to a counter, so that
   the lower half of a counter is reached in four steps. */
__global__ void block_at(uint64_t low, uint64_t high, uint64_t key, uint4 *block)
{
    rocrand_state_philox4x32_10 state;
    rocrand_init(key, high, 0, &state);
    for (int i = 0; i < 4; i++)
        skipahead(low / 4 * 4, &state);
    skipahead(low % 4 * 4, &state);
    *block = rocrand4(&state);
}

/* Each item draws from a subsequence of its own, one number after the other. */
__global__ void draw(uint64_t seed, uint32_t *numbers, unsigned each)
{
    const unsigned item = blockIdx.x * blockDim.x + threadIdx.x;
    rocrand_state_philox4x32_10 state;
    rocrand_init(seed, item, 0, &state);
    for (unsigned i = 0; i < each; i++)
        numbers[item * each + i] = rocrand(&state);
}

static void try_published(const Answer &answer)
{
    const auto joined = [](uint32_t low, uint32_t high) { return uint64_t{high} << 32 | low; };
    const OnDevice<uint4> out(1);
    block_at<<<1, 1>>>(joined(answer.counter[0], answer.counter[1]),
                       joined(answer.counter[2], answer.counter[3]),
                       joined(answer.key[0], answer.key[1]), out.at());
    CHECK(hipGetLastError());
    const uint4 found = out.read()[0];
    say("host, published block", 4, on_host(answer.counter, answer.key) == answer.block);
    say("device, published block", 4, std::memcmp(&found, answer.block.data(), sizeof found) == 0);
}

static void try_subsequences(unsigned items, unsigned each)
{
    const uint64_t seed = 0x123456789ABCDEF0;
    const OnDevice<uint32_t> out(items * each);
    draw<<<items / 64, 64>>>(seed, out.at(), each);
    CHECK(hipGetLastError());
    std::vector<uint32_t> expected;
    for (unsigned item = 0; item < items; item++)
        for (unsigned i = 0; i < each; i++)
            expected.push_back(on_host({i / 4, 0, item, 0}, {0x9ABCDEF0, 0x12345678})[i % 4]);
    say("device, subsequences", items * each, out.read() == expected);
}

/* The library draws as one generator, whose numbers follow each other. */
static void try_library(size_t size)
{
    const uint64_t seed = 0xCAFEF00D12345678;
    rocrand_generator generator;
    CHECK(rocrand_create_generator(&generator, ROCRAND_RNG_PSEUDO_PHILOX4_32_10));
    CHECK(rocrand_set_seed(generator, seed));
    const OnDevice<uint32_t> out(size);
    CHECK(rocrand_generate(generator, out.at(), size));
    std::vector<uint32_t> expected;
    for (uint32_t i = 0; i < size; i++)
        expected.push_back(on_host({i / 4, 0, 0, 0}, {0x12345678, 0xCAFEF00D})[i % 4]);
    say("library, numbers", size, out.read() == expected);
    CHECK(rocrand_destroy_generator(generator));
}

int main()
{
    for (const Answer &answer : published)
        try_published(answer);
    try_subsequences(256, 11);
    for (const size_t size : {1, 63, 64, 65, 1000, 100000})
        try_library(size);
    return wrong != 0;
}
