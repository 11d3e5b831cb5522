package dev.arenakit.mapped.internal.catalog;

import dev.arenakit.mapped.internal.files.MappingLimit;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.time.Instant;

/// The format of `base.catalog`, version 3. The file consists of lines of 64 bytes, which are numbered from 0. Numbers
/// are little-endian.
///
/// ```text
/// line 0: the header, written once                  line 1: the counters, which change
///   0  magic                  8 bytes                 0  mark            int64  see below
///   8  version                int32                   8  data files      int32  number of the next data file
///  12  line size              int32                  12  zero
///  16  byte order of the data int32  1 little, 2 big
///  20  page size              int32
///  24  chunked                int32  0 or 1         from line 2 on: the entries
///  28  full                   int32  0 or 1, whether times and threads are recorded
///  32  chunk size             int64
///  40  created at             int64  ns since 1970
///  48  zero
///  56  checksum               int64
///
/// entry             ALLOCATION      FILE            OWNER               RUN              TEXT
///   0  sequence     int32           int32           int32               int32            int32   number of the line
///   4  state        int32           int32           int32               int32            int32
///   8  kind         int8  1         int8  2         int8  3             int8  6          int8  4
///   9  alignment    int8, log2      zero            zero                zero             zero
///  10               zero            zero            zero                int16 lines      zero
///  12               int32 file      int32 file      zero                int32 file       int32 size in bytes
///  16               int64 offset    int64 size      int64 pid           int64 offset     int64 checksum
///  24               int64 size      int64 old size  int64 started at    int64 size       UTF-8 ...
///  32               int64 time      int64 time      int64 opened at     int64 time
///  40               int64 thread    zero            zero                int64 thread
///  48               int32 name      zero            int32 jvm           int32 base address
///  52               int32 type      zero            zero                zero
///  56  checksum     int64           int64           int64               int64
///                                                                       slots ...
/// ```
///
/// An entry of kind 5 has no contents: the reservation of its line was cancelled. It is zero except for sequence,
/// state, kind and checksum.
///
/// **Entries.** Times are nanoseconds since 1970. A time or thread of 0 is not recorded. Name, type and jvm are the
/// numbers of the lines in which their texts begin, or 0 for no text. A file of -1 stands for no file: the allocation
/// has size 0. An image contains the text of each type once. A name that was freed and used again has a text for each
/// use. The state of an owner is 1 for live and 2 for ended. A text spans as many lines as it needs.
///
/// **States of allocations.** 1 is live. 2 is ended: nothing changes its contents any more. -1, which is 3 in a slot, is
/// freed: the writer may make its memory zero, or remove its data file, at any later time. When that is done, the state
/// is 2. Any other value is damaged, and counts as live.
///
/// **Data files.** The state of a FILE is 1 if the file is there, 2 if it was removed, and 3 if it is planned: its
/// writer is creating it, or has died before. A planned file to which an allocation or a run refers is there. No number
/// is used for another file, and the files of the allocations in a removed file are not expected. A crash of the machine
/// may lose the record of a file that exists. The size at 16 has the bits of the size of a whole file, see below. If it
/// is 0, the size is the old size at 24, which versions 1 and 2 have written.
///
/// **Whole files.** An entry of kind 7 records an allocation that consists of whole data files, from their starts. It
/// differs from an ALLOCATION in these fields:
///
/// ```text
///  10  part size    int8   log2, or 0 if there is one data file
///  16  size         int64  bits 0 to 47: the size, bits 48 to 63: check; may grow
///  24  largest size int64  the size up to which it may grow, which may be its size
/// ```
///
/// An entry of kind 8 records an allocation that grows. It is equal to an entry of kind 7, except that the allocation
/// never grows beyond the largest size. An allocation of kind 7 may.
///
/// If there is a part size, each data file contains that many bytes of the allocation, and the last file contains the
/// rest. The numbers of the files are consecutive, and the entry has the first number. A file grows before the size
/// does.
///
/// **Counts.** An entry of kind 9 has the number of elements in the allocation whose entry of kind 8 is the next line:
///
/// ```text
///  16  count        int64  bits 0 to 47: the number of elements, bits 48 to 63: check; changes
///  24  forced count int64  like the count; changes
///  32  boot         int64  identifies the start of the machine in which the count was stored, or 0; changes
/// ```
///
/// A count of 2^48 - 1 says that no number was stored. The boot is the checksum of a text, in
/// most cases of the 36 characters of `/proc/sys/kernel/random/boot_id`, or a start time, see [BootId]. If it is the boot
/// of the reader, the count is valid: all elements are in the files, which outlive the process that has stored them. In any
/// other case, and if the boot is 0, the forced count is valid: its elements were written to the device before it. The
/// other fields are zero.
///
/// **Runs.** A run is a range of a data file in which one thread makes allocations without names, one behind the other.
/// The entry gives the number of lines, its own line included. The other lines consist of slots of 8 bytes, which are
/// used in their order. A slot that is 0 was never used. A slot of an allocation is
///
/// ```text
/// bits  0 to 40   size
///      41 to 45   alignment, log2
///      46 to 47   state; may change
///      48 to 63   check
/// ```
///
/// The allocation of a slot starts behind the previous allocation (the first allocation at the offset of the run) at
/// the next address that has its alignment. The *base address* is the address of the file's first byte in memory,
/// modulo 2 MiB. The state of a run is 0 while slots may still be used, and then the number of used slots plus 1.
///
/// **Seals.** A seal has the checksums of an allocation. It is one or more texts of US-ASCII, to which no entry refers.
/// The last text begins with `\u0001seal ` and completes the seal. The other texts begin with `\u0001part `. Each text
/// continues with five fields, which are separated by spaces:
///
/// ```text
/// number     decimal  of the allocation
/// size       decimal  of the allocation in bytes when it was sealed
/// time       decimal  milliseconds since 1970
/// previous   decimal  the line of the previous text of the seal, or 0 in the first one
/// checksums  runs, which are separated by spaces: the number of a block in hexadecimal digits, a colon, and
///            8 hexadecimal digits for the CRC-32C of this block and of each consecutive block
/// ```
///
/// Block n is the bytes of the allocation from n MiB to n + 1 MiB, or to its size. A block without a checksum is zero.
/// All texts of a seal have the same number, size and time. The last text that completes a seal of an allocation is
/// valid. Parts without such a text have no meaning. If a part of the seal is missing, or the seal is larger than the
/// allocation, the allocation counts as not sealed. A release that does not know seals ignores these texts, and keeps
/// them.
///
/// **Numbers.** The number of an allocation is the offset of its slot, or of its line, divided by 8. It never changes.
///
/// **Mark.** The low 48 bits are the high-water mark: the end of the reserved lines in bytes. The high 16 bits are the
/// generation, which each new owner increases. A writer reserves lines by one atomic step on both, and so learns that
/// it is no longer the owner. After the machine has failed, valid entries may follow the high-water mark.
///
/// **Validity.** An entry is valid if its sequence is the number of its line and its checksum is correct. The checksum
/// covers the entry from its kind on, and the checksums of the texts that the entry refers to. The checksum of a text
/// covers the bytes of the text. The check of a slot covers its contents, the number of the slot, and the offset at
/// which its allocation starts. The check of the size of a whole file covers the size, and the number of the size as if
/// it were a slot. It is computed like the check of a slot without state whose allocation starts at offset 0. A
/// checksum covers 0 instead of such a size. Counts have such checks, too, and the checksum of their entry covers 0
/// instead of counts and boot. Nothing covers the state of an entry.
///
/// **Checksums.** `mix(h, w)` is: `x = (h ^ w) + 0x9e3779b97f4a7c15; x = (x ^ x >>> 30) * 0xbf58476d1ce4e5b9; x = (x ^
/// x >>> 27) * 0x94d049bb133111eb; x ^ x >>> 31`, with 64 bits and logical shifts. The checksum of an entry starts with
/// `h` = its sequence, and mixes the int64 at 8, 16, 24, 32, 40 and 48, the checksum of its name (owner: jvm) and the
/// checksum of its type, or 0. The checksum of a text starts with `mix(0, size)`, and mixes its bytes in groups of 8.
/// The last group is filled with zeros. The checksum of the header starts with 0, and mixes the int64 at 0 to 48, with
/// 1 as version. A check is the upper 16 bits of `y ^ y >>> 32`, times 0x94d049bb133111eb, where `y = (slot ^ number *
/// 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9 + offset`, and the slot has no state and no check. The state times 0x5a5a
/// is added to these 16 bits by exclusive or, so that the state can be changed without any other value than the slot.
///
/// **Order of stores.** A writer reserves lines by moving the mark, and stores the sequence of an entry last, with
/// release order. An entry whose sequence is 0 is unfinished. Kind and size of a text, and kind, lines and file of a
/// run, are stored first, by one store, so that the following bytes are never read as entries. A slot is one store. A
/// process that dies leaves unfinished or empty lines between valid entries.
///
/// The entry of a count is complete before the entry of its allocation. A reader that reads them in their order never
/// sees a count with an earlier size.
///
/// A data file is planned before it is created. Its size, and then the state 1, are stored when it is mapped, and before
/// an entry refers to it. An allocation is freed in three steps: the state freed is stored; the catalog is written to the
/// device; the memory is made zero, and the state 2 is stored. If the allocation consists of whole data files, the
/// states of these files become 2, and the catalog is written to the device again, before the files are removed. After
/// a failure of the machine, an allocation is therefore live and complete, or it is freed.
///
/// **Version 2** has neither entries of the kinds 8 and 9, nor the state freed, nor a size at 16 of a FILE: all allocations
/// of whole files have kind 7. **Version 1** has no runs either, and its mark has no generation. Otherwise, they are equal
/// to version 3.
public final class CatalogFormat {
    static final int VERSION = 3;
    static final int OLDEST_VERSION = 1;
    public static final long LINE = 64;
    public static final long FIRST_ENTRY = 2 * LINE;
    public static final int LITTLE_ENDIAN = 1;
    public static final int BIG_ENDIAN = 2;

