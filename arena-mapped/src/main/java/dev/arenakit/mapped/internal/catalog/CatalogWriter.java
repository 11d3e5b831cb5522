package dev.arenakit.mapped.internal.catalog;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.mapped.CatalogLevel;
import dev.arenakit.mapped.ImageTakenOverException;
import dev.arenakit.mapped.internal.catalog.CatalogEntry.Text;
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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

import static dev.arenakit.mapped.internal.catalog.CatalogFormat.INT;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.INT_HANDLE;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LINE;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LONG;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LONG_HANDLE;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Writes the catalog of an open arena. Thread-safe.
public final class CatalogWriter {
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

    private final Path file;
    private final FileIdentity identity;
    private final Arena arena;
    private final boolean full;
    /// The texts that are used many times: types, and the name of the JVM.
    private final ConcurrentHashMap<String, Text> texts = new ConcurrentHashMap<>();

    private final long wallClock = CatalogFormat.nanos(Instant.now());
    private final long clock = System.nanoTime();

    private volatile MemorySegment map;
    /// Written after `map`: a thread that reads a value sees a mapping of at least that size.
    private volatile long zeroed;
    private int mappings;
    /// Whether this process has created the file, and not mapped it yet.
    private boolean isNew;
    /// Whether this owner has written the catalog to the device. Then it also writes that it has closed the image.
    private volatile boolean isForced;
    private int ownerLine;
    private int generation;
    private long madeAt;

    private CatalogWriter(FileIdentity identity, Arena arena, boolean full) {
        this.file = identity.path();
        this.identity = identity;
        this.arena = arena;
        this.full = full;
        this.map = MemorySegment.NULL;
    }

