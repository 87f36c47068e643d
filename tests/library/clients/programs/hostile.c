/* Load code objects that lie about themselves.
 *
 * ./hostile FILE     a code object for the first GPU, which is loaded once as it is
 *
 * Each is refused, but for two lies about what loading can do without, and nothing behind its last
 * byte is read: that byte is the last one of a page, and the page after it may not be read. Each is
 * loaded in a process of its own, so that a library that does read there ends that process alone.
 */
#include "client.h"

#include <elf.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOADED = 0, REFUSED = 3 };

/* A copy of the file, which may be changed and cut off. */
struct code {
    size_t size;
    unsigned char *bytes;
    Elf64_Ehdr *header; /* at the same place */
};

static Elf64_Phdr *segment(struct code *code, unsigned type)
{
    Elf64_Phdr *segments = (Elf64_Phdr *)(code->bytes + code->header->e_phoff);

    for (int i = 0; i < code->header->e_phnum; i++)
        if (segments[i].p_type == type)
            return &segments[i];
    fail("the file lacks a segment");
    return NULL;
}

/* What is wrong with each */

static void nothing(struct code *code)
{
    (void)code;
}

static void text(struct code *code)
{
    memset(code->bytes, 'x', code->size);
}

static void four_bytes(struct code *code)
{
    code->size = 4;
}

static void half_a_header(struct code *code)
{
    code->size = sizeof *code->header / 2;
}

static void header_alone(struct code *code)
{
    code->size = sizeof *code->header;
}

static void half_the_file(struct code *code)
{
    code->size /= 2;
}

static void segments_far_away(struct code *code)
{
    code->header->e_phoff = UINT64_MAX - 7;
}

static void many_segments(struct code *code)
{
    code->header->e_phnum = 0xfff0;
}

static void long_segment(struct code *code)
{
    Elf64_Phdr *load = segment(code, PT_LOAD);

    load->p_filesz = load->p_memsz = code->size + 4096;
}

static void endless_segment(struct code *code)
{
    Elf64_Phdr *load = segment(code, PT_LOAD);

    load->p_filesz = load->p_memsz = UINT64_MAX - load->p_offset;
}

static void long_note(struct code *code)
{
    ((Elf64_Nhdr *)(code->bytes + segment(code, PT_NOTE)->p_offset))->n_descsz = UINT32_MAX - 3;
}

static void sections_far_away(struct code *code)
{
    code->header->e_shoff = code->size + 4096;
}

static void other_machine(struct code *code)
{
    code->header->e_machine = EM_X86_64;
}

static void other_processor(struct code *code)
{
    code->header->e_flags ^= 1;
}

/* Loading */

static struct code read_code(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct code code = {.bytes = malloc(1 << 20)};

    if (file == NULL || code.bytes == NULL)
        fail("cannot read the file");
    code.header = (Elf64_Ehdr *)code.bytes;
    code.size = fread(code.bytes, 1, 1 << 20, file);
    fclose(file);
    return code;
}

/* Return a copy that ends where memory does. */
static void *at_the_edge(const struct code *code)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (code->size + page - 1) / page * page;
    char *memory = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED || mprotect(memory + room, page, PROT_NONE) != 0)
        fail("no memory");
    return memcpy(memory + room - code->size, code->bytes, code->size);
}

static int load(struct code code, void (*spoil)(struct code *))
{
    hsa_code_object_reader_t reader;
    hsa_executable_t executable;
    hsa_status_t status;

    spoil(&code);
    DO(hsa_init());
    DO(hsa_executable_create_alt(HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR, NULL,
                                 &executable));
    status = hsa_code_object_reader_create_from_memory(at_the_edge(&code), code.size, &reader);
    if (status == HSA_STATUS_SUCCESS) {
        status = hsa_executable_load_agent_code_object(
            executable, first_agent(HSA_DEVICE_TYPE_GPU), reader, NULL, NULL);
        DO(hsa_executable_destroy(executable));
        DO(hsa_code_object_reader_destroy(reader));
    }
    DO(hsa_shut_down());
    return status == HSA_STATUS_SUCCESS ? LOADED : REFUSED;
}

int main(int count, char **words)
{
    static const struct {
        const char *what;
        void (*spoil)(struct code *);
        bool either; /* whether it may be loaded as well as refused */
    } cases[] = {
        {"an honest code object", nothing, false},
        {"text", text, false},
        {"four bytes of a header", four_bytes, false},
        {"half a header", half_a_header, false},
        {"a header alone", header_alone, false},
        {"half a file", half_the_file, false},
        {"segments that are far away", segments_far_away, false},
        {"more segments than there are bytes", many_segments, false},
        {"a segment that is longer than the file", long_segment, false},
        {"a segment without an end", endless_segment, false},
        {"a note that is longer than the file", long_note, true},
        {"sections that are far away", sections_far_away, true},
        {"code for another machine", other_machine, false},
        {"code for another processor", other_processor, false},
    };
    struct code code;

    if (count != 2)
        fail("name a code object");
    code = read_code(words[1]);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int status;
        pid_t child;

        printf("%s: ", cases[i].what);
        fflush(stdout);
        child = fork();
        if (child == 0) {
            alarm(60);
            return load(code, cases[i].spoil);
        }
        if (child < 0 || waitpid(child, &status, 0) != child)
            fail("no process");
        if (WIFSIGNALED(status))
            printf("ended by a signal\n");
        else if (WEXITSTATUS(status) == LOADED || WEXITSTATUS(status) == REFUSED)
            printf("%s\n", cases[i].either                       ? "loaded or refused"
                           : WEXITSTATUS(status) == LOADED ? "loaded" : "refused");
    }
    free(code.bytes);
    return 0;
}