    /// The largest size of a catalog: line numbers have 32 bits.
    static final long LARGEST = Integer.MAX_VALUE * LINE;

    /// The largest size of a text, which limits the work of a reader when a size is damaged.
    public static final int LARGEST_TEXT = 1 << 20;

    /// The first byte is not text, and the line feeds reveal a copy that was converted as text.
    public static final long MAGIC = 0x0a0d_414e_4552_4189L;

    public static final long VERSION_AT = 8;
    static final long LINE_SIZE_AT = 12;
    public static final long BYTE_ORDER_AT = 16;
    static final long PAGE_SIZE_AT = 20;
    static final long CHUNKED_AT = 24;
    static final long FULL_AT = 28;
    static final long CHUNK_SIZE_AT = 32;
    static final long MADE_AT = 40;
    public static final long MARK_AT = 64;
    static final long FILES_AT = 72;

    /// The bits of the mark below its generation.
    private static final int MARK_BITS = 48;

    public static final long STATE = 4;
    public static final long KIND = 8;
    static final long ALIGNMENT = 9;
    static final long LINES = 10;
    static final long PART_SIZE = 10;
    public static final long FILE = 12;
    static final long OFFSET = 16;
    public static final long SIZE = 24;
    /// The size of a data file, and of an allocation that consists of whole data files.
    static final long WHOLE_SIZE = 16;
    static final long LARGEST_SIZE = 24;
    public static final long COUNT = 16;
    public static final long FORCED_COUNT = 24;
    static final long BOOT = 32;
    public static final long TIME = 32;
    static final long THREAD = 40;
    static final long NAME = 48;
    static final long TYPE = 52;
    public static final long CHECKSUM = 56;

