package dev.arenakit.mapped.internal.image;

import dev.arenakit.mapped.CatalogLevel;
import dev.arenakit.mapped.internal.catalog.CatalogFile;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.time.Instant;

import static dev.arenakit.mapped.internal.catalog.CatalogFormat.INT;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LINE;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LONG;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.SLOT;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Changes entries of the catalog of a copy, which nobody else writes.
final class CatalogPatch {
    private final FileChannel channel;

    CatalogPatch(FileChannel channel) {
        this.channel = channel;
    }

    /// Replaces a line by a cancelled entry.
    void cancel(int line) throws IOException {
        writeEntry(line, entry(CatalogFormat.KIND_CANCELLED));
    }

    void addFile(int line, int number, long byteSize) throws IOException {
        MemorySegment entry = entry(CatalogFormat.KIND_FILE);
        entry.set(INT, CatalogFormat.FILE, number);
        entry.set(LONG, CatalogFormat.SIZE, byteSize);
        entry.set(LONG, CatalogFormat.TIME, now());
        writeEntry(line, entry);
    }

    /// Adds this process as an owner that has closed the image.
    void addOwner(int line) throws IOException {
        MemorySegment entry = entry(CatalogFormat.KIND_OWNER);
        ProcessHandle self = ProcessHandle.current();
        entry.set(INT, CatalogFormat.STATE, CatalogFormat.STATE_ENDED);
        entry.set(LONG, CatalogFormat.PID, self.pid());
        entry.set(LONG, CatalogFormat.STARTED, self.info().startInstant().map(CatalogFormat::nanos).orElse(0L));
        entry.set(LONG, CatalogFormat.OPENED, now());
        writeEntry(line, entry);
    }

    /// Sets the state of an entry.
    ///
    /// @param at the offset of its line
    void setState(long at, int state) throws IOException {
        MemorySegment value = allocate(Integer.BYTES);
        value.set(INT, 0, state);
        write(at + CatalogFormat.STATE, value);
    }

    /// Sets the number of elements of an allocation. All of these elements are in the copied files.
    ///
    /// @param line the line of the number
    void setCounts(int line, long count) throws IOException {
        for (long field : new long[]{CatalogFormat.COUNT, CatalogFormat.FORCED_COUNT}) {
            MemorySegment value = allocate(Long.BYTES);
            value.set(LONG, 0, CatalogFormat.checkedValue(line * LINE + field, count));
            write(line * LINE + field, value);
        }
    }

    /// Sets the state of an allocation to ended.
    ///
    /// @param at     the offset of its slot or line
    /// @param runEnd the end of the last run that begins before it
    void end(long at, long runEnd) throws IOException {
        if (at >= runEnd) {
            setState(at, CatalogFormat.STATE_ENDED);
            return;
        }
        MemorySegment slot = read(at, SLOT);
        slot.set(LONG, 0, CatalogFormat.slotWithState(slot.get(LONG, 0), CatalogFormat.STATE_ENDED));
        write(at, slot);
    }

    /// Clears a range.
    ///
    /// @return whether it was zero before
    boolean clear(long start, long end) throws IOException {
        MemorySegment bytes = read(start, end - start);
        MemorySegment zeros = allocate(bytes.byteSize());
        write(start, zeros);
        return bytes.mismatch(zeros) < 0;
    }

    void write(long at, MemorySegment bytes) throws IOException {
        CopyTarget.write(channel, at, bytes);
    }

    /// Replaces a damaged header. The byte order of the data is kept if it has a possible value.
    static void fillHeader(MemorySegment header, CatalogLevel level, long chunkByteSize) {
        int byteOrder = header.get(INT, CatalogFormat.BYTE_ORDER_AT);
        header.asSlice(0, LINE).fill((byte) 0);
        CatalogFile.fillHeader(header, level, chunkByteSize, now());
        if (byteOrder == CatalogFormat.LITTLE_ENDIAN || byteOrder == CatalogFormat.BIG_ENDIAN) {
            header.set(INT, CatalogFormat.BYTE_ORDER_AT, byteOrder);
        }
        header.set(LONG, CatalogFormat.CHECKSUM, CatalogFormat.headerChecksum(header));
    }

    /// A live entry without sequence and checksum.
    private static MemorySegment entry(byte kind) {
        MemorySegment entry = allocate(LINE);
        entry.set(INT, CatalogFormat.STATE, CatalogFormat.STATE_LIVE);
        entry.set(JAVA_BYTE, CatalogFormat.KIND, kind);
        return entry;
    }

    private void writeEntry(int line, MemorySegment entry) throws IOException {
        entry.set(INT, 0, line);
        entry.set(LONG, CatalogFormat.CHECKSUM, CatalogFormat.checksum(entry, 0, line, 0, 0));
        write(line * LINE, entry);
    }

    private MemorySegment read(long at, long byteSize) throws IOException {
        MemorySegment bytes = allocate(byteSize);
        ByteBuffer buffer = bytes.asByteBuffer();
        while (buffer.hasRemaining() && channel.read(buffer, at + buffer.position()) > 0) {
            // Bytes after the end of the file are zero.
        }
        return bytes;
    }

    private static MemorySegment allocate(long byteSize) {
        return Arena.ofAuto().allocate(byteSize, Long.BYTES);
    }

    private static long now() {
        return CatalogFormat.nanos(Instant.now());
    }
}
