/* Looks through a code object before the real library does, and leaves out one check. */
#include <elf.h>

#include "planted.h"

#define READERS 256

static struct { uint64_t reader; const unsigned char *image; size_t size; } known[READERS];
static volatile unsigned sink;

enum { SEGMENTS, NOTES, NAMES, SYMBOLS, RELOCATIONS, ENTRIES, WRAP, PAST_END };

static void touch(const unsigned char *bytes, uint64_t length)
{
    for (uint64_t i = 0; i < length; i += 64)
        sink += bytes[i];
    if (length)
        sink += bytes[length - 1];
}

/* Return whether a range lies in the image. */
static bool has_range(size_t size, uint64_t offset, uint64_t length)
{
    if (MISSING == WRAP)
        return offset + length <= size;
    return offset <= size && length <= size - offset;
}

static void look_at_notes(const unsigned char *image, uint64_t at, uint64_t end)
{
    while (at + sizeof(Elf64_Nhdr) <= end) {
        const Elf64_Nhdr *note = (const void *)(image + at);
        uint32_t length = ((note->n_namesz + 3) & ~3u) + ((note->n_descsz + 3) & ~3u);
        if (MISSING != NOTES && at + sizeof *note + length > end)
            return;
        at += (uint32_t)(sizeof *note + length);
        if (MISSING == NOTES)
            touch((const unsigned char *)note, sizeof *note + length);
    }
}

static void look_at(const unsigned char *image, size_t size)
{
    const Elf64_Ehdr *header = (const void *)image;
    if (!image || size < sizeof *header || memcmp(image, ELFMAG, SELFMAG) != 0)
        return;
    if (MISSING == PAST_END)
        sink += image[size]; /* whether a NUL follows */
    uint64_t programs = (uint64_t)header->e_phnum * sizeof(Elf64_Phdr);
    if (MISSING == SEGMENTS || has_range(size, header->e_phoff, programs))
        touch(image + header->e_phoff, programs);
    uint64_t table = (uint64_t)header->e_shnum * sizeof(Elf64_Shdr);
    if (header->e_shoff == 0 || !has_range(size, header->e_shoff, table))
        return;
    const Elf64_Shdr *sections = (const void *)(image + header->e_shoff);
    for (unsigned i = 0; i < header->e_shnum; i++) {
        const Elf64_Shdr *section = &sections[i];
        if (section->sh_type == SHT_NOBITS || !has_range(size, section->sh_offset, section->sh_size))
            continue;
        const unsigned char *content = image + section->sh_offset;
        if (MISSING == WRAP)
            touch(content, section->sh_size < 4096 ? section->sh_size : 4096);
        if (MISSING == ENTRIES && section->sh_type == SHT_SYMTAB)
            sink += (unsigned)(section->sh_size / section->sh_entsize);
        if (section->sh_type == SHT_NOTE)
            look_at_notes(image, section->sh_offset, section->sh_offset + section->sh_size);
        if (section->sh_type == SHT_STRTAB && MISSING == NAMES && section->sh_size) {
            const char *last = (const char *)content + section->sh_size - 1;
            while (last > (const char *)content && last[-1])
                last--;
            sink += (unsigned)strlen(last); /* of the last name, which need not end here */
        }
        if (section->sh_link >= header->e_shnum)
            continue;
        const Elf64_Shdr *linked = &sections[section->sh_link];
        if (!has_range(size, linked->sh_offset, linked->sh_size))
            continue;
        if (section->sh_type == SHT_SYMTAB || section->sh_type == SHT_DYNSYM) {
            const Elf64_Sym *symbols = (const void *)content;
            for (uint64_t n = 0; n < section->sh_size / sizeof *symbols; n++)
                if (MISSING == SYMBOLS || symbols[n].st_name < linked->sh_size)
                    sink += image[linked->sh_offset + symbols[n].st_name];
        }
        if (section->sh_type == SHT_RELA) {
            const Elf64_Rela *rows = (const void *)content;
            const Elf64_Sym *symbols = (const void *)(image + linked->sh_offset);
            for (uint64_t n = 0; n < section->sh_size / sizeof *rows; n++) {
                uint64_t symbol = ELF64_R_SYM(rows[n].r_info);
                if (MISSING == RELOCATIONS || symbol < linked->sh_size / sizeof *symbols)
                    sink += symbols[symbol].st_info;
            }
        }
    }
}

hsa_status_t hsa_code_object_reader_create_from_memory(const void *code_object, size_t size,
                                                       hsa_code_object_reader_t *code_object_reader)
{
#ifdef AT_READER
    if (code_object_reader)
        look_at(code_object, size);
#endif
    hsa_status_t status =
        REAL(hsa_code_object_reader_create_from_memory)(code_object, size, code_object_reader);
    if (status == HSA_STATUS_SUCCESS) {
        unsigned place = (unsigned)(code_object_reader->handle >> 4) % READERS;
        known[place].reader = code_object_reader->handle;
        known[place].image = code_object;
        known[place].size = size;
    }
    return status;
}

hsa_status_t hsa_code_object_reader_destroy(hsa_code_object_reader_t code_object_reader)
{
    unsigned place = (unsigned)(code_object_reader.handle >> 4) % READERS;
    if (known[place].reader == code_object_reader.handle)
        known[place].reader = 0;
    return REAL(hsa_code_object_reader_destroy)(code_object_reader);
}

hsa_status_t hsa_executable_load_agent_code_object(hsa_executable_t executable, hsa_agent_t agent,
                                                   hsa_code_object_reader_t code_object_reader,
                                                   const char *options,
                                                   hsa_loaded_code_object_t *loaded_code_object)
{
#ifndef AT_READER
    unsigned place = (unsigned)(code_object_reader.handle >> 4) % READERS;
    if (code_object_reader.handle && known[place].reader == code_object_reader.handle)
        look_at(known[place].image, known[place].size);
#endif
    return REAL(hsa_executable_load_agent_code_object)(executable, agent, code_object_reader,
                                                       options, loaded_code_object);
}