    static final long BASE_ADDRESS = 48;
    public static final long BASE_ADDRESS_MODULO = 2L << 20;
    public static final long SLOT = Long.BYTES;

    public static final long PID = 16;
    public static final long STARTED = 24;
    public static final long OPENED = 32;
    static final long JVM = 48;

    static final long TEXT_SIZE = 12;
    public static final long TEXT_CHECKSUM = 16;
    public static final long TEXT_BYTES = 24;

    static final byte KIND_ALLOCATION = 1;
    public static final byte KIND_FILE = 2;
    public static final byte KIND_OWNER = 3;
    static final byte KIND_TEXT = 4;
    public static final byte KIND_CANCELLED = 5;
    public static final byte KIND_RUN = 6;
    static final byte KIND_WHOLE = 7;
    static final byte KIND_GROWABLE = 8;
    static final byte KIND_COUNT = 9;

    public static final int STATE_LIVE = 1;
    public static final int STATE_ENDED = 2;
    /// No state is nearer to it than 31 bits: an allocation whose state is damaged must not seem to be freed.
    public static final int STATE_FREED = -1;

    /// The states of data files, apart from [#STATE_LIVE].
    public static final int STATE_REMOVED = 2;
    static final int STATE_PLANNED = 3;

    public static final int NO_FILE = -1;

