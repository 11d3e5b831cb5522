package dev.arenakit.mapped.internal.catalog;

import dev.arenakit.mapped.CatalogLevel;
import dev.arenakit.mapped.internal.catalog.CatalogEntry.Allocated;
import dev.arenakit.mapped.internal.catalog.CatalogEntry.Text;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import static dev.arenakit.mapped.internal.catalog.CatalogFormat.INT;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LINE;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LONG;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.SLOT;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

/// Writes the catalog of a new image from its first entry to its last one, through a channel. Nobody else reads or
/// writes the file meanwhile. Not thread-safe.
public final class CatalogBuilder {
    private static final int BUFFER = 1 << 16;
    /// The largest number of types whose lines are known, so that the types of an image may take any space.
    private static final int TYPES = 256;

    private final FileChannel channel;
    private final MemorySegment buffer = Arena.ofAuto().allocate(BUFFER, Long.BYTES);
    private final Map<String, Text> types = new HashMap<>();
    /// The offset in the file at which the buffer is written.
    private long start = CatalogFormat.FIRST_ENTRY;
    private int filled;

    public CatalogBuilder(FileChannel channel) {
        this.channel = channel;
    }

    /// The end of the entries, in bytes.
    public long end() {
        return start + filled;
    }

    /// Records a data file.
    public void addFile(int number, long byteSize) throws IOException {
        MemorySegment entry = entry(CatalogFormat.KIND_FILE);
        entry.set(INT, CatalogFormat.FILE, number);
        entry.set(LONG, CatalogFormat.WHOLE_SIZE,
                CatalogFormat.checkedValue(end() - LINE + CatalogFormat.WHOLE_SIZE, byteSize));
        entry.set(LONG, CatalogFormat.TIME, CatalogFormat.nanos(Instant.now()));
        finish(entry, Text.NONE, Text.NONE);
    }

    /// Records an allocation of another image with its name, type, time and thread.
    ///
    /// @param file       the number of its first data file, or -1 if there is none
    /// @param byteOffset the offset in its file
    /// @param isWhole    whether it consists of whole data files
    /// @return its number
    public long addAllocation(Allocated from, int file, long byteOffset, boolean isWhole) throws IOException {
        Text name = from.name().line() == 0 ? Text.NONE : write(from.name().text());
        Text type = from.type().line() == 0 ? Text.NONE : type(from.type().text());
        boolean grows = from.maxByteSize() > 0;
        if (grows) {
            long forced = from.elementCount() < 0 ? CatalogFormat.NOT_COUNTED : from.elementCount();
            addCount(from.hasUnforced() ? from.storedCount() : forced, forced);
        }
        byte wholeKind = grows ? CatalogFormat.KIND_GROWABLE : CatalogFormat.KIND_WHOLE;
        MemorySegment entry = entry(isWhole ? wholeKind : CatalogFormat.KIND_ALLOCATION);
        long at = end() - LINE;
        if (isWhole) {
            entry.set(JAVA_BYTE, CatalogFormat.PART_SIZE, from.partByteSize() == 0
                    ? 0
                    : (byte) Long.numberOfTrailingZeros(from.partByteSize()));
            entry.set(LONG, CatalogFormat.WHOLE_SIZE,
                    CatalogFormat.checkedValue(at + CatalogFormat.WHOLE_SIZE, from.byteSize()));
            entry.set(LONG, CatalogFormat.LARGEST_SIZE, grows ? from.maxByteSize() : from.byteSize());
        } else {
            entry.set(LONG, CatalogFormat.OFFSET, byteOffset);
            entry.set(LONG, CatalogFormat.SIZE, from.byteSize());
        }
        entry.set(JAVA_BYTE, CatalogFormat.ALIGNMENT, (byte) Long.numberOfTrailingZeros(from.byteAlignment()));
        entry.set(INT, CatalogFormat.FILE, file);
        entry.set(LONG, CatalogFormat.TIME, from.time());
        entry.set(LONG, CatalogFormat.THREAD, from.thread());
        entry.set(INT, CatalogFormat.NAME, name.line());
        entry.set(INT, CatalogFormat.TYPE, type.line());
        finish(entry, name, type);
        return at / SLOT;
    }

    /// Records the numbers of elements of the allocation that follows. Its bytes are on the device before the header.
    private void addCount(long count, long forced) throws IOException {
        MemorySegment entry = entry(CatalogFormat.KIND_COUNT);
        long at = end() - LINE;
        entry.set(LONG, CatalogFormat.COUNT, CatalogFormat.checkedValue(at + CatalogFormat.COUNT, count));
        entry.set(LONG, CatalogFormat.FORCED_COUNT,
                CatalogFormat.checkedValue(at + CatalogFormat.FORCED_COUNT, forced));
        finish(entry, Text.NONE, Text.NONE);
    }

