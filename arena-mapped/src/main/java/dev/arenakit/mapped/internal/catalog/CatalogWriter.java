package dev.arenakit.mapped.internal.catalog;

import dev.arenakit.mapped.CatalogLevel;
import dev.arenakit.mapped.internal.catalog.CatalogEntry.Text;
import dev.arenakit.mapped.internal.files.FileMode;
import dev.arenakit.mapped.internal.files.SafeFiles;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
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
    private final CatalogFile file;
    private final AllocationRecords records;
    private final boolean full;

    /// The texts that are used many times: types, and the name of the JVM.
    private final ConcurrentHashMap<String, Text> texts = new ConcurrentHashMap<>();

    private final long wallClock = CatalogFormat.nanos(Instant.now());
    private final long clock = System.nanoTime();
    private int ownerLine;

    private CatalogWriter(CatalogFile file, CatalogLevel level) {
        this.file = file;
        records = new AllocationRecords(file);
        full = level == CatalogLevel.FULL;
    }

    /// Creates the catalog of a new image. On failure no file remains.
    ///
    /// @param arena         the arena whose scope the mapping gets
    /// @param level         how much is recorded, not `OFF`
    /// @param chunkByteSize the size of a chunk, or 0 if each allocation has a file
    /// @param mode          the permissions of the file
    public static CatalogWriter create(Path base, Arena arena, CatalogLevel level, long chunkByteSize, FileMode mode) {
        CatalogFile file = CatalogFile.create(base, arena, mode);
        try {
            CatalogWriter catalog = new CatalogWriter(file, level);
            file.writeHeader(level, chunkByteSize, catalog.wallClock);
            catalog.addOwner();
            return catalog;
        } catch (Throwable t) {
            file.discard(t);
            throw t;
        }
    }

    /// Maps the catalog of an image that the caller has locked. The caller then calls [#takeOver].
    public static CatalogWriter map(Path base, Arena arena, CatalogLevel level) {
        CatalogFile file = CatalogFile.map(base, arena);
        try {
            return new CatalogWriter(file, level);
        } catch (Throwable t) {
            file.release();
            throw t;
        }
    }

    /// The mapped file.
    public CatalogFile file() {
        return file;
    }

    /// The records of allocations.
    public AllocationRecords records() {
        return records;
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
        file.takeOver();
        T state = read.run();
        state.texts().forEach(text -> texts.put(text.text(), text));
        file.continueAt(state.end());
        addOwner();
        return state;
    }

    /// Reserves the line of an allocation before it is made, so that a full disk is detected first.
    public int reserve() {
        return (int) (file.reserve(LINE) / LINE);
    }

    /// Reserves the line of an allocation that grows, and the line before it, which gets its count.
    ///
    /// @return the line of the allocation
    int reserveGrowable() {
        return (int) (file.reserve(2 * LINE) / LINE) + 1;
    }

    /// Cancels the reservation of a line. If another line has been reserved since, the line gets a cancelled entry: an
    /// empty line would mean that its writer died, or that the catalog is damaged.
    public void cancel(int line) {
        MemorySegment to = file.map();
        if (to.scope().isAlive() && !file.giveBack(to, line)) {
            to.set(JAVA_BYTE, line * LINE + CatalogFormat.KIND, CatalogFormat.KIND_CANCELLED);
            CatalogFormat.finish(to, line, 0, 0, CatalogFormat.STATE_LIVE);
        }
    }

    /// Adds a run.
    ///
    /// @param lines       the number of lines
    /// @param dataFile    the number of the data file that contains its range
    /// @param chunk       the mapping of the data file
    /// @param baseAddress the address of the data file, modulo [CatalogFormat#BASE_ADDRESS_MODULO]
    /// @param byteOffset  the offset of its range in the file
    /// @param byteSize    the size of its range
    public CatalogRun addRun(int lines, int dataFile, MemorySegment chunk, int baseAddress, long byteOffset,
            long byteSize) {
        long at = file.reserve(lines * LINE);
        MemorySegment to = file.map();
        // Write kind, lines and file first, by one store: if the process dies meanwhile, a reader skips the right
        // number of lines.
        LONG_HANDLE.setRelease(to, at + CatalogFormat.KIND, CatalogFormat.runHead(lines, dataFile));
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
    public void addAllocation(int line, int dataFile, long byteOffset, long byteSize, long byteAlignment, Text name,
            Text type) {
        MemorySegment to = file.map();
        long at = line * LINE;
        to.set(JAVA_BYTE, at + CatalogFormat.KIND, CatalogFormat.KIND_ALLOCATION);
        to.set(LONG, at + CatalogFormat.OFFSET, byteOffset);
        to.set(LONG, at + CatalogFormat.SIZE, byteSize);
        finishAllocation(to, line, dataFile, byteAlignment, name, type);
    }

    /// Records an allocation that consists of whole data files.
    ///
    /// @param dataFile     the number of the first data file
    /// @param partByteSize the size of each part except for the last one, a power of two, or 0 if there is one
    public void addWhole(int line, int dataFile, long byteSize, long partByteSize, long byteAlignment, Text name,
            Text type) {
        addWhole(CatalogFormat.KIND_WHOLE, line, dataFile, byteSize, byteSize, partByteSize, byteAlignment, name, type);
    }

    /// Records an allocation whose files are empty and grow, after its count.
    ///
    /// @param maxByteSize the size up to which it may grow
    void addGrowable(int line, int dataFile, long maxByteSize, long partByteSize, long byteAlignment, Text name,
            Text type) {
        addWhole(CatalogFormat.KIND_GROWABLE, line, dataFile, 0, maxByteSize, partByteSize, byteAlignment, name, type);
    }

    private void addWhole(byte kind, int line, int dataFile, long byteSize, long largestByteSize, long partByteSize,
            long byteAlignment, Text name, Text type) {
        MemorySegment to = file.map();
        long at = line * LINE;
        to.set(JAVA_BYTE, at + CatalogFormat.KIND, kind);
        to.set(JAVA_BYTE, at + CatalogFormat.PART_SIZE,
                partByteSize == 0 ? 0 : (byte) Long.numberOfTrailingZeros(partByteSize));
        to.set(LONG, at + CatalogFormat.WHOLE_SIZE,
                CatalogFormat.checkedValue(at + CatalogFormat.WHOLE_SIZE, byteSize));
        to.set(LONG, at + CatalogFormat.LARGEST_SIZE, largestByteSize);
        finishAllocation(to, line, dataFile, byteAlignment, name, type);
    }

    private void finishAllocation(MemorySegment to, int line, int dataFile, long byteAlignment, Text name, Text type) {
        long at = line * LINE;
        to.set(JAVA_BYTE, at + CatalogFormat.ALIGNMENT, (byte) Long.numberOfTrailingZeros(byteAlignment));
        to.set(INT, at + CatalogFormat.FILE, dataFile);
        if (full || name.line() != 0) {
            to.set(LONG, at + CatalogFormat.TIME, now());
            to.set(LONG, at + CatalogFormat.THREAD, Thread.currentThread().threadId());
            to.set(INT, at + CatalogFormat.NAME, name.line());
            to.set(INT, at + CatalogFormat.TYPE, type.line());
        }
        CatalogFormat.finish(to, line, name.checksum(), type.checksum(), CatalogFormat.STATE_LIVE);
    }

    /// Records a data file before it is created.
    ///
    /// @return its line
    public int planDataFile(int number) {
        int line = reserve();
        MemorySegment to = file.map();
        long at = line * LINE;
        to.set(JAVA_BYTE, at + CatalogFormat.KIND, CatalogFormat.KIND_FILE);
        to.set(INT, at + CatalogFormat.FILE, number);
        to.set(LONG, at + CatalogFormat.TIME, now());
        CatalogFormat.finish(to, line, 0, 0, CatalogFormat.STATE_PLANNED);
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
        MemorySegment to = file.map();
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
        MemorySegment to = file.map();
        if (to.scope().isAlive()) {
            INT_HANDLE.setRelease(to, line * LINE + CatalogFormat.STATE, state);
        }
    }

    private void addOwner() {
        Text jvm = text(jvm());
        int line = reserve();
        MemorySegment to = file.map();
        long at = line * LINE;
        ProcessHandle self = ProcessHandle.current();
        to.set(JAVA_BYTE, at + CatalogFormat.KIND, CatalogFormat.KIND_OWNER);
        to.set(LONG, at + CatalogFormat.PID, self.pid());
        to.set(LONG, at + CatalogFormat.STARTED, self.info().startInstant().map(CatalogFormat::nanos).orElse(0L));
        to.set(LONG, at + CatalogFormat.OPENED, wallClock);
        to.set(INT, at + CatalogFormat.JVM, jvm.line());
        CatalogFormat.finish(to, line, jvm.checksum(), 0, CatalogFormat.STATE_LIVE);
        ownerLine = line;
    }

    public static String jvm() {
        return System.getProperty("java.vm.name") + " " + Runtime.version();
    }

    /// Writes the entry of a part of a seal.
    ///
    /// @return its line
    public int seal(String text) {
        return write(text).line();
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
        long at = file.reserve(CatalogFormat.textByteSize(bytes.length));
        MemorySegment to = file.map();
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

    /// Records that the owner has closed the image. The arena has unmapped the catalog before.
    ///
    /// @param runs the runs of this owner that have not ended
    public void close(List<CatalogRun> runs) throws IOException {
        file.close(ownerLine, runs);
    }

    private long now() {
        return wallClock + (System.nanoTime() - clock);
    }
}
