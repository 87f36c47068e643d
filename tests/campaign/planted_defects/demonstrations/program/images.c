/* Code objects that are wrong in one place. */
#include <elf.h>
#include <sys/mman.h>

#include "program.h"

/* A file with a section of each sort, which lies before memory that cannot be read. */
struct image {
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    Elf64_Nhdr note;
    char owner[4];
    Elf64_Sym symbols[2];
    Elf64_Rela row;
    char names[8];
    Elf64_Shdr sections[5];
};

static struct image right(void)
{
    struct image image = {
        .header = {.e_ident = ELFMAG, .e_type = ET_DYN, .e_machine = 224, .e_version = 1,
                   .e_phoff = offsetof(struct image, segment),
                   .e_shoff = offsetof(struct image, sections), .e_ehsize = 64, .e_phentsize = 56,
                   .e_phnum = 1, .e_shentsize = 64, .e_shnum = 5},
        .segment = {.p_type = PT_NOTE},
        .note = {.n_namesz = 4},
        .owner = "abc",
        .names = "\0abcdef",
        .sections = {{0},
                     {.sh_type = SHT_NOTE, .sh_offset = offsetof(struct image, note), .sh_size = 16},
                     {.sh_type = SHT_SYMTAB, .sh_offset = offsetof(struct image, symbols),
                      .sh_size = 48, .sh_entsize = 24, .sh_link = 4},
                     {.sh_type = SHT_RELA, .sh_offset = offsetof(struct image, row), .sh_size = 24,
                      .sh_entsize = 24, .sh_link = 2},
                     {.sh_type = SHT_STRTAB, .sh_offset = offsetof(struct image, names),
                      .sh_size = 8}}};
    memcpy(image.header.e_ident + 4, "\2\1\1\100", 4);
    return image;
}

static void spoil(struct image *image, const char *check)
{
    const uint64_t far = 1u << 30;
#define IS(name) (strcmp(check, #name) == 0)
    if (IS(SEGMENTS))
        image->header.e_phoff = sizeof *image - 8;
    else if (IS(NOTES))
        image->note.n_descsz = far;
    else if (IS(NAMES))
        memset(image->names, 'a', 8), image->sections[4].sh_offset = sizeof *image - 8,
            image->sections[4].sh_entsize = UINT64_MAX;
    else if (IS(SYMBOLS))
        image->symbols[1].st_name = far;
    else if (IS(RELOCATIONS))
        image->row.r_info = (uint64_t)far << 32;
    else if (IS(ENTRIES))
        image->sections[2].sh_entsize = 0;
    else if (IS(WRAP))
        image->sections[4].sh_offset = UINT64_MAX - far, image->sections[4].sh_size = far + 9;
}

int loads(const char *check)
{
    struct image image = right();
    spoil(&image, check);
    char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(pages + 4096, 4096, PROT_NONE);
    char *content = memcpy(pages + 4096 - sizeof image, &image, sizeof image);
    hsa_code_object_reader_t reader;
    hsa_executable_t executable;
    alarm(SECONDS);
    REQUIRE(CALL(hsa_init)());
    REQUIRE(CALL(hsa_iterate_agents)(find_gpu, &gpu));
    if (CALL(hsa_code_object_reader_create_from_memory)(content, sizeof image, &reader))
        return 0;
    REQUIRE(CALL(hsa_executable_create_alt)(HSA_PROFILE_FULL,
                                            HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL,
                                            &executable));
    CALL(hsa_executable_load_agent_code_object)(executable, gpu, reader, NULL, NULL);
    return 0;
}
