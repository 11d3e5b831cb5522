/* A consumer of the C data and C stream interfaces. It moves what it gets, and releases it in other threads. */
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* https://arrow.apache.org/docs/format/CDataInterface.html#structure-definitions */
struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

/* https://arrow.apache.org/docs/format/CStreamInterface.html#structure-definition */
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

static void move_schema(struct ArrowSchema *from, struct ArrowSchema *to) {
    *to = *from;
    from->release = NULL;
}

static void move_array(struct ArrowArray *from, struct ArrowArray *to) {
    *to = *from;
    from->release = NULL;
}

static void *release_array(void *argument) {
    struct ArrowArray *array = argument;
    array->release(array);
    return NULL;
}

/* Releases an array in another thread, and returns whether it is marked as released. */
static int release_elsewhere(struct ArrowArray *array) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, release_array, array) != 0 || pthread_join(thread, NULL) != 0) {
        return 0;
    }
    return array->release == NULL;
}

/* Writes the sizes of the structs, and the offsets of the members that the library reads or writes. */
void peer_layout(int64_t *out) {
    const int64_t found[] = {
        sizeof(struct ArrowSchema), offsetof(struct ArrowSchema, n_children), offsetof(struct ArrowSchema, children),
        offsetof(struct ArrowSchema, dictionary), offsetof(struct ArrowSchema, release),
        offsetof(struct ArrowSchema, private_data),
        sizeof(struct ArrowArray), offsetof(struct ArrowArray, n_children), offsetof(struct ArrowArray, children),
        offsetof(struct ArrowArray, dictionary), offsetof(struct ArrowArray, release),
        offsetof(struct ArrowArray, private_data),
        sizeof(struct ArrowArrayStream), offsetof(struct ArrowArrayStream, release),
        offsetof(struct ArrowArrayStream, private_data)};
    memcpy(out, found, sizeof found);
}

/* Takes a column of int64, and returns the sum, or -1. */
int64_t peer_sum(struct ArrowSchema *schema, struct ArrowArray *array) {
    struct ArrowSchema own_schema;
    struct ArrowArray own;
    move_schema(schema, &own_schema);
    move_array(array, &own);
    int64_t sum = strcmp(own_schema.format, "l") == 0 && own.n_buffers == 2 && own.null_count == 0 ? 0 : -1;
    own_schema.release(&own_schema);
    if (sum == 0) {
        const int64_t *values = (const int64_t *) own.buffers[1] + own.offset;
        for (int64_t i = 0; i < own.length; i++) {
            sum += values[i];
        }
    }
    return release_elsewhere(&own) && own_schema.release == NULL ? sum : -1;
}

/* Moves a child out of an array, releases the array, and returns the child, which peer_end releases. */
struct ArrowArray *peer_keep_child(struct ArrowArray *array, int64_t index) {
    struct ArrowArray own;
    struct ArrowArray *child = malloc(sizeof *child);
    move_array(array, &own);
    move_array(own.children[index], child);
    return release_elsewhere(&own) ? child : NULL;
}

int64_t peer_int32(const struct ArrowArray *array, int64_t index) {
    return ((const int32_t *) array->buffers[1])[index];
}

/* Releases an array twice: at a second place, as if it had been moved by mistake, too. */
int peer_end(struct ArrowArray *array) {
    struct ArrowArray copy = *array;
    int released = release_elsewhere(array);
    copy.release(&copy);
    free(array);
    return released && copy.release == NULL;
}

/*
 * Takes a stream, and releases it before its batches. Returns the number of rows, or the negative error number of
 * get_next, whose message it copies.
 */
int64_t peer_rows(struct ArrowArrayStream *stream, char *message, int64_t byte_size) {
    struct ArrowArrayStream own = *stream;
    struct ArrowSchema schema;
    struct ArrowArray batches[64];
    int64_t count = 0;
    int64_t rows = 0;
    int error;
    stream->release = NULL;
    if (own.get_schema(&own, &schema) != 0) {
        return INT64_MIN;
    }
    for (;;) {
        error = own.get_next(&own, &batches[count]);
        if (error != 0 || batches[count].release == NULL) {
            break;
        }
        rows += batches[count++].length;
    }
    if (error != 0) {
        const char *text = own.get_last_error(&own);
        strncpy(message, text == NULL ? "" : text, (size_t) byte_size - 1);
    } else if (own.get_last_error(&own) != NULL) {
        rows = INT64_MIN;
    }
    own.release(&own);
    while (count > 0) {
        if (!release_elsewhere(&batches[--count])) {
            rows = INT64_MIN;
        }
    }
    schema.release(&schema);
    return error != 0 ? -error : rows;
}

static struct ArrowSchema late_schema;
static struct ArrowArray late_array;
static struct ArrowArrayStream late_stream;

/* Takes a column of int64 and a stream until the process ends. */
void peer_keep(struct ArrowSchema *schema, struct ArrowArray *array, struct ArrowArrayStream *stream) {
    move_schema(schema, &late_schema);
    move_array(array, &late_array);
    late_stream = *stream;
    stream->release = NULL;
}

/* Reads and releases what peer_keep has taken. The JVM has ended. */
__attribute__((destructor)) static void release_late(void) {
    if (late_array.release == NULL) {
        return;
    }
    const int64_t *values = late_array.buffers[1];
    struct ArrowSchema schema;
    struct ArrowArray batch;
    printf("%s %d %d %d %d %s\n", late_schema.format, (int) values[0], (int) values[1],
           late_stream.get_schema(&late_stream, &schema), late_stream.get_next(&late_stream, &batch),
           late_stream.get_last_error(&late_stream) == NULL ? "no message" : "message");
    late_schema.release(&late_schema);
    late_array.release(&late_array);
    late_stream.release(&late_stream);
    printf("%d %d %d\n", late_schema.release == NULL, late_array.release == NULL, late_stream.release == NULL);
    fflush(stdout);
}
