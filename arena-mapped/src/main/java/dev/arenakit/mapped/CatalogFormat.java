package dev.arenakit.mapped;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The format of `base.catalog`, version 1. The file consists of lines of 64 bytes, which are numbered from 0. Numbers
/// are little-endian.
///
/// ```text
/// line 0: the header, written once                  line 1: the counters, which change
///   0  magic                  8 bytes                 0  high-water mark     int64  end of reserved lines, in bytes
///   8  version                int32                   8  data files          int32  number of the next data file
///  12  line size              int32                  12  zero
///  16  byte order of the data int32  1 little, 2 big
///  20  page size              int32
///  24  chunked                int32  0 or 1         from line 2 on: the entries
///  28  full                   int32  0 or 1, whether all times and threads are recorded
///  32  chunk size             int64
///  40  created at             int64  ns since 1970
///  48  zero
///  56  checksum               int64
///
/// entry             ALLOCATION      FILE            OWNER               TEXT, which may span several lines
///   0  sequence     int32           int32           int32               int32    the number of the line, written last
///   4  state        int32           int32           int32               int32    1 live, 2 ended; may change
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
/// An entry of kind 5 has no contents: the reservation of its line was cancelled. It is zero except for sequence,
/// state, kind and checksum.
///
/// Times are nanoseconds since 1970. A time or thread of 0 is not recorded. Name, type and jvm are the numbers of the
/// lines in which their texts begin, or 0 for no text. An image contains each text once. A file of -1 stands for no
/// file: the allocation has size 0.
///
/// **Validity.** An entry is valid if its sequence is the number of its line and its checksum is correct. The checksum
/// covers the entry from its kind on, and the checksums of the texts that the entry refers to. The checksum of a text
/// covers the bytes of the text. No checksum covers the state.
///
/// **Order of stores.** A writer reserves lines by moving the high-water mark, and stores the sequence of an entry
/// last, with release order. An entry whose sequence is 0 is unfinished. Kind and size of a text are stored first, by
/// one store, so that the bytes of a text are never read as entries. A process that dies leaves unfinished or empty
/// lines between valid entries.
final class CatalogFormat {
    static final int VERSION = 1;
    static final long LINE = 64;
    static final long FIRST_ENTRY = 2 * LINE;
    static final int LITTLE_ENDIAN = 1;
    static final int BIG_ENDIAN = 2;

    /// The largest size of a catalog: line numbers have 32 bits.
    static final long LARGEST = Integer.MAX_VALUE * LINE;

    /// The largest size of a text, which limits the work of a reader when a size is damaged.
    static final int LARGEST_TEXT = 1 << 20;

    /// The first byte is not text, and the line feeds reveal a copy that was converted as text.
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
    static final byte KIND_CANCELLED = 5;

    static final int STATE_LIVE = 1;
    static final int STATE_ENDED = 2;

    static final int NO_FILE = -1;

    /// The largest number of a file, a thousand times the limit of mappings in a process.
    static final int LARGEST_FILE = 10_000_000;

    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Handles for the fields that threads and processes share: sequence, state, number of files, high-water mark.
    static final VarHandle INT_HANDLE = INT.varHandle().withInvokeExactBehavior();
    static final VarHandle LONG_HANDLE = LONG.varHandle().withInvokeExactBehavior();

    private CatalogFormat() {}

    /// The size of the lines of a text, in bytes.
    static long textByteSize(int byteSize) {
        return (TEXT_BYTES + byteSize + LINE - 1) / LINE * LINE;
    }

    /// The bytes of a text from its kind to its size, as one value.
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

    /// The checksum of an entry that is not a text.
    ///
    /// @param at   the offset of its line
    /// @param name the checksum of the text that [#NAME] refers to, or 0 if there is none
    /// @param type the checksum of the text that [#TYPE] refers to, or 0 if there is none
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

    /// One step of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). Each bit of
    /// the result depends on each bit of both arguments.
    private static long mix(long hash, long word) {
        long mixed = (hash ^ word) + 0x9e37_79b9_7f4a_7c15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d0_49bb_1331_11ebL;
        return mixed ^ (mixed >>> 31);
    }
}
