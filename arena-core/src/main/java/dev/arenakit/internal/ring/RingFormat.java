package dev.arenakit.internal.ring;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The bytes of a ring buffer, version 1. Numbers are little-endian. All of them are read and written as aligned words
/// of 8 bytes, so that no process sees half of a word. `docs/rings.md` describes a ring in a file for programs in
/// other languages.
///
/// ```text
/// header: written once           on cache lines of their own: change          a record, at a multiple of 16
///    0  magic     int64           128  tail       int64                        0  stamp     int64
///    8  version   int32           256  head copy  int64                        8  size      30 bits
///   12  kind      int32           384  head       int64                           state      2 bits
///   16  capacity  int64           392  skips      int64                       12  type      int32
///   24  records   int64           512  waiting    int64                       16  the bytes of the message,
///   32  key       int64           640  the records, or what else stands           and up to 15 bytes of padding
///   40  checksum  int64                before them: see the field records
///   48  wakes     int64
/// ```
///
/// | field | contents |
/// |---|---|
/// | magic | written last: memory whose magic is 0 has no complete header |
/// | kind | 1 one producer, 2 many producers, 3 many producers of a file: each holds a lock |
/// | capacity | the size of all records in bytes, a power of two |
/// | records | the offset of the first record, a multiple of 16 |
/// | key | a random number that was drawn when the ring was created |
/// | checksum | [#checksum] of bytes 8 to 39 |
/// | wakes | 1 as soon as a reader has slept until a producer wakes it: producers wake readers from then on |
/// | tail | the position up to which producers have claimed; changed by producers |
/// | head copy | a value of head that a producer has read, so that most claims do not read head; can move backwards |
/// | head | the position up to which the reader has read; changed by the reader |
/// | skips | the number of records that the reader has skipped because their producers had ended |
/// | waiting | 1 while the reader sleeps by `futex(2)` on the first 4 bytes of this word, otherwise 0 |
///
/// Fields that different threads change are 128 bytes apart, because processors fetch cache lines of 64 bytes in pairs.
///
/// **Positions** count bytes from the creation of the ring. Tail and head never decrease. The record of a position begins at
/// `records + position % capacity`. Records are contiguous: a producer whose record does not fit before the end of the
/// memory claims the rest together with it, as a record in the state *skipped*. A record takes `16 + size` bytes,
/// rounded up to a multiple of 16. The largest record takes half of the capacity. Therefore it fits into an empty ring
/// at every position.
///
/// **The stamp** of a record is `position ^ key`. A stamp says that the record was claimed in this round through the
/// memory. Bytes of earlier rounds are not erased. They cannot be mistaken for a record: a message that contains
/// stamps would have to contain the key. An accident has a probability of 2^-64 for each word.
///
/// | state | value | high half of the word | meaning |
/// |---|---|---|---|
/// | claimed | 1 | number of the producer | the producer is writing the message |
/// | committed | 2 | type | the message is complete |
/// | skipped | 3 | | no message: aborted, dead, or the rest before the end of the memory |
///
/// **Order of stores.** A producer (1) moves tail, (2) writes the word of size and state, *claimed*, (3) writes the
/// stamp with release semantics, (4) writes the message, and (5) writes the word of size and state, *committed*, with
/// release semantics. A producer that copies a message instead of writing it in place copies it after step 1, writes
/// *committed* in step 2, and ends with step 3, because the reader waits on the cache line of these words.
///
/// The reader reads the stamp and then the other word, both with acquire semantics. If the stamp is right, it sees the
/// other word of step 2 or 5, and with *committed*, it sees the message. It moves head with release semantics when it no
/// longer reads the records before. A producer reads head or its copy with acquire semantics before it claims.
/// Therefore its stores do not overtake the reader. A single producer reads its own words, tail and head copy, plainly.
///
/// **Sleep.** A reader stores 1 in wakes and waiting, looks for a message again, and sleeps while waiting is 1, at most
/// 100 milliseconds. If wakes is 1, a producer that has committed or aborted a claim reads waiting behind a full fence.
/// If it is 1, the producer stores 0 there, and wakes the reader. Whoever has not seen wakes yet, or cannot make the
/// system call, wakes nobody: the reader wakes up by itself.
///
/// **Death at any instruction.** A reader moves nothing except head. Its successor reads the messages behind head,
/// which include those that the dead reader had read since it moved head last. A producer that dies
///
/// - before step 1 has changed nothing;
/// - after step 1 leaves a gap: no stamp, although tail is beyond it. It ends at the next position with a stamp, at the
///   end of the memory, or at tail, whichever comes first;
/// - after step 3 leaves a claimed record that names its producer and its size;
/// - after step 5 has sent its message.
///
/// Whoever knows that the producer is dead writes the state *skipped*. Zeroing of records by the reader, the
/// alternative to stamps, would make a reader that dies between zeroing and moving head leave gaps that look like those
/// of producers. It would also write each byte of the ring twice.
public final class RingFormat {
    public static final long MAGIC_VALUE = 0x474e_4952_4e45_5241L; // "ARENRING"
    static final int VERSION = 1;
    static final int ONE_PRODUCER = 1;
    static final int MANY_PRODUCERS = 2;
    public static final int FILE = 3;

