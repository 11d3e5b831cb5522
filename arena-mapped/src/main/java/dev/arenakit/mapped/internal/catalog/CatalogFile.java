package dev.arenakit.mapped.internal.catalog;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.mapped.CatalogLevel;
import dev.arenakit.mapped.ImageTakenOverException;
import dev.arenakit.mapped.internal.files.ChannelMapper;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.FileIdentity;
import dev.arenakit.mapped.internal.files.FileMode;
import dev.arenakit.mapped.internal.files.FileTrust;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.files.MappingLimit;
import dev.arenakit.mapped.internal.files.NewFile;
import dev.arenakit.mapped.internal.files.PageSize;
import dev.arenakit.mapped.internal.files.SafeFiles;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

import static dev.arenakit.mapped.internal.catalog.CatalogFormat.INT;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LINE;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LONG;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LONG_HANDLE;

/// The catalog of an open arena as a mapped file, in which lines are reserved. It belongs to one owner at a time.
/// Thread-safe.
public final class CatalogFile {
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

    /// The least and the largest number of bytes that are zeroed at once. As many bytes are zeroed as the catalog has
    /// already, so that an image with few allocations takes little disk space. Larger steps would not reduce the cost
    /// per page.
    private static final long LEAST_STEP = 1 << 12;
    private static final long LARGEST_STEP = 1 << 20;
    private static final long LEAST_MAPPING = 1 << 16;
    private static final int GROWTH = 4;
    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(1 << 16).asReadOnlyBuffer();

    private final Path path;
    private final FileIdentity identity;
    private final Arena arena;

    private volatile MemorySegment map = MemorySegment.NULL;

    /// Written after `map`: a thread that reads a value sees a mapping of at least that size.
    private volatile long zeroed;

    private int mappings;

    /// Whether this process has created the file, and not mapped it yet.
    private boolean isNew;

    /// Whether this owner has written the catalog to the device. Then it also writes that it has closed the image.
    private volatile boolean isForced;

    private int generation;
    private long madeAt;

    private CatalogFile(FileIdentity identity, Arena arena) {
        path = identity.path();
        this.identity = identity;
        this.arena = arena;
    }

    /// Creates an empty file. The caller then calls [#writeHeader].
    static CatalogFile create(Path base, Arena arena, FileMode mode) {
        Path path = ImagePaths.catalog(base);
        try (NewFile created = NewFile.create(path, mode)) {
            CatalogFile file = new CatalogFile(created.identity(), arena);
            file.isNew = true;
            return file;
        } catch (IOException e) {
            throw FileErrors.create(path, 0, e);
        }
    }

