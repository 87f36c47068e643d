/* A descriptor that is not open has a status of its own. */
#include "finding.h"

enum { HSA_STATUS_ERROR_INVALID_FILE = 0x1020 };

FUNCTION(int, hsa_code_object_reader_create_from_file, (int file, handle *reader), (file, reader))

int main(int count, char **words)
{
    handle reader;

    start(count, words);
    return STATUS_OF(hsa_code_object_reader_create_from_file(-1, &reader)) !=
           HSA_STATUS_ERROR_INVALID_FILE;
}
