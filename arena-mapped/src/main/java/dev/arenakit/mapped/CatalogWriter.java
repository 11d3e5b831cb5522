package dev.arenakit.mapped;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.Scopes;
import dev.arenakit.mapped.CatalogEntry.Text;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

import static dev.arenakit.mapped.CatalogFormat.INT;
import static dev.arenakit.mapped.CatalogFormat.INT_HANDLE;
import static dev.arenakit.mapped.CatalogFormat.LINE;
import static dev.arenakit.mapped.CatalogFormat.LONG;
import static dev.arenakit.mapped.CatalogFormat.LONG_HANDLE;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Writes the catalog of an open arena. Thread-safe.
final class CatalogWriter {
    /* Entries are stored through a mapping: they are in the file as soon as they are stored, even if the process dies.
     * A store to a hole of a file on a full disk would kill the process. Therefore lines are reserved only in the part
     * where zeros have been written through a channel, which reports a full disk by an exception.
     *
     *   0            high-water mark          zeroed                    size of the mapping, and of the file
     *   +------------+------------------------+-------------------------+
     *   | entries    | zeros                  | hole                    |
     *   +------------+------------------------+-------------------------+
     *
     * When `zeroed` reaches the end, the file grows to four times its size and is mapped again. The previous mapping
     * shows the same memory and stays until the arena is closed. */

    /// The number of bytes that are zeroed at once: a thousand entries.
    private static final long STEP = 1 << 16;
    private static final int GROWTH = 4;

    private final Path file;
    private final Arena arena;
    private final boolean full;
    private final ConcurrentHashMap<String, Text> texts = new ConcurrentHashMap<>();

    private final long wallClock = nanos(Instant.now());
    private final long clock = System.nanoTime();

    private volatile MemorySegment map;
    /// Written after `map`: a thread that reads a value sees a mapping of at least that size.
    private volatile long zeroed;
    private int mappings;
    private int ownerLine;

    private CatalogWriter(Path file, Arena arena, boolean full) {
        this.file = file;
        this.arena = arena;
        this.full = full;
        this.map = MemorySegment.NULL;
    }