    /// The largest allocation that a slot can record, exclusive.
    static final long SLOT_BYTE_SIZE_LIMIT = 1L << 41;

    /// The largest number of data files of an allocation: as many as a process can map.
    static final int LARGEST_PARTS = MappingLimit.LIMIT;

    /// The first character of the texts of a seal. Neither a name nor a type begins with a control character.
    static final char SEAL = '\u0001';

    private static final int SLOT_ALIGNMENT = 41;
    private static final int SLOT_STATE = 46;
    private static final int SLOT_CHECK = 48;
    /// The largest value of a field that has a check.
    public static final long LARGEST_VALUE = (1L << SLOT_CHECK) - 1;
    /// The count of an allocation whose elements nobody has counted.
    public static final long NOT_COUNTED = LARGEST_VALUE;

    private static final int SLOT_STATES = 3;
    private static final long SLOT_STATE_MASK = (long) SLOT_STATES << SLOT_STATE;
    private static final long SLOT_STATE_CHECK = 0x5a5a;
    private static final long SLOT_CONTENT_MASK = (1L << SLOT_STATE) - 1;

    /// The largest number of a file, a thousand times the limit of mappings in a process.
    public static final int LARGEST_FILE = 10_000_000;

    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Handles for the fields that threads and processes share: sequence, state, number of files, mark, slots.
    static final VarHandle INT_HANDLE = INT.varHandle().withInvokeExactBehavior();
    static final VarHandle LONG_HANDLE = LONG.varHandle().withInvokeExactBehavior();

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private static final long GOLDEN_RATIO = 0x9e37_79b9_7f4a_7c15L;
    private static final long MULTIPLIER = 0xbf58_476d_1ce4_e5b9L;
    private static final long SECOND_MULTIPLIER = 0x94d0_49bb_1331_11ebL;
    private static final VarHandle WORD_HANDLE = MethodHandles
            .byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    private CatalogFormat() {}

    /// The size of the lines of a text, in bytes.
    public static long textByteSize(int byteSize) {
        return (TEXT_BYTES + byteSize + LINE - 1) / LINE * LINE;
    }

    /// The bytes of a text from its kind to its size, as one value.
    public static long textHead(int byteSize) {
        return KIND_TEXT | (long) byteSize << (Byte.SIZE * (TEXT_SIZE - KIND));
    }

