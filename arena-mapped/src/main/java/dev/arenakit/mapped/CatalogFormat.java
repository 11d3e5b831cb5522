package dev.arenakit.mapped;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The format of `base.catalog`, version 1: lines of 64 bytes, which are numbered from 0. Numbers are little-endian.
///
/// ```text
/// line 0: what the image is, written once           line 1: what changes
///   0  magic                  8 bytes                 0  high-water mark     int64  end of the lines handed out, in bytes
///   8  version                int32                   8  data files          int32  how many numbers are taken
///  12  line size              int32                  12  zero
///  16  byte order of the data int32  1 little, 2 big
///  20  page size              int32
///  24  chunked                int32  0 or 1         from line 2 on: one entry after the other
///  28  full                   int32  0 or 1, whether all times and threads are recorded
///  32  chunk size             int64
///  40  made at                int64  ns since 1970
///  48  zero
///  56  checksum               int64
///
/// entry             ALLOCATION      FILE            OWNER               TEXT, over as many lines as it needs
///   0  sequence     int32           int32           int32               int32    the number of the line, written last
///   4  state        int32           int32           int32               int32    1 live, 2 ended: may change
///   8  kind         int8  1         int8  2         int8  3             int8  4
///   9  alignment    int8, log2      zero            zero                zero
///  10  zero
///  12               int32 file      int32 file      zero                int32 size in bytes
///  16               int64 offset    zero            int64 pid           int64 checksum
///  24               int64 size      int64 size      int64 started at    UTF-8 ...
///  32               int64 time      int64 time      int64 opened at
///  40               int64 thread    zero            zero
///  48               int32 name      zero            int32 jvm
///  52               int32 type      zero            zero
///  56  checksum     int64           int64           int64
/// ```
///
/// An entry of kind 5 is nothing: its line was claimed and given back. But for sequence, state, kind and checksum it is zero.
///
/// Times are nanoseconds since 1970, 0 where they are not recorded, as is a thread. Name, type and jvm are the numbers of the
/// lines in which their texts begin, 0 for none; each text stands in an image once. A file of -1 is none: the allocation is empty.
///
/// **An entry counts** when its sequence is the number of its line and its checksum holds. The checksum covers the entry from
/// its kind on, and the checksums of the texts that it refers to; that of a text covers the bytes of the text. The state lies
/// outside. Writers store the sequence last, with release order: while it is 0, an entry is unfinished. Kind and size of a text are
/// stored first, at once, so that its bytes are never taken for entries. A writer claims lines by
/// moving the high-water mark, so that a process which dies leaves lines that are unfinished, or zero, between others that
/// count.
final class CatalogFormat {
    static final int VERSION = 1;
    static final long LINE = 64;
    static final long FIRST_ENTRY = 2 * LINE;
    static final int LITTLE_ENDIAN = 1;
    static final int BIG_ENDIAN = 2;

    /// Line numbers are of 32 bits.
    static final long LARGEST = Integer.MAX_VALUE * LINE;

    /// Bounds what a damaged size can make a reader do.
    static final int LARGEST_TEXT = 1 << 20;

    /// The first byte is no text, and the line ends show a copy that was made as if it were.
    static final long MAGIC = 0x0a0d_414e_4552_4189L;

    static final long VERSION_AT = 8;
    static final long LINE_SIZE_AT = 12;
    static final long BYTE_ORDER_AT = 16;
    static final long PAGE_SIZE_AT = 20;
    static final long CHUNKED_AT = 24;
    static final long FULL_AT = 28;
    static final long CHUNK_SIZE_AT = 32;
    static final long MADE_AT = 40;
    static final long HIGH_WATER_AT = 64;
    static final long FILES_AT = 72;

    static final long STATE = 4;
    static final long KIND = 8;
    static final long ALIGNMENT = 9;
    static final long FILE = 12;
    static final long OFFSET = 16;
    static final long SIZE = 24;
    static final long TIME = 32;
    static final long THREAD = 40;
    static final long NAME = 48;
    static final long TYPE = 52;
    static final long CHECKSUM = 56;

    static final long PID = 16;
    static final long STARTED = 24;
    static final long OPENED = 32;
    static final long JVM = 48;

    static final long TEXT_SIZE = 12;
    static final long TEXT_CHECKSUM = 16;
    static final long TEXT_BYTES = 24;

    static final byte KIND_ALLOCATION = 1;
    static final byte KIND_FILE = 2;
    static final byte KIND_OWNER = 3;
    static final byte KIND_TEXT = 4;
    static final byte KIND_NOTHING = 5;

    static final int STATE_LIVE = 1;
    static final int STATE_ENDED = 2;

    static final int NO_FILE = -1;

    /// Of a file's number: a thousand times as many as a process may map.
    static final int LARGEST_FILE = 10_000_000;

    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// For what several threads and processes look at: sequence, state, number of files, high-water mark.
    static final VarHandle INT_HANDLE = INT.varHandle().withInvokeExactBehavior();
    static final VarHandle LONG_HANDLE = LONG.varHandle().withInvokeExactBehavior();

    private CatalogFormat() {}

    /// How many bytes of lines a text takes.
    static long textByteSize(int byteSize) {
        return (TEXT_BYTES + byteSize + LINE - 1) / LINE * LINE;
    }

    /// The first bytes of a text from its kind on, up to its size.
    static long textHead(int byteSize) {
        return KIND_TEXT | (long) byteSize << (Byte.SIZE * (TEXT_SIZE - KIND));
    }

    static long headerChecksum(MemorySegment catalog) {
        long hash = 0;
        for (long at = 0; at < CHECKSUM; at += Long.BYTES) {
            hash = mix(hash, catalog.get(LONG, at));
        }
        return hash;
    }

    /// The checksum of an entry that is no text.
    ///
    /// @param at   where its line begins
    /// @param name checksum of the text that is referred to at [#NAME], 0 where there is none
    /// @param type checksum of the text that is referred to at [#TYPE], 0 where there is none
    static long checksum(MemorySegment catalog, long at, long sequence, long name, long type) {
        long hash = mix(sequence, catalog.get(LONG, at + KIND));
        hash = mix(hash, catalog.get(LONG, at + OFFSET));
        hash = mix(hash, catalog.get(LONG, at + SIZE));
        hash = mix(hash, catalog.get(LONG, at + TIME));
        hash = mix(hash, catalog.get(LONG, at + THREAD));
        hash = mix(hash, catalog.get(LONG, at + NAME));
        return mix(mix(hash, name), type);
    }

    /// The checksum of a text.
    static long checksum(byte[] text) {
        long hash = mix(0, text.length);
        int at = 0;
        while (at < text.length) {
            long word = 0;
            for (int i = 0; i < Long.BYTES && at < text.length; i++) {
                word |= (text[at++] & 0xffL) << (8 * i);
            }
            hash = mix(hash, word);
        }
        return hash;
    }

    /// One step of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014), whose every bit depends
    /// on every bit of both arguments.
    private static long mix(long hash, long word) {
        long mixed = (hash ^ word) + 0x9e37_79b9_7f4a_7c15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d0_49bb_1331_11ebL;
        return mixed ^ (mixed >>> 31);
    }
}
