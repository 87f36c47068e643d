/* An operation on a shared value is a load and a store. */
#include "planted.h"

FUNCTION_RESULT FUNCTION FUNCTION_PARAMS
{
    UPDATE;
}
