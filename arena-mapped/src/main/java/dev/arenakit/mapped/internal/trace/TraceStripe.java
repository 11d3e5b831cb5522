package dev.arenakit.mapped.internal.trace;

import dev.arenakit.mapped.trace.TraceEvent.Kind;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.mapped.internal.trace.TraceFormat.ALIGNMENT_SHIFT;
import static dev.arenakit.mapped.internal.trace.TraceFormat.LONG_ALIGNMENT;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Writes events to pages of its own. The thread that writes holds the monitor.
final class TraceStripe {
    private final int number;
    /// Whether a thread holds the monitor: a hint for other threads, which look for another stripe then.
    volatile boolean isBusy;
    private int pages;
    /// The page that is written; null before the first event, and after an error has interrupted an event.
    private @Nullable MemorySegment page;
    private int position;
    private long lastNanos;
    private long lastThread;
    private long lastArena;
    private long lastAddress;

    TraceStripe(int number) {
        this.number = number;
    }

    /// Returns the page for the next event; null if there is none, or no room in it.
    @Nullable
    MemorySegment page() {
        return position <= TraceFormat.PAGE_BYTE_SIZE - TraceFormat.MAX_EVENT_BYTE_SIZE ? page : null;
    }

    /// Completes the page, if there is one.
    void finish() {
        MemorySegment finished = page;
        page = null;
        if (finished != null) {
            TraceFormat.finishPage(finished);
        }
    }

    void begin(MemorySegment next, long nanos) {
        TraceFormat.beginPage(next, number, pages++, nanos);
        position = TraceFormat.EVENTS;
        lastNanos = nanos;
        lastThread = 0;
        lastArena = 0;
        lastAddress = 0;
        page = next;
    }

    /// Writes an event. An error in the middle leaves the stripe without a page, since the next event could not be told
    /// from the remains.
    ///
    /// @param thread 2 * id, plus 1 for a virtual thread
    /// @param flags  the alignment's logarithm, or `SHARED`
    @SuppressWarnings("EnumOrdinal") // The format has the order of the constants.
    void write(MemorySegment to, Kind kind, long nanos, long thread, long arena, int flags, long byteSize, long address,
            long newAddress) {
        page = null;
        int at = position;
        int head = kind.ordinal();
        if (thread != lastThread) {
            head |= TraceFormat.HAS_THREAD;
        }
        if (arena != lastArena) {
            head |= TraceFormat.HAS_ARENA;
        }
        boolean isLong = kind != Kind.OPEN && flags >= LONG_ALIGNMENT;
        head |= kind == Kind.OPEN ? flags : (isLong ? LONG_ALIGNMENT : flags) << ALIGNMENT_SHIFT;
        to.set(JAVA_BYTE, at++, (byte) head);
        if (isLong) {
            to.set(JAVA_BYTE, at++, (byte) flags);
        }
        at = put(to, at, nanos - lastNanos);
        if (thread != lastThread) {
            at = put(to, at, thread);
        }
        if (arena != lastArena) {
            at = putDifference(to, at, arena - lastArena);
        }
        if (TraceFormat.hasSize(kind)) {
            at = put(to, at, byteSize);
        }
        if (TraceFormat.hasAddress(kind)) {
            at = putDifference(to, at, address - lastAddress);
            lastAddress = address;
            if (kind == Kind.RESIZE_BLOCK) {
                at = putDifference(to, at, newAddress - address);
                lastAddress = newAddress;
            }
        }
        lastNanos = nanos;
        lastThread = thread;
        lastArena = arena;
        position = at;
        TraceFormat.setLength(to, at);
        page = to;
    }

    private static int putDifference(MemorySegment to, int at, long difference) {
        return put(to, at, difference << 1 ^ difference >> 63);
    }

    private static int put(MemorySegment to, int at, long value) {
        long rest = value;
        int next = at;
        while ((rest & ~0x7fL) != 0) {
            to.set(JAVA_BYTE, next++, (byte) (rest | 0x80));
            rest >>>= 7;
        }
        to.set(JAVA_BYTE, next++, (byte) rest);
        return next;
    }
}