    /// Records a seal.
    ///
    /// @param number the number of the allocation
    public void addSeal(long number, long byteSize, long millis, BlockSums sums) throws IOException {
        int previous = 0;
        for (SealText text : SealText.texts(number, byteSize, millis, sums)) {
            previous = write(text.withPrevious(previous).print()).line();
        }
    }

    /// Records this process as an owner that has closed the image.
    public void addOwner() throws IOException {
        Text jvm = write(CatalogWriter.jvm());
        ProcessHandle self = ProcessHandle.current();
        MemorySegment entry = entry(CatalogFormat.KIND_OWNER);
        entry.set(INT, CatalogFormat.STATE, CatalogFormat.STATE_ENDED);
        entry.set(LONG, CatalogFormat.PID, self.pid());
        entry.set(LONG, CatalogFormat.STARTED, self.info().startInstant().map(CatalogFormat::nanos).orElse(0L));
        entry.set(LONG, CatalogFormat.OPENED, CatalogFormat.nanos(Instant.now()));
        entry.set(INT, CatalogFormat.JVM, jvm.line());
        finish(entry, jvm, Text.NONE);
    }

    /// Writes the entries that are still in memory.
    public void flush() throws IOException {
        ByteBuffer bytes = buffer.asSlice(0, filled).asByteBuffer();
        while (bytes.hasRemaining()) {
            channel.write(bytes, start + bytes.position());
        }
        start += filled;
        filled = 0;
    }

    /// The header of the catalog, which the caller writes last.
    ///
    /// @param of    the image whose data the files contain
    /// @param files the number of data files
    public MemorySegment header(CatalogReader of, int files) {
        MemorySegment header = Arena.ofAuto().allocate(CatalogFormat.FIRST_ENTRY, Long.BYTES);
        CatalogLevel level = of.level();
        CatalogWriter.fillHeader(header, level, of.isChunked() ? of.chunkByteSize() : 0,
                CatalogFormat.nanos(Instant.now()));
        header.set(INT, CatalogFormat.BYTE_ORDER_AT,
                of.isLittleEndian() ? CatalogFormat.LITTLE_ENDIAN : CatalogFormat.BIG_ENDIAN);
        header.set(LONG, CatalogFormat.MARK_AT, end());
        header.set(INT, CatalogFormat.FILES_AT, files);
        header.set(LONG, CatalogFormat.CHECKSUM, CatalogFormat.headerChecksum(header));
        return header;
    }

    private Text type(String text) throws IOException {
        Text known = types.get(text);
        if (known == null) {
            if (types.size() == TYPES) {
                types.clear();
            }
            known = write(text);
            types.put(text, known);
        }
        return known;
    }

    private Text write(String text) throws IOException {
        byte[] utf8 = text.getBytes(UTF_8);
        long byteSize = CatalogFormat.textByteSize(utf8.length);
        int line = (int) (end() / LINE);
        long checksum = CatalogFormat.checksum(utf8);
        MemorySegment entry = byteSize > BUFFER
                ? Arena.ofAuto().allocate(byteSize, Long.BYTES)
                : next(byteSize);
        entry.set(INT, 0, line);
        entry.set(INT, CatalogFormat.STATE, CatalogFormat.STATE_LIVE);
        entry.set(LONG, CatalogFormat.KIND, CatalogFormat.textHead(utf8.length));
        entry.set(LONG, CatalogFormat.TEXT_CHECKSUM, checksum);
        MemorySegment.copy(utf8, 0, entry, JAVA_BYTE, CatalogFormat.TEXT_BYTES, utf8.length);
        if (byteSize > BUFFER) {
            flush();
            ByteBuffer bytes = entry.asByteBuffer();
            while (bytes.hasRemaining()) {
                channel.write(bytes, start + bytes.position());
            }
            start += byteSize;
        }
        return new Text(line, utf8, checksum);
    }

    /// A live entry of one line without sequence and checksum.
    private MemorySegment entry(byte kind) throws IOException {
        MemorySegment entry = next(LINE);
        entry.set(INT, CatalogFormat.STATE, CatalogFormat.STATE_LIVE);
        entry.set(JAVA_BYTE, CatalogFormat.KIND, kind);
        return entry;
    }

    private void finish(MemorySegment entry, Text name, Text type) {
        long line = end() / LINE - 1;
        entry.set(LONG, CatalogFormat.CHECKSUM,
                CatalogFormat.checksum(entry, 0, line, name.checksum(), type.checksum()));
        entry.set(INT, 0, (int) line);
    }

    private MemorySegment next(long byteSize) throws IOException {
        if (end() + byteSize > CatalogFormat.LARGEST) {
            throw new IOException("Catalog of the copy is full: byteSize=" + end());
        }
        if (filled + byteSize > BUFFER) {
            flush();
        }
        MemorySegment entry = buffer.asSlice(filled, byteSize).fill((byte) 0);
        filled += (int) byteSize;
        return entry;
    }
}
