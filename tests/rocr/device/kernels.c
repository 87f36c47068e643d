/* Small kernels, each about one thing; what they begin with is PRELUDE. */

KERNEL vector_copy(const GLOBAL u32 *in, GLOBAL u32 *out)
{
    out[INDEX] = in[INDEX];
}

KERNEL spread(const GLOBAL u32 *in, GLOBAL u32 *out)
{
    out[4 * INDEX] = in[INDEX];
}

/* Sums of work-groups by halves, in LDS with barriers. */
KERNEL reduce(const GLOBAL u32 *in, GLOBAL u32 *out)
{
    SHARED u32 shared[256];
    u32 item = ITEM;
    shared[item] = in[INDEX];
    barrier();
    for (u32 half = 128; half; half /= 2) {
        if (item < half)
            shared[item] += shared[item + half];
        barrier();
    }
    if (item == 0)
        out[GROUP] = shared[0];
}

KERNEL histogram(const GLOBAL u32 *in, GLOBAL u32 *out)
{
    __atomic_fetch_add(&out[in[INDEX] & 63], 1, __ATOMIC_RELAXED);
}

KERNEL local_histogram(const GLOBAL u32 *in, GLOBAL u32 *out)
{
    SHARED u32 counts[64];
    if (ITEM < 64)
        counts[ITEM] = 0;
    barrier();
    __atomic_fetch_add(&counts[in[INDEX] & 63], 1, __ATOMIC_RELAXED);
    barrier();
    if (ITEM < 64)
        __atomic_fetch_add(&out[ITEM], counts[ITEM], __ATOMIC_RELAXED);
}

/* Every work-item gets a number of its own. */
KERNEL tickets(GLOBAL u32 *counter, GLOBAL u32 *out)
{
    out[INDEX] = __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

/* One work-item of each group takes a lock, and counts what no atomic operation guards. */
KERNEL spin_lock(GLOBAL u32 *lock, GLOBAL u32 *count)
{
    if (ITEM)
        return;
    while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
        ;
    *count += 1;
    __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

/* The first group waits for what the last one stores. */
KERNEL producer_and_consumer(GLOBAL u32 *flag, GLOBAL u32 *out, u64 last)
{
    if (ITEM)
        return;
    if (GROUP == last) {
        out[1] = 41;
        __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    } else if (GROUP == 0) {
        while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE))
            ;
        out[0] = out[1] + 1;
    }
}

KERNEL wait_for_host(GLOBAL u32 *word, GLOBAL u32 *out)
{
    while (!__atomic_load_n(word, __ATOMIC_ACQUIRE))
        __builtin_amdgcn_s_sleep(1);
    out[ITEM] = *word;
}

KERNEL places(GLOBAL u32 *out, u64 width, u64 height)
{
    const CONSTANT u16 *sizes = (const CONSTANT u16 *)__builtin_amdgcn_dispatch_ptr() + 2;
    u32 x = __builtin_amdgcn_workgroup_id_x() * sizes[0] + __builtin_amdgcn_workitem_id_x();
    u32 y = __builtin_amdgcn_workgroup_id_y() * sizes[1] + __builtin_amdgcn_workitem_id_y();
    u32 z = __builtin_amdgcn_workgroup_id_z() * sizes[2] + __builtin_amdgcn_workitem_id_z();
    out[(z * height + y) * width + x] += x + 100 * y + 10000 * z + 1;
}

/* An array of each work-item, found through a generic pointer. */
__attribute__((noinline)) static u32 sum_of(const u32 *values, u32 count)
{
    u32 sum = 0;
    for (u32 i = 0; i < count; i++)
        sum += values[i] * i;
    return sum;
}

KERNEL scratch(GLOBAL u32 *out)
{
    u32 values[32];
    for (u32 i = 0; i < 32; i++)
        values[(i * 7 + ITEM) & 31] = i ^ ITEM;
    out[INDEX] = sum_of(values, 32);
}

KERNEL generic_local(GLOBAL u32 *out)
{
    SHARED u32 shared[64];
    shared[ITEM] = ITEM * 3;
    barrier();
    out[INDEX] = sum_of((const u32 *)shared, ITEM);
}

/* The upper half of the address of LDS: as the queue's structure says, and as the compiler has it. */
KERNEL aperture(GLOBAL u32 *out)
{
    SHARED u32 shared[64];
    out[0] = ((const CONSTANT u32 *)__builtin_amdgcn_queue_ptr())[16];
    out[1] = (u64)(const u32 *)shared >> 32;
}