    /// The bytes of a run from its kind to its file, as one value.
    static long runHead(int lines, int file) {
        return KIND_RUN | ((long) lines << (Byte.SIZE * (LINES - KIND)))
                | ((long) file << (Byte.SIZE * (FILE - KIND)));
    }

    static long mark(int generation, long end) {
        return ((long) generation << MARK_BITS) | end;
    }

    /// The end of the reserved lines, in bytes.
    public static long end(long mark) {
        return mark & ((1L << MARK_BITS) - 1);
    }

    static int generation(long mark) {
        return (int) (mark >>> MARK_BITS);
    }

    static int nextGeneration(long mark) {
        return (generation(mark) + 1) & ((1 << (Long.SIZE - MARK_BITS)) - 1);
    }

    /// The slot of a live allocation.
    ///
    /// @param at         the offset of the slot
    /// @param byteOffset the offset of the allocation in its file
    static long slot(long at, long byteSize, long byteAlignment, long byteOffset) {
        long content = byteSize | ((long) Long.numberOfTrailingZeros(byteAlignment) << SLOT_ALIGNMENT);
        return (content | (check(at, content, byteOffset) << SLOT_CHECK)) ^ state(STATE_LIVE);
    }

    /// Whether the check of a slot is correct.
    static boolean isSlot(long slot, long at, long byteOffset) {
        int state = slotState(slot);
        return state != 0 && (slot ^ state(state)) >>> SLOT_CHECK == check(at, slot & SLOT_CONTENT_MASK, byteOffset);
    }

    static long slotByteSize(long slot) {
        return slot & (SLOT_BYTE_SIZE_LIMIT - 1);
    }

    static long slotByteAlignment(long slot) {
        return 1L << ((slot & SLOT_CONTENT_MASK) >>> SLOT_ALIGNMENT);
    }

    static int slotState(long slot) {
        int state = (int) ((slot & SLOT_STATE_MASK) >>> SLOT_STATE);
        return state == (STATE_FREED & SLOT_STATES) ? STATE_FREED : state;
    }

    /// The slot with another state.
    public static long slotWithState(long slot, int state) {
        return slot ^ state(slotState(slot)) ^ state(state);
    }

    /// The bits by which a slot with a state differs from a slot without: the state, and its contribution to the check.
    /// No two states differ in fewer than 8 bits.
    private static long state(int state) {
        long bits = state & SLOT_STATES;
        return (bits << SLOT_STATE) ^ ((bits * SLOT_STATE_CHECK) << SLOT_CHECK);
    }

    /// The check of a slot. It takes only two multiplications, because recording an allocation must take nanoseconds.
    private static long check(long at, long content, long byteOffset) {
        long hash = (content ^ (at / SLOT * GOLDEN_RATIO)) * MULTIPLIER + byteOffset;
        return ((hash ^ (hash >>> 32)) * SECOND_MULTIPLIER) >>> SLOT_CHECK;
    }

    /// The value of a field that changes, such as the size of a whole file, with its check.
    ///
    /// @param at    the offset of the field
    /// @param value a value of 48 bits
    public static long checkedValue(long at, long value) {
        return value | (check(at, value, 0) << SLOT_CHECK);
    }

    /// The value of a field with its check, or -1 if the check is not correct.
    ///
    /// @param at      the offset of the line in the segment
    /// @param line    the number of the line
    /// @param fieldAt the offset of the field in the line
    static long checkedValue(MemorySegment catalog, long at, long line, long fieldAt) {
        long field = (long) LONG_HANDLE.getAcquire(catalog, at + fieldAt);
        long value = field & LARGEST_VALUE;
        return field == checkedValue(line * LINE + fieldAt, value) ? value : -1;
    }

    /// The number that a count says: 0 if none was stored, or -1 if it is damaged. If it is damaged, the forced count
    /// counts. That nothing was forced says nothing about it.
    static long countOrZero(long count, long forced) {
        if (count == NOT_COUNTED) {
            return 0;
        }
        return count >= 0 || forced == NOT_COUNTED ? count : forced;
    }

