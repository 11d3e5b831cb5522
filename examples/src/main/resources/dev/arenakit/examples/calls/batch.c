/* Each function makes many calls of the C library, so that Java makes one. CompiledBatch compiles this file. */

#define _FILE_OFFSET_BITS 64
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* The sum of the lengths of strings. */
int64_t string_lengths(const char *const *strings, int64_t count) {
    int64_t sum = 0;
    for (int64_t i = 0; i < count; i++) {
        sum += (int64_t) strlen(strings[i]);
    }
    return sum;
}

/* Reads blocks of equal size from many positions. Returns 0, errno, or -1 if the file ends within a block. Java needs
   no option to get errno. */
int read_blocks(int file, const int64_t *positions, int64_t count, char *blocks, int64_t size) {
    for (int64_t i = 0; i < count; i++) {
        int64_t done = 0;
        while (done < size) {
            ssize_t bytes = pread(file, blocks + i * size + done, (size_t) (size - done), positions[i] + done);
            if (bytes > 0) {
                done += bytes;
            } else if (bytes == 0) {
                return -1;
            } else if (errno != EINTR) {
                return errno;
            }
        }
    }
    return 0;
}
