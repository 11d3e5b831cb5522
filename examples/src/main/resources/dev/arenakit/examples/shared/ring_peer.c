/* A peer of a RingFile, which reads or writes numbered messages. docs/rings.md describes the format. */

#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAGIC_VALUE UINT64_C(0x474e49524e455241) /* "ARENRING" */

enum { VERSION = 1, KIND = 3, FIRST_RECORD = 32768, MIN_CAPACITY = 64 };
enum { MAGIC = 0, VERSION_AND_KIND = 8, CAPACITY = 16, RECORDS = 24, KEY = 32, CHECKSUM = 40, WAKES = 48 };
enum { TAIL = 128, HEAD_COPY = 256, HEAD = 384, WAITING = 512, SLOTS = 640 };
enum { CLAIMED = 1, COMMITTED = 2, SKIPPED = 3 };

static char *ring;
static uint64_t capacity, records, key, slot, producer;

static _Atomic uint64_t *at(uint64_t offset) {
    return (_Atomic uint64_t *) (ring + offset);
}

static uint64_t get(uint64_t offset) {
    return atomic_load_explicit(at(offset), memory_order_acquire);
}

static void set(uint64_t offset, uint64_t value) {
    atomic_store_explicit(at(offset), value, memory_order_release);
}

static int try_lock(int file, int byte) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    return fcntl(file, F_OFD_SETLK, &lock) == 0; /* The lock ends with the process. */
}

/* FNV-1a over the words at 8, 16, 24 and 32. */
static uint64_t checksum(void) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (uint64_t offset = VERSION_AND_KIND; offset <= KEY; offset += 8)
        sum = (sum ^ get(offset)) * UINT64_C(0x100000001b3);
    return sum;
}

static void map(int file) {
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0)
        err(1, "open");
    uint64_t size = (uint64_t) status.st_size;
    if (size < FIRST_RECORD + MIN_CAPACITY)
        errx(1, "file is smaller than a ring");
    ring = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (ring == MAP_FAILED)
        err(1, "mmap");
    if (get(MAGIC) != MAGIC_VALUE || get(VERSION_AND_KIND) != (VERSION | (uint64_t) KIND << 32))
        errx(1, "not a ring file of version 1");
    if (get(CHECKSUM) != checksum())
        errx(1, "damaged header");
    capacity = get(CAPACITY);
    records = get(RECORDS);
    key = get(KEY);
    if (capacity < MIN_CAPACITY || (capacity & (capacity - 1)) != 0 || records < FIRST_RECORD || records % 16 != 0)
        errx(1, "damaged header");
    if (capacity > size || records > size - capacity)
        errx(1, "file is smaller than its ring");
}

static int is_position(uint64_t number) {
    return number <= INT64_MAX && number % 16 == 0;
}

static void take_slot(int file) {
    uint64_t n = 0;
    while (!try_lock(file, 1 + (int) n))
        if (++n == 250)
            errx(1, "no slot");
    slot = SLOTS + n * 128;
    uint64_t generation = get(slot) + 1;
    set(slot, generation);
    set(slot + 8, UINT64_MAX); /* intent: none */
    set(slot + 16, (uint64_t) getpid());
    producer = n | (generation & 0xffffff) << 8;
}

static void stamp(uint64_t position, uint64_t size, uint64_t state, uint64_t high) {
    uint64_t record = records + position % capacity;
    atomic_store_explicit(at(record + 8), size | state << 30 | high << 32, memory_order_relaxed);
    set(record, position ^ key);
}

/* Waits while the ring is full. Returns the offset of the record. */
static uint64_t claim(uint64_t size) {
    uint64_t largest = capacity / 2 < 1 << 30 ? capacity / 2 : 1 << 30;
    if (size > largest - 16)
        errx(1, "message is too large: size=%llu", (unsigned long long) size);
    uint64_t length = (size + 31) & ~UINT64_C(15);
    for (;;) {
        uint64_t head = get(HEAD_COPY), tail = get(TAIL); /* in this order */
        uint64_t index = tail % capacity, padding = index + length > capacity ? capacity - index : 0;
        if (!is_position(tail) || !is_position(tail - head))
            errx(1, "damaged positions");
        if (tail - head + padding + length > capacity) { /* tail - head can exceed capacity: head copy may be old */
            uint64_t new_head = get(HEAD);
            if ((int64_t) (tail - new_head) > (int64_t) capacity)
                errx(1, "damaged positions");
            if (new_head != head) {
                set(HEAD_COPY, new_head);
            } else {
                set(slot + 8, UINT64_MAX);
                usleep(50);
            }
            continue;
        }
        atomic_store_explicit(at(slot + 8), tail, memory_order_relaxed);
        if (atomic_compare_exchange_strong(at(TAIL), &tail, tail + padding + length)) {
            if (padding > 0)
                stamp(tail, padding - 16, SKIPPED, 0);
            stamp(tail + padding, size, CLAIMED, producer);
            set(slot + 8, UINT64_MAX);
            return records + (tail + padding) % capacity;
        }
    }
}

static void commit(uint64_t record, uint64_t size, uint64_t type) {
    set(record + 8, size | (uint64_t) COMMITTED << 30 | type << 32);
    if (get(WAKES) == 0)
        return;
    atomic_thread_fence(memory_order_seq_cst);
    if (get(WAITING) != 0) {
        set(WAITING, 0);
        syscall(SYS_futex, at(WAITING), FUTEX_WAKE, 1, NULL, NULL, 0);
    }
}

static uint64_t size_of(uint64_t number) {
    return 8 * (1 + number % 5);
}

/* Commits the last message if there is a byte in standard input. Otherwise, the process ends without a commit. */
static void write_messages(uint64_t count) {
    for (uint64_t number = 0; number < count; number++) {
        uint64_t size = size_of(number), record = claim(size);
        for (uint64_t i = 0; i < size; i += 8)
            memcpy(ring + record + 16 + i, &number, 8);
        if (number + 1 < count || getchar() != EOF)
            commit(record, size, 7);
    }
}

static void read_messages(uint64_t count) {
    uint64_t head = get(HEAD);
    if (!is_position(head))
        errx(1, "damaged positions");
    for (uint64_t number = 0; number < count;) {
        uint64_t index = head % capacity, record = records + index;
        uint64_t word = get(record) == (head ^ key) ? get(record + 8) : (uint64_t) CLAIMED << 30;
        uint64_t size = word & 0x3fffffff, length = (size + 31) & ~UINT64_C(15);
        if ((word >> 30 & 3) == CLAIMED) {
            usleep(50);
            continue;
        }
        if ((word >> 30 & 3) == 0 || length > capacity - index)
            errx(1, "damaged record");
        if ((word >> 30 & 3) == COMMITTED) {
            if (word >> 32 != 7 || size != size_of(number))
                errx(1, "another message: number=%llu", (unsigned long long) number);
            for (uint64_t i = 0; i < size; i += 8)
                if (memcmp(ring + record + 16 + i, &number, 8) != 0)
                    errx(1, "other contents: number=%llu", (unsigned long long) number);
            number++;
        }
        head += length;
        set(HEAD, head);
    }
}

int main(int count, char **arguments) {
    if (count != 4)
        errx(2, "usage: ring_peer read|write FILE COUNT");
    int file = open(arguments[2], O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    uint64_t messages = strtoull(arguments[3], NULL, 10);
    map(file);
    if (strcmp(arguments[1], "write") == 0) {
        take_slot(file);
        write_messages(messages);
    } else if (try_lock(file, 0)) {
        read_messages(messages);
    } else {
        errx(1, "the ring has a reader");
    }
    return 0;
}