    /// Creates the catalog of a new image. On failure no file remains.
    ///
    /// @param arena         the arena whose scope the mapping gets
    /// @param level         how much is recorded, not `OFF`
    /// @param chunkByteSize the size of a chunk, or 0 if each allocation has a file
    static CatalogWriter create(Path base, Arena arena, CatalogLevel level, long chunkByteSize) {
        Path file = ImageFiles.catalog(base);
        try {
            SafeFiles.create(file).close();
        } catch (IOException e) {
            throw FileErrors.create(file, 0, e);
        }
        CatalogWriter catalog = new CatalogWriter(file, arena, level == CatalogLevel.FULL);
        try {
            catalog.zero(STEP);
            catalog.writeHeader(level, chunkByteSize);
            catalog.addOwner();
            return catalog;
        } catch (Throwable t) {
            catalog.release();
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                t.addSuppressed(e);
            }
            throw t;
        }
    }

    /// Continues the catalog of an image that the caller owns.
    ///
    /// @param end   the offset of the next entry, after all that has been written
    /// @param texts the texts in the catalog
    static CatalogWriter reopen(Path base, Arena arena, CatalogLevel level, long end, List<Text> texts) {
        CatalogWriter catalog = new CatalogWriter(ImageFiles.catalog(base), arena, level == CatalogLevel.FULL);
        try {
            texts.forEach(text -> catalog.texts.put(text.text(), text));
            catalog.zeroed = end;
            catalog.zero(end + 1);
            catalog.map.set(LONG, CatalogFormat.HIGH_WATER_AT, end);
            catalog.addOwner();
            return catalog;
        } catch (Throwable t) {
            catalog.release();
            throw t;
        }
    }

    private void writeHeader(CatalogLevel level, long chunkByteSize) {
        MemorySegment header = map;
        header.set(INT, CatalogFormat.VERSION_AT, CatalogFormat.VERSION);
        header.set(INT, CatalogFormat.LINE_SIZE_AT, (int) LINE);
        header.set(INT, CatalogFormat.BYTE_ORDER_AT, ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
                ? CatalogFormat.LITTLE_ENDIAN
                : CatalogFormat.BIG_ENDIAN);
        header.set(INT, CatalogFormat.PAGE_SIZE_AT, (int) PageSize.BYTES);
        header.set(INT, CatalogFormat.CHUNKED_AT, chunkByteSize > 0 ? 1 : 0);
        header.set(INT, CatalogFormat.FULL_AT, level == CatalogLevel.FULL ? 1 : 0);
        header.set(LONG, CatalogFormat.CHUNK_SIZE_AT, chunkByteSize);
        header.set(LONG, CatalogFormat.MADE_AT, wallClock);
        header.set(LONG, CatalogFormat.HIGH_WATER_AT, CatalogFormat.FIRST_ENTRY);
        header.set(LONG, 0, CatalogFormat.MAGIC);
        // Write the checksum last: without it, a reader sees a file that is still being created.
        LONG_HANDLE.setRelease(header, CatalogFormat.CHECKSUM, CatalogFormat.headerChecksum(header));
    }

    /// Reserves the line of an allocation before it is made, so that a full disk is detected first.
    int reserve() {
        return (int) (reserve(LINE) / LINE);
    }

    /// Cancels the reservation of a line. If another line has been reserved since, the line gets an entry that says so:
    /// an empty line would mean that its writer died, or that the catalog is damaged.
    void cancel(int line) {
        MemorySegment to = map;
        if (to.scope().isAlive()
                && !LONG_HANDLE.compareAndSet(to, CatalogFormat.HIGH_WATER_AT, (line + 1) * LINE, line * LINE)) {
            to.set(JAVA_BYTE, line * LINE + CatalogFormat.KIND, CatalogFormat.KIND_CANCELLED);
            finish(to, line, Text.NONE, Text.NONE);
        }
    }

    /// Records an allocation in its line. If it has a name, it is recorded in full.
    void addAllocation(int line, int file, long byteOffset, long byteSize, long byteAlignment, Text name, Text type) {
        MemorySegment to = map;
        long at = line * LINE;
        to.set(JAVA_BYTE, at + CatalogFormat.KIND, CatalogFormat.KIND_ALLOCATION);
        to.set(JAVA_BYTE, at + CatalogFormat.ALIGNMENT, (byte) Long.numberOfTrailingZeros(byteAlignment));
        to.set(INT, at + CatalogFormat.FILE, file);
        to.set(LONG, at + CatalogFormat.OFFSET, byteOffset);
        to.set(LONG, at + CatalogFormat.SIZE, byteSize);
        if (full || name.line() != 0) {
            to.set(LONG, at + CatalogFormat.TIME, now());
            to.set(LONG, at + CatalogFormat.THREAD, Thread.currentThread().threadId());
            to.set(INT, at + CatalogFormat.NAME, name.line());
            to.set(INT, at + CatalogFormat.TYPE, type.line());
        }
        finish(to, line, name, type);
    }

    /// Records a data file in its line.
    void addDataFile(int line, int number, long byteSize) {
        MemorySegment to = map;
        long at = line * LINE;
        to.set(JAVA_BYTE, at + CatalogFormat.KIND, CatalogFormat.KIND_FILE);
        to.set(INT, at + CatalogFormat.FILE, number);
        to.set(LONG, at + CatalogFormat.SIZE, byteSize);
        to.set(LONG, at + CatalogFormat.TIME, now());
        finish(to, line, Text.NONE, Text.NONE);
        INT_HANDLE.setRelease(to, CatalogFormat.FILES_AT, number + 1);
    }

    private void addOwner() {
        Text jvm = text(System.getProperty("java.vm.name") + " " + Runtime.version());
        int line = reserve();
        MemorySegment to = map;
        long at = line * LINE;
        ProcessHandle self = ProcessHandle.current();
        to.set(JAVA_BYTE, at + CatalogFormat.KIND, CatalogFormat.KIND_OWNER);
        to.set(LONG, at + CatalogFormat.PID, self.pid());
        to.set(LONG, at + CatalogFormat.STARTED, self.info().startInstant().map(CatalogWriter::nanos).orElse(0L));
        to.set(LONG, at + CatalogFormat.OPENED, wallClock);
        to.set(INT, at + CatalogFormat.JVM, jvm.line());
        finish(to, line, jvm, Text.NONE);
        ownerLine = line;
    }

    private static void finish(MemorySegment to, int line, Text name, Text type) {
        long at = line * LINE;
        to.set(LONG, at + CatalogFormat.CHECKSUM,
                CatalogFormat.checksum(to, at, line, name.checksum(), type.checksum()));
        to.set(INT, at + CatalogFormat.STATE, CatalogFormat.STATE_LIVE);
        INT_HANDLE.setRelease(to, at, line);
    }

    /// Marks an allocation as freed.
    void free(int line) {
        INT_HANDLE.setRelease(map, line * LINE + CatalogFormat.STATE, CatalogFormat.STATE_ENDED);
    }

    /// The entry of a text. It is written when it is first requested.
    ///
    /// @throws IllegalArgumentException if the text is too long
    Text text(String text) {
        return texts.computeIfAbsent(text, this::write);
    }

    private Text write(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > CatalogFormat.LARGEST_TEXT) {
            throw new IllegalArgumentException("Text too long for a catalog: byteSize=" + bytes.length + ", largest="
                    + CatalogFormat.LARGEST_TEXT + ", text=" + text.substring(0, 40) + "...");
        }
        long at = reserve(CatalogFormat.textByteSize(bytes.length));
        MemorySegment to = map;
        // Write kind and size first, by one store: if the process dies meanwhile, a reader skips the right number of
        // lines.
        LONG_HANDLE.setRelease(to, at + CatalogFormat.KIND, CatalogFormat.textHead(bytes.length));
        VarHandle.storeStoreFence();
        MemorySegment.copy(bytes, 0, to, JAVA_BYTE, at + CatalogFormat.TEXT_BYTES, bytes.length);
        long checksum = CatalogFormat.checksum(bytes);
        to.set(LONG, at + CatalogFormat.TEXT_CHECKSUM, checksum);
        to.set(INT, at + CatalogFormat.STATE, CatalogFormat.STATE_LIVE);
        int line = (int) (at / LINE);
        INT_HANDLE.setRelease(to, at, line);
        return new Text(line, text, checksum);
    }

    private long reserve(long byteSize) {
        while (true) {
            MemorySegment current = map;
            long start = (long) LONG_HANDLE.getVolatile(current, CatalogFormat.HIGH_WATER_AT);
            long end = start + byteSize;
            if (end > zeroed) {
                zero(end);
            } else if (LONG_HANDLE.compareAndSet(current, CatalogFormat.HIGH_WATER_AT, start, end)) {
                return start;
            }
        }
    }

    /// Writes zeros up to an end, so that the lines before it can be reserved.
    private synchronized void zero(long end) {
        if (end <= zeroed) {
            return;
        }
        // The arena may have been closed meanwhile, and the file may have another owner.
        Scopes.checkOpen(map);
        if (end > CatalogFormat.LARGEST) {
            throw new CapacityExceededException("Catalog is full: file=" + file, CatalogFormat.LARGEST, zeroed, LINE,
                    "build another arena, or build it with catalog(CatalogLevel.OFF)");
        }
        long upTo = Math.ceilDiv(end, STEP) * STEP;
        try {
            SafeFiles.uninterrupted(() -> {
                try (FileChannel channel = SafeFiles.open(file)) {
                    writeZeros(channel, zeroed, upTo);
                    if (upTo > map.byteSize()) {
                        mapTo(channel, upTo);
                    }
                    return file;
                }
            });
        } catch (IOException e) {
            // If the arena was closed meanwhile and the file deleted, report that.
            Scopes.checkOpen(map);
            throw FileErrors.catalog(file, upTo, e);
        }
        zeroed = upTo;
    }

    private void mapTo(FileChannel channel, long upTo) throws IOException {
        long byteSize = Math.max(channel.size(), Math.max(upTo, map.byteSize() * GROWTH));
        MappingLimit.reserve();
        mappings++;
        boolean mapped = false;
        try {
            map = channel.map(MapMode.READ_WRITE, 0, byteSize, arena);
            mapped = true;
        } finally {
            if (!mapped) {
                mappings--;
                MappingLimit.release(1);
            }
        }
    }

    private static void writeZeros(FileChannel channel, long from, long to) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocate((int) STEP);
        for (long at = from; at < to;) {
            at += channel.write(zeros.clear().limit((int) Math.min(STEP, to - at)), at);
        }
    }

    /// Writes the catalog to the device.
    void force() throws IOException {
        SafeFiles.force(file);
    }

    /// Records that the owner has closed the image. The arena has unmapped the catalog before.
    void close() throws IOException {
        release();
        ByteBuffer state = ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0, CatalogFormat.STATE_ENDED);
        SafeFiles.uninterrupted(() -> {
            try (FileChannel channel = SafeFiles.open(file)) {
                return channel.write(state.clear(), ownerLine * LINE + CatalogFormat.STATE);
            }
        });
    }

    /// Releases the count of the mappings, which the arena has unmapped.
    synchronized void release() {
        MappingLimit.release(mappings);
        mappings = 0;
    }

    private long now() {
        return wallClock + (System.nanoTime() - clock);
    }

    private static long nanos(Instant time) {
        return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano());
    }
}
