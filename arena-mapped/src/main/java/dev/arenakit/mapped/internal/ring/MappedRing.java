package dev.arenakit.mapped.internal.ring;

import dev.arenakit.collection.concurrent.RingBuffer;
import dev.arenakit.internal.file.DescriptionLock;
import dev.arenakit.internal.nativecall.LinuxSystem;
import dev.arenakit.internal.ring.RingRole;
import dev.arenakit.internal.ring.SegmentRing;
import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.mapped.internal.files.ChannelMapper;
import dev.arenakit.mapped.internal.files.DirectoryTrust;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.FileIdentity;
import dev.arenakit.mapped.internal.files.FileMode;
import dev.arenakit.mapped.internal.files.FileTrust;
import dev.arenakit.mapped.internal.files.SafeFiles;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// A ring in a mapped file, with the locks of its users in this process.
public final class MappedRing {
    private static final long PAUSE_NANOS = 100_000;

    private final Path path;
    private final Object identity;
    private final Arena arena;
    private final MemorySegment segment;
    private final SegmentRing ring;
    private final List<DescriptionLock> locks = new ArrayList<>();

    /// @param capacity the capacity of a ring whose header is not complete
    private MappedRing(Path path, Object identity, Arena arena, MemorySegment segment, long capacity) {
        this.path = path;
        this.identity = identity;
        this.arena = arena;
        this.segment = segment;
        ring = ring(segment, capacity, RingRole.ANY);
    }

    private SegmentRing ring(MemorySegment memory, long capacity, RingRole use) {
        try {
            return SegmentRing.ofFile(memory, ProducerSlots.RECORDS, capacity, use);
        } catch (IllegalStateException e) {
            throw new IllegalStateException("Ring cannot be used: path=" + path + "; " + e.getMessage(), e);
        }
    }

    /// Creates a new file.
    public static MappedRing create(Path path, long capacity, boolean unsafeDirectory) throws IOException {
        RingBuffer.byteSize(capacity);
        return open(path, unsafeDirectory, () -> {
            SafeFiles.uninterrupted(() -> {
                FileMode.OWNER_ONLY.create(path).close();
                return path;
            });
            return complete(path, capacity, true);
        });
    }

    /// Opens a file, or creates it.
    public static MappedRing openOrCreate(Path path, long capacity, boolean unsafeDirectory) throws IOException {
        RingBuffer.byteSize(capacity);
        return open(path, unsafeDirectory, () -> complete(path, capacity,
                SafeFiles.uninterrupted(() -> FileMode.OWNER_ONLY.createIfMissing(path))));
    }

    /// Opens a file.
    public static MappedRing open(Path path, boolean unsafeDirectory) throws IOException {
        return open(path, unsafeDirectory, () -> map(path, FileTrust.check(path), 0));
    }

    private interface Opening {
        MappedRing open() throws IOException;
    }

    /// Opens a ring after checking that nobody else can replace its file, unless any directory is allowed.
    private static MappedRing open(Path path, boolean unsafeDirectory, Opening opening) throws IOException {
        checkLocks(path);
        try {
            if (unsafeDirectory) {
                return opening.open();
            }
            FileIdentity directory = trustedDirectory(path);
            MappedRing opened = opening.open();
            try {
                DirectoryTrust.checkSame(directory);
                return opened;
            } catch (Throwable t) {
                opened.close();
                throw t;
            }
        } catch (FileTrust.UntrustedException e) {
            throw new IOException("Ring file is not trusted: path=" + path + ", reason=" + e.getReason()
                    + "; pass the path of a regular file of your own, to which nobody else may write", e);
        }
    }

    private static FileIdentity trustedDirectory(Path path) throws IOException {
        try {
            return DirectoryTrust.check(path.toAbsolutePath().resolveSibling(""));
        } catch (FileTrust.UntrustedException e) {
            throw new IOException("Directory is not safe: path=" + path + ", reason=" + e.getReason()
                    + ", or open the ring with RingFile.builder(path).unsafeDirectory()", e);
        }
    }

    private static void checkLocks(Path path) {
        if (!DescriptionLock.isAvailableFor(path)) {
            throw new UnsupportedOperationException("Locks of open file descriptions are not available: path=" + path
                    + ", " + LinuxSystem.describe() + "; pass --enable-native-access=dev.arenakit, or ALL-UNNAMED on "
                    + "the class path, or use a RingBuffer over a mapped file");
        }
    }

