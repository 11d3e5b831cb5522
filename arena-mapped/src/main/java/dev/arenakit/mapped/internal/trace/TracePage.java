package dev.arenakit.mapped.internal.trace;

import dev.arenakit.mapped.trace.TraceEvent.Kind;
import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Reads the events of a page, one after the other.
public final class TracePage {
    private static final int LARGEST_ALIGNMENT = Long.SIZE - 2;
    /// No system addresses more memory.
    private static final long LARGEST_SIZE = 1L << 56;

    /// The file and the offset of the page.
    final String place;
    final int writer;
    final int number;
    final MemorySegment page;
    private final int end;
    private int position = TraceFormat.EVENTS;

    Kind kind = Kind.OPEN;
    long nanos;
    long thread;
    long arena;
    boolean isShared;
    int alignment;
    long byteSize;
    long address;
    long newAddress;

    /// @param place the page's file and offset, for messages
    public TracePage(MemorySegment page, String place) {
        this.page = page;
        this.place = place;
        boolean isPage = TraceFormat.isPage(page);
        writer = isPage ? TraceFormat.writer(page) : 0;
        number = isPage ? TraceFormat.number(page) : 0;
        end = isPage ? TraceFormat.length(page) : 0;
        nanos = isPage ? TraceFormat.startNanos(page) : 0;
    }

    boolean isIntact() {
        return TraceFormat.isPage(page) && TraceFormat.isIntact(page) && nanos >= 0;
    }

    /// The file and the offset of the page, and the offset of the event in it.
    String placeOfEvent() {
        return place + ", event=" + position;
    }

    /// Reads the next event.
    ///
    /// @return whether there is one
    /// @throws IllegalStateException if there is no event at the place of the next event
    boolean next() {
        if (position >= end) {
            return false;
        }
        int at = position;
        try {
            read();
        } catch (IndexOutOfBoundsException | IllegalStateException e) {
            position = at;
            throw new IllegalStateException("There is no event here", e);
        }
        return true;
    }

    private void read() {
        int head = page.get(JAVA_BYTE, position++);
        if ((head & 7) >= TraceFormat.KINDS.length) {
            throw new IllegalStateException();
        }
        kind = TraceFormat.KINDS[head & 7];
        isShared = kind == Kind.OPEN && (head & TraceFormat.SHARED) != 0;
        alignment = kind == Kind.OPEN ? 0 : (head >> TraceFormat.ALIGNMENT_SHIFT) & TraceFormat.LONG_ALIGNMENT;
        if (alignment == TraceFormat.LONG_ALIGNMENT) {
            alignment = page.get(JAVA_BYTE, position++);
        }
        nanos += varLong();
        if ((head & TraceFormat.HAS_THREAD) != 0) {
            thread = varLong();
        }
        if ((head & TraceFormat.HAS_ARENA) != 0) {
            arena += difference();
        }
        byteSize = TraceFormat.hasSize(kind) ? varLong() : 0;
        if (TraceFormat.hasAddress(kind)) {
            address = newAddress + difference();
            newAddress = kind == Kind.RESIZE_BLOCK ? address + difference() : address;
        }
        if (position > end || nanos < 0 || thread < 0 || byteSize < 0 || byteSize > LARGEST_SIZE || alignment < 0
                || alignment > LARGEST_ALIGNMENT) {
            throw new IllegalStateException();
        }
    }

    private long difference() {
        long zigzag = varLong();
        return zigzag >>> 1 ^ -(zigzag & 1);
    }

    private long varLong() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte part = page.get(JAVA_BYTE, position++);
            value |= (part & 0x7fL) << shift;
            if (part >= 0) {
                return value;
            }
        }
        throw new IllegalStateException();
    }
}
