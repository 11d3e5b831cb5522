/* The function makes many calls of the C library, so that Java makes one. CompiledBatch compiles this file. */

#include <stdint.h>
#include <string.h>

/* The sum of the lengths of strings. */
int64_t string_lengths(const char *const *strings, int64_t count) {
    int64_t sum = 0;
    for (int64_t i = 0; i < count; i++) {
        sum += (int64_t) strlen(strings[i]);
    }
    return sum;
}
