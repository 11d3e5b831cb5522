package dev.arenakit.mapped.internal.trace;

import dev.arenakit.mapped.trace.TraceEvent.Kind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/// The format of an allocation trace. A trace is an image with a header of the name [#NAME], and pages without names.
/// All numbers are little-endian.
///
/// ```
/// header   0  magic          8 bytes
///          8  version        int
///         12  state          int, 0 while recording, or the ordinal of a state
///         16  start          long, milliseconds since 1970
///
/// page     0  magic          int
///          4  length         int, the bytes of this page that contain header and complete events
///          8  checksum       int, CRC-32C of the bytes [16, length), 0 while the page is written
///         12  writer         int, the events of a writer are in the order of time
///         16  number         int, the number of the page among the pages of the writer
///         20  padding        int
///         24  start          long, nanoseconds since the start of the trace
///         32  events
///
/// event    0  bits 0 to 2    kind, the position in KINDS
///             bit  3         a thread follows; without it, the event has the thread of the previous event in the page
///             bit  4         an arena follows; without it, the event has the arena of the previous event
///             bits 5 to 7    the logarithm of the alignment, or 7 if a byte with the logarithm follows;
///                            bit 5 of an opened arena: it is shared
///             then, as variable-length numbers of 7 bits a byte, the lowest first:
///             nanoseconds since the previous event
///             thread         2 * id, plus 1 for a virtual thread
///             arena          difference to the previous event's arena
///             size in bytes  of allocations, blocks and resized blocks
///             address        difference to the previous address; of blocks, resized and freed blocks
///             new address    difference to the old address; of resized blocks
///             Differences d are stored as 2 * d, or as -2 * d - 1 if they are negative.
/// ```
///
/// Nothing in a page depends on another page. The length is stored after the bytes of an event, so that a killed
/// process leaves complete events. The thread and the arena before the first event of a page are 0.
public final class TraceFormat {
    /// The name of the header's allocation.
    public static final String NAME = "allocation trace";
    public static final int VERSION = 1;
    public static final int HEADER_BYTE_SIZE = 64;

    /// A damaged page loses all of its events, some 2,000.
    public static final int PAGE_BYTE_SIZE = 16 << 10;

    static final Kind[] KINDS = Kind.values();
    static final int EVENTS = 32;
    /// An upper limit of the size of an event: three bytes, and five numbers of at most ten bytes.
    static final int MAX_EVENT_BYTE_SIZE = 64;

    static final int HAS_THREAD = 1 << 3;
    static final int HAS_ARENA = 1 << 4;
    static final int SHARED = 1 << 5;
    static final int ALIGNMENT_SHIFT = 5;
    static final int LONG_ALIGNMENT = 7;

    private static final long MAGIC = 0x3145434152544b41L; // "AKTRACE1"
    private static final int PAGE_MAGIC = 0x45474150; // "PAGE"
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT_HANDLE = INT.varHandle();

    private static final long STATE = 12;
    private static final long START = 16;

    private static final long LENGTH = 4;
    private static final long CHECKSUM = 8;
    private static final long WRITER = 12;
    private static final long NUMBER = 16;
    private static final long PAGE_START = 24;

    private TraceFormat() {}

    /// Writes the header. Its magic comes last: a header without it is not complete.
    public static void writeHeader(MemorySegment header, long startMillis) {
        header.set(INT, 8, VERSION);
        header.set(LONG, START, startMillis);
        VarHandle.releaseFence();
        header.set(LONG, 0, MAGIC);
    }

    /// Writes the state with which a recording ends.
    public static void writeState(MemorySegment header, int state) {
        INT_HANDLE.setRelease(header, STATE, state);
    }

    public static boolean isHeader(MemorySegment header) {
        return header.byteSize() >= HEADER_BYTE_SIZE && header.get(LONG, 0) == MAGIC;
    }

    public static int version(MemorySegment header) {
        return header.get(INT, 8);
    }

    public static int state(MemorySegment header) {
        return (int) INT_HANDLE.getAcquire(header, STATE);
    }

    public static long startMillis(MemorySegment header) {
        return header.get(LONG, START);
    }

    static void beginPage(MemorySegment page, int writer, int number, long startNanos) {
        page.set(INT, WRITER, writer);
        page.set(INT, NUMBER, number);
        page.set(LONG, PAGE_START, startNanos);
        setLength(page, EVENTS);
        VarHandle.releaseFence();
        page.set(INT, 0, PAGE_MAGIC);
    }

    static boolean isPage(MemorySegment page) {
        return page.byteSize() == PAGE_BYTE_SIZE && page.get(INT, 0) == PAGE_MAGIC;
    }

    /// Whether a page has neither a magic nor events: the magic is written before the first event.
    static boolean isEmpty(MemorySegment page) {
        return page.byteSize() == PAGE_BYTE_SIZE && page.get(INT, 0) == 0 && page.get(INT, EVENTS) == 0
                && page.asSlice(EVENTS, PAGE_BYTE_SIZE - EVENTS - 1)
                        .mismatch(page.asSlice(EVENTS + 1)) < 0;
    }

    static void setLength(MemorySegment page, int length) {
        INT_HANDLE.setRelease(page, LENGTH, length);
    }

    static int length(MemorySegment page) {
        return (int) INT_HANDLE.getAcquire(page, LENGTH);
    }

    static int writer(MemorySegment page) {
        return page.get(INT, WRITER);
    }

    static int number(MemorySegment page) {
        return page.get(INT, NUMBER);
    }

    static long startNanos(MemorySegment page) {
        return page.get(LONG, PAGE_START);
    }

    /// Stores the checksum of a page that is complete.
    static void finishPage(MemorySegment page) {
        INT_HANDLE.setRelease(page, CHECKSUM, checksum(page, length(page)));
    }

    /// Whether the bytes of a page are those that were written, as far as the page has a checksum.
    static boolean isIntact(MemorySegment page) {
        int length = length(page);
        if (length < EVENTS || length > page.byteSize()) {
            return false;
        }
        int stored = page.get(INT, CHECKSUM);
        return stored == 0 || stored == checksum(page, length);
    }

    /// A checksum of 0 means that there is none.
    private static int checksum(MemorySegment page, int length) {
        CRC32C crc = new CRC32C();
        crc.update(page.asSlice(NUMBER, length - NUMBER).asByteBuffer());
        return (int) Math.max(1, crc.getValue());
    }

    static boolean hasSize(Kind kind) {
        return kind == Kind.ALLOCATE || kind == Kind.ALLOCATE_BLOCK || kind == Kind.RESIZE_BLOCK;
    }

    static boolean hasAddress(Kind kind) {
        return kind == Kind.ALLOCATE_BLOCK || kind == Kind.FREE_BLOCK || kind == Kind.RESIZE_BLOCK;
    }
}