static u32 fibonacci(u32 n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

KERNEL recursion(GLOBAL u32 *out)
{
    out[ITEM] = fibonacci(ITEM & 7);
}

KERNEL collatz(GLOBAL u32 *out)
{
    u32 n = INDEX + 1, steps = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps++;
    }
    out[INDEX] = steps;
}

KERNEL divide(const GLOBAL f64 *a, const GLOBAL f64 *b, GLOBAL f64 *out)
{
    out[INDEX] = a[INDEX] / b[INDEX];
}

KERNEL divide_f32(const GLOBAL f32 *a, const GLOBAL f32 *b, GLOBAL f32 *out)
{
    out[INDEX] = a[INDEX] / b[INDEX];
}

KERNEL root(const GLOBAL f64 *a, GLOBAL f64 *out)
{
    out[INDEX] = __builtin_sqrt(a[INDEX]);
}

KERNEL half(const GLOBAL _Float16 *a, const GLOBAL _Float16 *b, GLOBAL _Float16 *out)
{
    out[INDEX] = a[INDEX] * b[INDEX] + a[INDEX];
}

KERNEL half_quotient(const GLOBAL _Float16 *a, const GLOBAL _Float16 *b, GLOBAL _Float16 *out)
{
    out[INDEX] = a[INDEX] / b[INDEX];
}

/* Sums of 16 and 32 bits together, of which each is rounded once, and the last one again. */
KERNEL mixed(const GLOBAL _Float16 *a, const GLOBAL f32 *b, GLOBAL f32 *wide, GLOBAL _Float16 *narrow)
{
    wide[INDEX] = __builtin_fmaf((f32)a[INDEX], b[INDEX], b[INDEX]);
    narrow[INDEX] = (_Float16)__builtin_fmaf(b[INDEX], (f32)a[INDEX], (f32)a[INDEX]);
}

KERNEL bytes(const GLOBAL u8 *a, GLOBAL u8 *out)
{
    out[INDEX] = (u8)(a[INDEX] * 3 + (signed char)a[INDEX] / 2);
}

KERNEL sum_of_doubles(const GLOBAL f64 *in, GLOBAL f64 *out)
{
    __atomic_fetch_add(out, in[INDEX], __ATOMIC_RELAXED);
}

KERNEL largest(const GLOBAL u64 *in, GLOBAL u64 *out)
{
    __atomic_fetch_max(out, in[INDEX], __ATOMIC_RELAXED);
}

KERNEL compare_and_swap(GLOBAL u64 *word)
{
    u64 old = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(word, &old, old * 5 + 1, 0, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
        ;
}

KERNEL across_lanes(const GLOBAL u32 *in, GLOBAL u32 *out)
{
    u32 value = in[INDEX];
    u32 other = __builtin_amdgcn_ds_bpermute((ITEM ^ 5) * 4, value);
    u32 first = __builtin_amdgcn_readfirstlane(value);
    u32 next = __builtin_amdgcn_mov_dpp(value, 0x101, 0xf, 0xf, 1);
    u64 odd = __builtin_amdgcn_uicmp(value & 1, 0, 33);
    out[INDEX] = other + 3 * first + 5 * next + (u32)odd + 7 * (u32)(odd >> 32);
}

KERNEL endless(GLOBAL u32 *out)
{
    for (;;)
        __atomic_fetch_add(out, 1, __ATOMIC_RELAXED);
}

KERNEL trap(GLOBAL u32 *out)
{
    if (INDEX == 70)
        __builtin_trap();
    out[INDEX] = 1;
}

KERNEL wild_store(GLOBAL u32 *out)
{
    out[INDEX == 5 ? 1ul << 40 : INDEX] = 1;
}

KERNEL no_instruction(GLOBAL u32 *out)
{
    *out = 1;
    __asm__ volatile(".long 0xbfffffff");
}

KERNEL not_executed(GLOBAL u32 *out)
{
    __asm__ volatile("s_sethalt 1");
    *out = 1;
}

/* Each wave interrupts the host with a number, after it has written it. */
KERNEL interrupt(GLOBAL u32 *out, u64 number)
{
    u32 sent = __builtin_amdgcn_readfirstlane((u32)number + INDEX);
    __atomic_store_n(&out[INDEX], sent, __ATOMIC_RELEASE);
    __builtin_amdgcn_s_sendmsg(1, sent);
}

KERNEL large_local(GLOBAL u32 *out)
{
    SHARED u32 shared[16384];
    shared[ITEM] = ITEM;
    barrier();
    out[ITEM] = shared[63 - ITEM];
}
