/* A variable that is written to is not constant. */
#include "variables.h"

enum { HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST = 10 };

int main(int count, char **words)
{
    bool constant;

    start(count, words);
    if (hsa_executable_symbol_get_info(variable(variables_loaded(), "wide"),
                                       HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST, &constant))
        cannot_tell("the attribute is refused");
    printf("the variable is %sconstant\n", constant ? "" : "not ");
    return constant;
}
