package dev.arenakit.mapped.internal.ring;

import dev.arenakit.collection.RingBuffer;
import dev.arenakit.internal.LinuxSystem;
import dev.arenakit.internal.file.DescriptionLock;
import dev.arenakit.internal.file.FileExtents;
import dev.arenakit.internal.ring.RingUse;
import dev.arenakit.internal.ring.SegmentRing;
import dev.arenakit.mapped.internal.files.ChannelMapper;
import dev.arenakit.mapped.internal.files.DirectoryTrust;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.FileMode;
import dev.arenakit.mapped.internal.files.FileTrust;
import dev.arenakit.mapped.internal.files.SafeFiles;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A ring in a mapped file, with the locks of its users in this process.
public final class MappedRing {
    private final Path path;
    private final Object identity;
    private final Arena arena;
    private final MemorySegment segment;
    private final SegmentRing ring;
    private final List<DescriptionLock> locks = new ArrayList<>();

    private MappedRing(Path path, Object identity, Arena arena, MemorySegment segment) {
        this.path = path;
        this.identity = identity;
        this.arena = arena;
        this.segment = segment;
        ring = SegmentRing.open(segment, RingSlots.RECORDS, RingUse.ANY);
    }

    /// Creates a new file.
    public static MappedRing create(Path path, long capacity) throws IOException {
        long byteSize = byteSize(capacity);
        check(path);
        SafeFiles.uninterrupted(() -> {
            FileMode.OWNER_ONLY.create(path).close();
            return path;
        });
        try {
            return map(path, byteSize);
        } catch (Throwable t) {
            SafeFiles.delete(path);
            throw t;
        }
    }

    /// Opens a file, or creates it.
    public static MappedRing openOrCreate(Path path, long capacity) throws IOException {
        long byteSize = byteSize(capacity);
        check(path);
        SafeFiles.uninterrupted(() -> FileMode.OWNER_ONLY.createIfMissing(path));
        MappedRing ring = map(path, byteSize);
        if (ring.capacity() != capacity) {
            ring.close();
            throw new IllegalStateException("Ring has another capacity: path=" + path + ", capacity="
                    + ring.capacity() + ", requested=" + capacity + "; open it without a capacity");
        }
        return ring;
    }

    /// Opens a file.
    public static MappedRing open(Path path) throws IOException {
        check(path);
        return map(path, 0);
    }

    private static long byteSize(long capacity) {
        RingBuffer.byteSize(capacity);
        return RingSlots.RECORDS + capacity;
    }

    /// Checks that the system has the locks, and that nobody else can replace the file.
    private static void check(Path path) throws IOException {
        if (!DescriptionLock.isAvailableFor(path)) {
            throw new UnsupportedOperationException("Locks of open file descriptions are not available: path=" + path
                    + ", " + LinuxSystem.describe() + "; pass --enable-native-access=dev.arenakit, or ALL-UNNAMED on "
                    + "the class path, or use a RingBuffer over a mapped file");
        }
        DirectoryTrust.check(path.toAbsolutePath().resolveSibling(""));
    }

    /// @param byteSize the size of a file that is unfinished, or 0 if such a file is refused
    private static MappedRing map(Path path, long byteSize) throws IOException {
        Object identity = FileTrust.check(path);
        Arena arena = Arena.ofShared();
        try {
            MemorySegment segment = SafeFiles.uninterrupted(() -> {
                try (FileChannel channel = SafeFiles.open(path)) {
                    if (!hasHeader(channel)) {
                        prepare(channel, path, byteSize);
                    }
                    return ChannelMapper.map(channel, path, channel.size(), arena);
                }
            });
            FileTrust.checkSame(path, identity);
            return new MappedRing(path, identity, arena, segment);
        } catch (Throwable t) {
            arena.close();
            throw t;
        }
    }

    private static boolean hasHeader(FileChannel channel) throws IOException {
        ByteBuffer magic = ByteBuffer.allocate(Long.BYTES);
        channel.read(magic, 0);
        return magic.getLong(0) != 0;
    }

    /// Gives a file without a header its size, and reserves its blocks. Other processes may do so at the same time.
    private static void prepare(FileChannel channel, Path path, long byteSize) throws IOException {
        if (byteSize == 0) {
            throw new IllegalStateException("File contains no complete ring: path=" + path + ", byteSize="
                    + channel.size() + "; openOrCreate completes it, unless it has other contents");
        }
        SafeFiles.growTo(channel, byteSize);
        try (FileExtents extents = FileExtents.openToWrite(path)) {
            extents.reserve(0, byteSize);
        } catch (UnsupportedOperationException _) {
            // The file remains sparse.
        } catch (IOException e) {
            throw FileErrors.reserve(path, byteSize, e);
        }
    }

    /// A way to take a lock.
    private interface Taking {
        RingUse take(DescriptionLock file) throws IOException;
    }

    public RingBuffer newProducer() throws IOException {
        return use(file -> RingSlots.takeProducer(segment, file));
    }

    public RingBuffer newReader() throws IOException {
        return use(file -> RingSlots.takeReader(segment, file, ring.capacity()));
    }

    private synchronized RingBuffer use(Taking taking) throws IOException {
        checkOpen();
        DescriptionLock file = DescriptionLock.open(path);
        try {
            FileTrust.checkSame(path, identity);
            SegmentRing used = SegmentRing.open(segment, RingSlots.RECORDS, taking.take(file));
            locks.add(file);
            return used;
        } catch (Throwable t) {
            file.close();
            throw t;
        }
    }

    private void checkOpen() {
        if (!arena.scope().isAlive()) {
            throw new IllegalStateException("Ring file is closed: path=" + path);
        }
    }

    public long skippedClaims() {
        return ring.skippedClaims();
    }

    public long capacity() {
        return ring.capacity();
    }

    public long unreadByteSize() {
        return ring.unreadByteSize();
    }

    public Path path() {
        return path;
    }

    /// Unmaps the file, and releases the locks after that, so that nobody takes a claim for dead that could still be
    /// written.
    public synchronized void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
        while (!locks.isEmpty()) {
            locks.removeLast().close();
        }
    }
}