    /// Opens a file after completing it if its ring is not complete. One process at a time does so, and others wait.
    ///
    /// @param isNew whether this process has created the file: it is removed if that fails
    static MappedRing complete(Path path, long capacity, boolean isNew) throws IOException {
        Object identity = FileTrust.check(path);
        try (DescriptionLock creation = DescriptionLock.open(path)) {
            SafeFiles.uninterrupted(() -> {
                while (!creation.tryLock(ProducerSlots.CREATION_LOCK, 1)) {
                    // An interrupt would end each pause at once.
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
                return creation;
            });
            FileTrust.checkSame(path, identity);
            try {
                RingCreation.prepare(path, capacity);
                return map(path, identity, capacity);
            } catch (Throwable t) {
                if (isNew) {
                    RingCreation.removeUnfinished(path, identity, t);
                }
                throw t;
            }
        }
    }

    /// @param capacity the capacity that the ring has, or gets if its header is not complete; 0 opens a complete ring
    ///                 of any capacity
    private static MappedRing map(Path path, Object identity, long capacity) throws IOException {
        Arena arena = Arena.ofShared();
        try {
            MemorySegment segment = SafeFiles.withChannel(() -> SafeFiles.open(path), channel -> {
                if (channel.size() <= ProducerSlots.RECORDS
                        || (capacity == 0 && !RingCreation.hasHeader(channel))) {
                    throw new IllegalStateException("File contains no complete ring: path=" + path + ", byteSize="
                            + channel.size() + "; openOrCreate completes what another process has begun");
                }
                return ChannelMapper.map(channel, path, channel.size(), arena);
            });
            FileTrust.checkSame(path, identity);
            MappedRing ring = new MappedRing(path, identity, arena, segment, capacity);
            if (capacity != 0 && ring.capacity() != capacity) {
                throw new IllegalStateException("Ring has another capacity: path=" + path + ", capacity="
                        + ring.capacity() + ", requested=" + capacity + "; open it without a capacity");
            }
            return ring;
        } catch (Throwable t) {
            arena.close();
            throw t;
        }
    }

    /// Takes a lock, which is released when the memory of the result can no longer be accessed.
    private interface Role {
        RingBuffer take(DescriptionLock file) throws IOException;
    }

    public RingBuffer newProducer() throws IOException {
        return use(file -> untilClosed(ProducerSlots.takeProducer(segment, file, this::checkPlace), file));
    }

    /// Makes a producer that has a mapping of its own, which ends with an arena.
    public RingBuffer newProducer(Arena lifetime) throws IOException {
        return use(file -> {
            // The slot is first: a mapping that is not used would last as long as the arena.
            RingRole producer = ProducerSlots.takeProducer(segment, file, this::checkPlace);
            MemorySegment own = SafeFiles.withChannel(() -> SafeFiles.open(path),
                    channel -> ChannelMapper.map(channel, path, segment.byteSize(), lifetime));
            checkSame();
            SegmentRing used = ring(own, ring.capacity(), producer);
            Scopes.withCleanup(own, 0, lifetime, _ -> file.close());
            return used;
        });
    }

    public RingBuffer newReader() throws IOException {
        return use(file -> untilClosed(ProducerSlots.takeReader(segment, file, ring.capacity(), this::checkPlace),
                file));
    }

    private RingBuffer untilClosed(RingRole use, DescriptionLock file) {
        SegmentRing used = ring(segment, ring.capacity(), use);
        locks.add(file);
        return used;
    }

    private synchronized RingBuffer use(Role role) throws IOException {
        checkOpen();
        checkSame();
        DescriptionLock file = DescriptionLock.open(path);
        try {
            checkSame();
            return role.take(file);
        } catch (Throwable t) {
            file.close();
            throw t;
        }
    }

    /// Checks that the path leads to this file. If the file cannot be looked at, nothing is known.
    private void checkPlace() {
        try {
            new FileIdentity(path, identity).check();
        } catch (FileTrust.UntrustedException | NoSuchFileException e) {
            throw lost(e);
        } catch (IOException _) {
            // The next check may succeed.
        }
    }

    /// Checks that the path leads to this file, and that the file is trusted.
    private void checkSame() throws IOException {
        try {
            FileTrust.checkSame(path, identity);
        } catch (FileTrust.UntrustedException | NoSuchFileException e) {
            throw lost(e);
        }
    }

    private IllegalStateException lost(FileSystemException e) {
        return new IllegalStateException("Ring file is gone: path=" + path + ", reason=" + FileErrors.reason(e)
                + "; open it again, so that reader and producers have the same file", e);
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
            // An Error between both calls leaves a closed lock, which can be closed again.
            locks.getLast().close();
            locks.removeLast();
        }
    }
}