    /// Whether a kind stands for an allocation that consists of whole data files.
    static boolean isWhole(byte kind) {
        return kind == KIND_WHOLE || kind == KIND_GROWABLE;
    }

    /// Whether a text describes a type. No name begins with the same character.
    public static boolean isType(String text) {
        return text.startsWith("#");
    }

    /// The time that a field contains.
    static Instant instant(long nanos) {
        return Instant.ofEpochSecond(Math.floorDiv(nanos, NANOS_PER_SECOND), Math.floorMod(nanos, NANOS_PER_SECOND));
    }

    /// The value of a field for a time.
    public static long nanos(Instant time) {
        return Math.addExact(Math.multiplyExact(time.getEpochSecond(), NANOS_PER_SECOND), time.getNano());
    }

    public static long headerChecksum(MemorySegment catalog) {
        long hash = 0;
        for (long at = 0; at < CHECKSUM; at += Long.BYTES) {
            long word = catalog.get(LONG, at);
            // An image keeps its checksum when a new owner writes a later version into it.
            hash = mix(hash, at == VERSION_AT ? (word & (-1L << Integer.SIZE)) | OLDEST_VERSION : word);
        }
        return hash;
    }

    /// The checksum of an entry that is not a text.
    ///
    /// @param at   the offset of its line
    /// @param name the checksum of the text that [#NAME] refers to, or 0 if there is none
    /// @param type the checksum of the text that [#TYPE] refers to, or 0 if there is none
    public static long checksum(MemorySegment catalog, long at, long sequence, long name, long type) {
        long hash = mix(sequence, catalog.get(LONG, at + KIND));
        byte kind = catalog.get(ValueLayout.JAVA_BYTE, at + KIND);
        boolean isCount = kind == KIND_COUNT;
        hash = mix(hash, isWhole(kind) || kind == KIND_FILE || isCount ? 0 : catalog.get(LONG, at + OFFSET));
        hash = mix(hash, isCount ? 0 : catalog.get(LONG, at + SIZE));
        hash = mix(hash, isCount ? 0 : catalog.get(LONG, at + TIME));
        hash = mix(hash, catalog.get(LONG, at + THREAD));
        hash = mix(hash, catalog.get(LONG, at + NAME));
        return mix(mix(hash, name), type);
    }

    /// Completes an entry, whose sequence is stored last.
    ///
    /// @param name the checksum of the text that [#NAME] refers to, or 0 if there is none
    /// @param type the checksum of the text that [#TYPE] refers to, or 0 if there is none
    static void finish(MemorySegment to, int line, long name, long type, int state) {
        long at = line * LINE;
        to.set(LONG, at + CHECKSUM, checksum(to, at, line, name, type));
        to.set(INT, at + STATE, state);
        INT_HANDLE.setRelease(to, at, line);
    }

    /// The checksum of a text.
    public static long checksum(byte[] text) {
        long hash = mix(0, text.length);
        int at = 0;
        for (; at <= text.length - Long.BYTES; at += Long.BYTES) {
            hash = mix(hash, (long) WORD_HANDLE.get(text, at));
        }
        if (at < text.length) {
            long word = 0;
            for (int i = 0; at < text.length; i++) {
                word |= (text[at++] & 0xffL) << (8 * i);
            }
            hash = mix(hash, word);
        }
        return hash;
    }

    /// One step of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). Each bit of
    /// the result depends on each bit of both arguments.
    public static long mix(long hash, long word) {
        long mixed = (hash ^ word) + GOLDEN_RATIO;
        mixed = (mixed ^ (mixed >>> 30)) * MULTIPLIER;
        mixed = (mixed ^ (mixed >>> 27)) * SECOND_MULTIPLIER;
        return mixed ^ (mixed >>> 31);
    }
}