    public static final long MAGIC = 0;
    static final long VERSION_AND_KIND = 8;
    public static final long CAPACITY = 16;
    static final long RECORDS = 24;
    static final long KEY = 32;
    static final long CHECKSUM = 40;
    public static final long WAKES = 48;
    public static final long TAIL = 128;
    public static final long HEAD_COPY = 256;
    public static final long HEAD = 384;
    public static final long SKIPS = 392;
    static final long WAITING = 512;
    /// The size of the header.
    public static final long HEADER_BYTE_SIZE = 640;
    /// The smallest capacity: messages of 16 bytes.
    public static final long MIN_CAPACITY = 64;
    /// The largest capacity, which no address space exceeds.
    public static final long MAX_CAPACITY = 1L << 46;

    /// The size and the alignment of the header of a record.
    public static final long RECORD = 16;
    /// The offset of size, state and type in a record.
    public static final long DESCRIPTION = 8;

    public static final long CLAIMED = 1L << 30;
    static final long COMMITTED = 2L << 30;
    public static final long SKIPPED = 3L << 30;
    private static final long STATE_MASK = 3L << 30;
    private static final long SIZE_MASK = (1L << 30) - 1;
    /// The largest record: its size without header has 30 bits.
    public static final long MAX_RECORD = 1L << 30;

    /// Accesses a long at an offset: `(MemorySegment, long)`.
    public static final VarHandle LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN)
            .varHandle()
            .withInvokeExactBehavior();

    /// The sign, and the bits that are 0 in each position.
    public static final long NO_POSITION = Long.MIN_VALUE | (RECORD - 1);

    private RingFormat() {}

    static IllegalStateException damaged(long head, long tail) {
        return new IllegalStateException("Positions of a ring are damaged: head=" + head + ", tail=" + tail
                + "; zero its header to create it again");
    }

    public static long state(long description) {
        return description & STATE_MASK;
    }

    public static long size(long description) {
        return description & SIZE_MASK;
    }

    public static int type(long description) {
        return (int) (description >>> Integer.SIZE);
    }

    /// The size of a record with a message of a size.
    public static long recordByteSize(long byteSize) {
        return (byteSize + 2 * RECORD - 1) & -RECORD;
    }

    /// The size of the largest message of a ring.
    public static long maxMessageByteSize(long capacity) {
        return Math.min(capacity / 2, MAX_RECORD) - RECORD;
    }

    /// FNV-1a (G. Fowler, L. C. Noll and K.-P. Vo) over the words at 8, 16, 24 and 32, instead of over bytes.
    static long checksum(long versionAndKind, long capacity, long records, long key) {
        long sum = 0xcbf2_9ce4_8422_2325L;
        for (long word : new long[]{versionAndKind, capacity, records, key}) {
            sum = (sum ^ word) * 0x100_0000_01b3L;
        }
        return sum;
    }
}