    /// Creates the catalog of a new image. On failure no file remains.
    ///
    /// @param arena         the arena whose scope the mapping gets
    /// @param level         how much is recorded, not `OFF`
    /// @param chunkByteSize the size of a chunk, or 0 if each allocation has a file
    /// @param mode          the permissions of the file
    public static CatalogWriter create(Path base, Arena arena, CatalogLevel level, long chunkByteSize, FileMode mode) {
        Path file = ImagePaths.catalog(base);
        FileIdentity identity;
        try (NewFile created = NewFile.create(file, mode)) {
            identity = created.identity();
        } catch (IOException e) {
            throw FileErrors.create(file, 0, e);
        }
        CatalogWriter catalog = new CatalogWriter(identity, arena, level == CatalogLevel.FULL);
        catalog.isNew = true;
        try {
            catalog.zero(LEAST_STEP);
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

    /// Maps the catalog of an image that the caller has locked. The caller then calls [#takeOver].
    public static CatalogWriter map(Path base, Arena arena, CatalogLevel level) {
        Path file = ImagePaths.catalog(base);
        try {
            CatalogWriter catalog = new CatalogWriter(FileIdentity.of(file), arena, level == CatalogLevel.FULL);
            return SafeFiles.uninterrupted(() -> {
                try (FileChannel channel = catalog.identity.open()) {
                    catalog.mapTo(channel, LEAST_MAPPING);
                    return catalog;
                }
            });
        } catch (FileTrust.UntrustedException e) {
            throw FileErrors.untrusted(e);
        } catch (IOException e) {
            throw FileErrors.catalog(file, LEAST_MAPPING, e);
        }
    }

    /// The remains of previous owners in a catalog that a new owner continues.
    public interface Remains {
        /// The texts that new entries may refer to: types, and the name of this JVM.
        List<Text> texts();

        /// The end of the catalog in bytes, where new entries go.
        long end();
    }

    /// Takes over the catalog. If the previous owner is alive and has lost its lock, it can reserve nothing from now
    /// on.
    ///
    /// @param read reads the remains of previous owners
    public <T extends Remains> T takeOver(SafeFiles.Action<T> read) throws IOException {
        long mark;
        do {
            mark = mark();
            generation = CatalogFormat.nextGeneration(mark);
        } while (!LONG_HANDLE.compareAndSet(map, CatalogFormat.MARK_AT, mark,
                CatalogFormat.mark(generation, CatalogFormat.end(mark))));
        map.set(INT, CatalogFormat.VERSION_AT, CatalogFormat.VERSION);
        madeAt = map.get(LONG, CatalogFormat.MADE_AT);
        T state = read.run();
        state.texts().forEach(text -> texts.put(text.text(), text));
        zeroed = state.end();
        zero(state.end() + 1);
        mark = mark();
        if (CatalogFormat.generation(mark) != generation || !LONG_HANDLE.compareAndSet(map, CatalogFormat.MARK_AT, mark,
                CatalogFormat.mark(generation, state.end()))) {
            throw overtaken();
        }
        addOwner();
        return state;
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

    private ImageTakenOverException overtaken() {
        return new ImageTakenOverException("Another owner has taken over the image: catalog=" + file
                + "; its lock was lost, or its files have other names; close this arena");
    }

    private void writeHeader(CatalogLevel level, long chunkByteSize) {
        MemorySegment header = map;
        madeAt = wallClock;
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

    /// Reserves the line of an allocation before it is made, so that a full disk is detected first.
    public int reserve() {
        return (int) (reserve(LINE) / LINE);
    }

    /// Reserves the line of an allocation that grows, and the line before it, which gets its count.
    ///
    /// @return the line of the allocation
    int reserveGrowable() {
        return (int) (reserve(2 * LINE) / LINE) + 1;
    }

    /// Cancels the reservation of a line. If another line has been reserved since, the line gets a cancelled entry: an
    /// empty line would mean that its writer died, or that the catalog is damaged.
    public void cancel(int line) {
        MemorySegment to = map;
        if (to.scope().isAlive()
                && !LONG_HANDLE.compareAndSet(to, CatalogFormat.MARK_AT,
                        CatalogFormat.mark(generation, (line + 1) * LINE),
                        CatalogFormat.mark(generation, line * LINE))) {
            to.set(JAVA_BYTE, line * LINE + CatalogFormat.KIND, CatalogFormat.KIND_CANCELLED);
            finish(to, line, Text.NONE, Text.NONE);
        }
    }

    /// Adds a run.
    ///
    /// @param lines       the number of lines
    /// @param file        the number of the data file that contains its range
    /// @param chunk       the mapping of the data file
    /// @param baseAddress the address of the data file, modulo [CatalogFormat#BASE_ADDRESS_MODULO]
    /// @param byteOffset  the offset of its range in the file
    /// @param byteSize    the size of its range
    public CatalogRun addRun(int lines, int file, MemorySegment chunk, int baseAddress, long byteOffset,
            long byteSize) {
        long at = reserve(lines * LINE);
        MemorySegment to = map;
        // Write kind, lines and file first, by one store: if the process dies meanwhile, a reader skips the right
        // number of lines.
        LONG_HANDLE.setRelease(to, at + CatalogFormat.KIND, CatalogFormat.runHead(lines, file));
        VarHandle.storeStoreFence();
        to.set(LONG, at + CatalogFormat.OFFSET, byteOffset);
        to.set(LONG, at + CatalogFormat.SIZE, byteSize);
        if (full) {
            to.set(LONG, at + CatalogFormat.TIME, now());
            to.set(LONG, at + CatalogFormat.THREAD, Thread.currentThread().threadId());
        }
        to.set(INT, at + CatalogFormat.BASE_ADDRESS, baseAddress);
        int line = (int) (at / LINE);
        to.set(LONG, at + CatalogFormat.CHECKSUM, CatalogFormat.checksum(to, at, line, 0, 0));
        INT_HANDLE.setRelease(to, at, line);
        return new CatalogRun(chunk, baseAddress, to, at, lines, byteOffset, byteOffset + byteSize);
    }

    /// Records an allocation in its line. If it has a name, it is recorded in full.
    public void addAllocation(int line, int file, long byteOffset, long byteSize, long byteAlignment, Text name,
            Text type) {
        MemorySegment to = map;
        long at = line * LINE;
        to.set(JAVA_BYTE, at + CatalogFormat.KIND, CatalogFormat.KIND_ALLOCATION);
        to.set(LONG, at + CatalogFormat.OFFSET, byteOffset);
        to.set(LONG, at + CatalogFormat.SIZE, byteSize);
        finishAllocation(to, line, file, byteAlignment, name, type);
    }

    /// Records an allocation that consists of whole data files.
    ///
    /// @param file         the number of the first data file
    /// @param partByteSize the size of each part except for the last one, a power of two, or 0 if there is one
    public void addWhole(int line, int file, long byteSize, long partByteSize, long byteAlignment, Text name,
            Text type) {
        addWhole(CatalogFormat.KIND_WHOLE, line, file, byteSize, byteSize, partByteSize, byteAlignment, name, type);
    }

    /// Records an allocation whose files are empty and grow, after its count.
    ///
    /// @param maxByteSize the size up to which it may grow
    void addGrowable(int line, int file, long maxByteSize, long partByteSize, long byteAlignment, Text name,
            Text type) {
        addWhole(CatalogFormat.KIND_GROWABLE, line, file, 0, maxByteSize, partByteSize, byteAlignment, name, type);
    }

    private void addWhole(byte kind, int line, int file, long byteSize, long largestByteSize, long partByteSize,
            long byteAlignment, Text name, Text type) {
        MemorySegment to = map;
        long at = line * LINE;
        to.set(JAVA_BYTE, at + CatalogFormat.KIND, kind);
        to.set(JAVA_BYTE, at + CatalogFormat.PART_SIZE,
                partByteSize == 0 ? 0 : (byte) Long.numberOfTrailingZeros(partByteSize));
        to.set(LONG, at + CatalogFormat.WHOLE_SIZE,
                CatalogFormat.checkedValue(at + CatalogFormat.WHOLE_SIZE, byteSize));
        to.set(LONG, at + CatalogFormat.LARGEST_SIZE, largestByteSize);
        finishAllocation(to, line, file, byteAlignment, name, type);
    }

    private void finishAllocation(MemorySegment to, int line, int file, long byteAlignment, Text name, Text type) {
        long at = line * LINE;
        to.set(JAVA_BYTE, at + CatalogFormat.ALIGNMENT, (byte) Long.numberOfTrailingZeros(byteAlignment));
        to.set(INT, at + CatalogFormat.FILE, file);
        if (full || name.line() != 0) {
            to.set(LONG, at + CatalogFormat.TIME, now());
            to.set(LONG, at + CatalogFormat.THREAD, Thread.currentThread().threadId());
            to.set(INT, at + CatalogFormat.NAME, name.line());
            to.set(INT, at + CatalogFormat.TYPE, type.line());
        }
        finish(to, line, name, type);
    }

    /// Records a data file before it is created.
    ///
    /// @return its line
    public int planDataFile(int number) {
        int line = reserve();
        MemorySegment to = map;
        long at = line * LINE;
        to.set(JAVA_BYTE, at + CatalogFormat.KIND, CatalogFormat.KIND_FILE);
        to.set(INT, at + CatalogFormat.FILE, number);
        to.set(LONG, at + CatalogFormat.TIME, now());
        finish(to, line, Text.NONE, Text.NONE, CatalogFormat.STATE_PLANNED);
        INT_HANDLE.setRelease(to, CatalogFormat.FILES_AT, number + 1);
        return line;
    }

    /// Records that a data file is planned again, because its creation has failed. If the arena was closed meanwhile,
    /// its record is as it was.
    public void planDataFileAgain(int line) {
        setDataFileState(line, CatalogFormat.STATE_PLANNED);
    }

    /// Records that a planned data file is there.
    public void confirmDataFile(int line, long byteSize) {
        MemorySegment to = map;
        long at = line * LINE;
        LONG_HANDLE.setRelease(to, at + CatalogFormat.WHOLE_SIZE,
                CatalogFormat.checkedValue(at + CatalogFormat.WHOLE_SIZE, byteSize));
        INT_HANDLE.setRelease(to, at + CatalogFormat.STATE, CatalogFormat.STATE_LIVE);
    }

    /// Records that a data file is not there, or is going to be removed.
    public void removeDataFile(int line) {
        setDataFileState(line, CatalogFormat.STATE_REMOVED);
    }

    private void setDataFileState(int line, int state) {
        MemorySegment to = map;
        if (to.scope().isAlive()) {
            INT_HANDLE.setRelease(to, line * LINE + CatalogFormat.STATE, state);
        }
    }

    private void addOwner() {
        Text jvm = text(jvm());
        int line = reserve();
        MemorySegment to = map;
        long at = line * LINE;
        ProcessHandle self = ProcessHandle.current();
        to.set(JAVA_BYTE, at + CatalogFormat.KIND, CatalogFormat.KIND_OWNER);
        to.set(LONG, at + CatalogFormat.PID, self.pid());
        to.set(LONG, at + CatalogFormat.STARTED, self.info().startInstant().map(CatalogFormat::nanos).orElse(0L));
        to.set(LONG, at + CatalogFormat.OPENED, wallClock);
        to.set(INT, at + CatalogFormat.JVM, jvm.line());
        finish(to, line, jvm, Text.NONE);
        ownerLine = line;
    }

    public static String jvm() {
        return System.getProperty("java.vm.name") + " " + Runtime.version();
    }

    /// Whether a text describes a type. No name begins with the same character.
    public static boolean isType(String text) {
        return text.startsWith("#");
    }

    static void finish(MemorySegment to, int line, Text name, Text type) {
        finish(to, line, name, type, CatalogFormat.STATE_LIVE);
    }

    private static void finish(MemorySegment to, int line, Text name, Text type, int state) {
        long at = line * LINE;
        to.set(LONG, at + CatalogFormat.CHECKSUM,
                CatalogFormat.checksum(to, at, line, name.checksum(), type.checksum()));
        to.set(INT, at + CatalogFormat.STATE, state);
        INT_HANDLE.setRelease(to, at, line);
    }

    /// Marks a live allocation as ended: its memory keeps its contents.
    ///
    /// @param at     the offset of its line or slot
    /// @param isSlot whether it is recorded in a run
    /// @return false if it had ended before; of several threads, one succeeds
    public boolean end(long at, boolean isSlot) {
        return end(at, isSlot, CatalogFormat.STATE_ENDED);
    }

    /// Marks a live allocation as freed: its memory may become zero after the next [#force()].
    ///
    /// Otherwise, this method behaves as [#end] does.
    public boolean free(long at, boolean isSlot) {
        return end(at, isSlot, CatalogFormat.STATE_FREED);
    }

    /// Records that the memory of a freed allocation is zero, or that its data files were removed.
    public void endFreed(long at, boolean isSlot) {
        MemorySegment to = map;
        if (isSlot) {
            long slot = (long) LONG_HANDLE.getVolatile(to, at);
            LONG_HANDLE.setRelease(to, at, CatalogFormat.slotWithState(slot, CatalogFormat.STATE_ENDED));
        } else {
            INT_HANDLE.setRelease(to, at + CatalogFormat.STATE, CatalogFormat.STATE_ENDED);
        }
    }

    private boolean end(long at, boolean isSlot, int newState) {
        checkOwner();
        MemorySegment to = map;
        while (true) {
            if (isSlot) {
                long slot = (long) LONG_HANDLE.getVolatile(to, at);
                if (CatalogFormat.slotState(slot) != CatalogFormat.STATE_LIVE) {
                    return false;
                }
                if (LONG_HANDLE.compareAndSet(to, at, slot, CatalogFormat.slotWithState(slot, newState))) {
                    return true;
                }
            } else {
                int state = (int) INT_HANDLE.getVolatile(to, at + CatalogFormat.STATE);
                if (hasEnded(state)) {
                    return false;
                }
                if (INT_HANDLE.compareAndSet(to, at + CatalogFormat.STATE, state, newState)) {
                    return true;
                }
            }
        }
    }

    private static boolean hasEnded(int state) {
        return state == CatalogFormat.STATE_ENDED || state == CatalogFormat.STATE_FREED;
    }

    /// The mapping of the catalog.
    MemorySegment map() {
        return map;
    }

    /// The end of the reserved lines.
    long end() {
        return CatalogFormat.end(mark());
    }

    /// The name of an allocation.
    ///
    /// @param at the offset of its line
    public String nameOf(long at) {
        MemorySegment from = map;
        long text = from.get(INT, at + CatalogFormat.NAME) * LINE;
        if (text == 0) {
            return "";
        }
        byte[] utf8 = new byte[from.get(INT, text + CatalogFormat.TEXT_SIZE)];
        MemorySegment.copy(from, JAVA_BYTE, text + CatalogFormat.TEXT_BYTES, utf8, 0, utf8.length);
        return new String(utf8, StandardCharsets.UTF_8);
    }

    /// Checks that an allocation that consists of whole data files may grow. The caller then grows the files.
    ///
    /// @return its recorded size
    /// @throws IllegalStateException if it was freed, its record is damaged, or another owner has taken the image over
    public long checkGrowth(int line) {
        checkLive(line, "Memory was freed, and cannot grow");
        MemorySegment from = map;
        long at = line * LINE;
        long byteSize = CatalogFormat.checkedValue(from, at, line, CatalogFormat.WHOLE_SIZE);
        if (byteSize < 0) {
            throw new IllegalStateException("Record is damaged, and its memory cannot grow: catalog=" + file
                    + ", record=" + line + "; verify the image");
        }
        return byteSize;
    }

    /// Checks that an allocation has not been freed, and that the image belongs to this owner.
    public void checkLive(int line, String message) {
        checkOwner();
        if (!isLive(line)) {
            throw new IllegalStateException(message + ": catalog=" + file + ", record=" + line);
        }
    }

    /// Whether an allocation has not been freed.
    public boolean isLive(int line) {
        return !hasEnded((int) INT_HANDLE.getVolatile(map, line * LINE + CatalogFormat.STATE));
    }

    /// Records that an allocation has grown, after its files have grown. One store changes the size together with its
    /// check.
    ///
    /// @param byteSize the size that [#checkGrowth] has returned
    /// @throws ImageTakenOverException if another owner has taken the image over
    public void grow(int line, long byteSize, long newByteSize) {
        checkOwner();
        long at = line * LINE + CatalogFormat.WHOLE_SIZE;
        if (!LONG_HANDLE.compareAndSet(map, at, CatalogFormat.checkedValue(at, byteSize),
                CatalogFormat.checkedValue(at, Math.max(byteSize, newByteSize)))) {
            throw overtaken();
        }
    }

    /// The number of the only data file of an allocation, or -1 if it has no file, has several, or shares its file.
    public int wholeFile(int line) {
        MemorySegment from = map;
        long at = line * LINE;
        return from.get(JAVA_BYTE, at + CatalogFormat.KIND) == CatalogFormat.KIND_WHOLE
                && from.get(JAVA_BYTE, at + CatalogFormat.PART_SIZE) == 0
                        ? from.get(INT, at + CatalogFormat.FILE)
                        : CatalogFormat.NO_FILE;
    }

    /// Writes the entry of a part of a seal.
    ///
    /// @return its line
    public int seal(SealText text) {
        return write(text.print()).line();
    }

    /// The entry of a text that is used many times. It is written when it is first requested.
    ///
    /// @throws IllegalArgumentException if the text is too long
    public Text text(String text) {
        Text known = texts.get(text);
        return known != null ? known : texts.computeIfAbsent(text, this::write);
    }

    private Text write(String text) {
        return write(text, text.getBytes(StandardCharsets.UTF_8));
    }

    /// Writes the entry of a text, such as a name. A name that was freed and is used again has one entry for each use:
    /// most names are used once, and remembering all names would take ever more heap memory.
    ///
    /// @param bytes the text in UTF-8
    public Text write(String text, byte[] bytes) {
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
        return new Text(line, bytes, checksum);
    }

    private long reserve(long byteSize) {
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
            throw new CapacityExceededException("Catalog is full: file=" + file, CatalogFormat.LARGEST, zeroed, LINE,
                    "build another arena, or build it with catalog(CatalogLevel.OFF)");
        }
        long step = Math.clamp(Long.highestOneBit(zeroed), LEAST_STEP, LARGEST_STEP);
        long upTo = Math.ceilDiv(end, step) * step;
        try {
            SafeFiles.uninterrupted(() -> {
                try (FileChannel channel = identity.open()) {
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
        long byteSize = Math.max(channel.size(), Math.max(Math.max(upTo, LEAST_MAPPING), map.byteSize() * GROWTH));
        MappingLimit.reserve();
        mappings++;
        try {
            map = isNew
                    ? ChannelMapper.mapNew(channel, file, byteSize, arena)
                    : ChannelMapper.map(channel, file, byteSize, arena);
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
        SafeFiles.force(file);
    }

    /// Writes what was stored so far to the device, so that what depends on it may be done next.
    ///
    /// @throws ImageTakenOverException if another owner has taken the image over, or made another one in its place
    public void forceOwn() throws IOException {
        isForced = true;
        SafeFiles.uninterrupted(() -> {
            try (FileChannel channel = SafeFiles.open(file)) {
                if (!isOwn(channel)) {
                    throw overtaken();
                }
                // The size of the catalog does not change.
                channel.force(false);
                return file;
            }
        });
    }

    /// Maps the catalog after the arena has unmapped it. If another owner has taken the image over, the mapping is empty.
    MemorySegment mapAgain(Arena other) throws IOException {
        return SafeFiles.uninterrupted(() -> {
            try (FileChannel channel = SafeFiles.open(file)) {
                return isOwn(channel)
                        ? channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size(), other)
                        : other.allocate(0);
            }
        });
    }

    /// Records that the owner has closed the image, on the device if anything was forced before. The arena has unmapped
    /// the catalog before.
    ///
    /// @param runs the runs of this owner that have not ended
    public void close(List<CatalogRun> runs) throws IOException {
        release();
        ByteBuffer state = ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0, CatalogFormat.STATE_ENDED);
        SafeFiles.uninterrupted(() -> {
            try (FileChannel channel = SafeFiles.open(file)) {
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
            }
        });
    }

    /// Whether the image still belongs to this owner: no other owner has taken it over or made it anew. If the catalog
    /// was removed, the image belongs to this owner.
    public boolean isOwn() throws IOException {
        return SafeFiles.uninterrupted(() -> {
            try (FileChannel channel = SafeFiles.open(file)) {
                return isOwn(channel);
            } catch (NoSuchFileException _) {
                return true;
            }
        });
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

    private long now() {
        return wallClock + (System.nanoTime() - clock);
    }
}