    /// Deletes a new file.
    ///
    /// @param failure the failure because of which it is deleted
    void discard(Throwable failure) {
        release();
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /// Maps the catalog of an image that the caller has locked.
    static CatalogFile map(Path base, Arena arena) {
        Path path = ImagePaths.catalog(base);
        try {
            CatalogFile file = new CatalogFile(FileIdentity.of(path), arena);
            return SafeFiles.withChannel(file.identity::open, channel -> {
                file.mapTo(channel, LEAST_MAPPING);
                return file;
            });
        } catch (FileTrust.UntrustedException e) {
            throw FileErrors.untrusted(e);
        } catch (IOException e) {
            throw FileErrors.catalog(path, LEAST_MAPPING, e);
        }
    }

    public Path path() {
        return path;
    }

    /// The mapping of the catalog.
    MemorySegment map() {
        return map;
    }

    /// The end of the reserved lines.
    long end() {
        return CatalogFormat.end(mark());
    }

    /// Begins to take over the catalog. If the previous owner is alive and has lost its lock, it can reserve nothing
    /// from now on. The caller then reads the catalog, and calls [#continueAt].
    void takeOver() {
        long mark;
        do {
            mark = mark();
            generation = CatalogFormat.nextGeneration(mark);
        } while (!LONG_HANDLE.compareAndSet(map, CatalogFormat.MARK_AT, mark,
                CatalogFormat.mark(generation, CatalogFormat.end(mark))));
        map.set(INT, CatalogFormat.VERSION_AT, CatalogFormat.VERSION);
        madeAt = map.get(LONG, CatalogFormat.MADE_AT);
    }

    /// Completes the takeover.
    ///
    /// @param end the end of the catalog, where new entries go
    void continueAt(long end) {
        zeroed = end;
        zero(end + 1);
        long mark = mark();
        if (CatalogFormat.generation(mark) != generation || !LONG_HANDLE.compareAndSet(map, CatalogFormat.MARK_AT, mark,
                CatalogFormat.mark(generation, end))) {
            throw overtaken();
        }
    }

    private long mark() {
        return (long) LONG_HANDLE.getVolatile(map, CatalogFormat.MARK_AT);
    }

    /// Checks that the image belongs to this owner.
    ///
    /// @throws ImageTakenOverException if another owner has taken the image over
    public void checkOwner() {
        if (CatalogFormat.generation(mark()) != generation) {
            throw overtaken();
        }
    }

    ImageTakenOverException overtaken() {
        return new ImageTakenOverException("Another owner has taken over the image: catalog=" + path
                + "; its lock was lost, or its files have other names; close this arena");
    }

    /// Writes the header of a new catalog.
    void writeHeader(CatalogLevel level, long chunkByteSize, long createdAt) {
        zero(LEAST_STEP);
        MemorySegment header = map;
        madeAt = createdAt;
        fillHeader(header, level, chunkByteSize, madeAt);
        header.set(LONG, CatalogFormat.MARK_AT, CatalogFormat.FIRST_ENTRY);
        // Write the checksum last: without it, a reader sees a file that is still being created.
        LONG_HANDLE.setRelease(header, CatalogFormat.CHECKSUM, CatalogFormat.headerChecksum(header));
    }

    /// Writes the header without its checksum.
    public static void fillHeader(MemorySegment header, CatalogLevel level, long chunkByteSize, long createdAt) {
        // Write the magic first: if the process is killed now, the next one knows that the file is its own to delete.
        header.set(LONG, 0, CatalogFormat.MAGIC);
        VarHandle.storeStoreFence();
        header.set(INT, CatalogFormat.VERSION_AT, CatalogFormat.VERSION);
        header.set(INT, CatalogFormat.LINE_SIZE_AT, (int) LINE);
        header.set(INT, CatalogFormat.BYTE_ORDER_AT, ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
                ? CatalogFormat.LITTLE_ENDIAN
                : CatalogFormat.BIG_ENDIAN);
        header.set(INT, CatalogFormat.PAGE_SIZE_AT, (int) PageSize.BYTES);
        header.set(INT, CatalogFormat.CHUNKED_AT, chunkByteSize > 0 ? 1 : 0);
        header.set(INT, CatalogFormat.FULL_AT, level == CatalogLevel.FULL ? 1 : 0);
        header.set(LONG, CatalogFormat.CHUNK_SIZE_AT, chunkByteSize);
        header.set(LONG, CatalogFormat.MADE_AT, createdAt);
    }

    /// Gives back a line, unless another line has been reserved since.
    ///
    /// @param mapping the mapping of the catalog
    boolean giveBack(MemorySegment mapping, int line) {
        return LONG_HANDLE.compareAndSet(mapping, CatalogFormat.MARK_AT,
                CatalogFormat.mark(generation, (line + 1) * LINE), CatalogFormat.mark(generation, line * LINE));
    }

    /// Reserves lines.
    ///
    /// @return the offset of the first line
    long reserve(long byteSize) {
        while (true) {
            long mark = mark();
            if (CatalogFormat.generation(mark) != generation) {
                throw overtaken();
            }
            long start = CatalogFormat.end(mark);
            if (start + byteSize > zeroed) {
                zero(start + byteSize);
            } else if (LONG_HANDLE.compareAndSet(map, CatalogFormat.MARK_AT, mark, mark + byteSize)) {
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
            throw new CapacityExceededException("Catalog is full: file=" + path, CatalogFormat.LARGEST, zeroed, LINE,
                    "build another arena, or build it with catalog(CatalogLevel.OFF)");
        }
        long step = Math.clamp(Long.highestOneBit(zeroed), LEAST_STEP, LARGEST_STEP);
        long upTo = Math.ceilDiv(end, step) * step;
        try {
            SafeFiles.withChannel(identity::open, channel -> {
                writeZeros(channel, zeroed, upTo);
                if (upTo > map.byteSize()) {
                    mapTo(channel, upTo);
                }
                return path;
            });
        } catch (IOException e) {
            // If the arena was closed meanwhile and the file deleted, report that.
            Scopes.checkOpen(map);
            throw FileErrors.catalog(path, upTo, e);
        }
        zeroed = upTo;
    }

    private void mapTo(FileChannel channel, long upTo) throws IOException {
        long byteSize = Math.max(channel.size(), Math.max(Math.max(upTo, LEAST_MAPPING), map.byteSize() * GROWTH));
        MappingLimit.reserve();
        mappings++;
        try {
            map = isNew
                    ? ChannelMapper.mapNew(channel, path, byteSize, arena)
                    : ChannelMapper.map(channel, path, byteSize, arena);
            isNew = false;
        } catch (Throwable t) {
            mappings--;
            MappingLimit.release(1);
            throw t;
        }
    }

    private static void writeZeros(FileChannel channel, long from, long to) throws IOException {
        ByteBuffer zeros = ZEROS.duplicate();
        for (long at = from; at < to;) {
            at += channel.write(zeros.clear().limit((int) Math.min(zeros.capacity(), to - at)), at);
        }
    }

    /// Writes the catalog to the device.
    public void force() throws IOException {
        isForced = true;
        SafeFiles.force(path);
    }

    /// Writes what was stored so far to the device, so that what depends on it may be done next.
    ///
    /// @throws ImageTakenOverException if another owner has taken the image over, or made another one in its place
    public void forceOwn() throws IOException {
        isForced = true;
        SafeFiles.withChannel(() -> SafeFiles.open(path), channel -> {
            if (!isOwn(channel)) {
                throw overtaken();
            }
            // The size of the catalog does not change.
            channel.force(false);
            return path;
        });
    }

    /// Maps the catalog after the arena has unmapped it. If another owner has taken the image over, the mapping is
    /// empty.
    MemorySegment mapAgain(Arena other) throws IOException {
        return SafeFiles.withChannel(() -> SafeFiles.open(path), channel -> isOwn(channel)
                ? channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size(), other)
                : other.allocate(0));
    }

    /// Records that the owner has closed the image, on the device if anything was forced before. The arena has unmapped
    /// the catalog before.
    ///
    /// @param ownerLine the line of the owner
    /// @param runs      the runs of this owner that have not ended
    void close(int ownerLine, List<CatalogRun> runs) throws IOException {
        release();
        ByteBuffer state = ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0, CatalogFormat.STATE_ENDED);
        SafeFiles.withChannel(() -> SafeFiles.open(path), channel -> {
            if (!isOwn(channel)) {
                return 0;
            }
            for (CatalogRun run : runs) {
                run.end(channel);
            }
            channel.write(state.clear(), ownerLine * LINE + CatalogFormat.STATE);
            if (isForced) {
                channel.force(false);
            }
            return 0;
        });
    }

    /// Whether the image still belongs to this owner: no other owner has taken it over or made it anew. If the catalog
    /// was removed, the image belongs to this owner.
    public boolean isOwn() throws IOException {
        try {
            return SafeFiles.withChannel(() -> SafeFiles.open(path), this::isOwn);
        } catch (NoSuchFileException _) {
            return true;
        }
    }

    /// Whether the file is still the catalog of this owner, and not one that another owner has taken over or made anew.
    private boolean isOwn(FileChannel channel) throws IOException {
        ByteBuffer header = ByteBuffer.allocate((int) CatalogFormat.FIRST_ENTRY).order(ByteOrder.LITTLE_ENDIAN);
        channel.read(header, 0);
        return header.getLong((int) CatalogFormat.MADE_AT) == madeAt
                && CatalogFormat.generation(header.getLong((int) CatalogFormat.MARK_AT)) == generation;
    }

    /// Releases the count of the mappings, which the arena has unmapped.
    public synchronized void release() {
        MappingLimit.release(mappings);
        mappings = 0;
    }
}
