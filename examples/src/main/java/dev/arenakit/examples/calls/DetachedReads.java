package dev.arenakit.examples.calls;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabParcel;
import dev.arenakit.SlabPool;
import dev.arenakit.examples.calls.RingStructs.Completion;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/// Reads of a file through [IoUring], each into an arena of a pool. The kernel writes to a buffer after the method that
/// has begun the read has returned: meanwhile, a parcel holds the memory, and no code in Java can access it.
///
/// Only the thread that has opened the reads can use them.
final class DetachedReads implements AutoCloseable {
    private final SlabPool pool;
    private final NativeFile file;
    private final IoUring ring;
    private final Map<Long, Read> reads = new HashMap<>();
    private long tags;

    /// A read in progress.
    private record Read(SlabParcel parcel, MemorySegment buffer) {}

    /// @throws UnsupportedOperationException if the system has no `io_uring`, or does not allow it
    DetachedReads(SlabPool pool, Path path, int entries) throws IOException {
        this.pool = pool;
        file = NativeFile.open(path);
        try {
            ring = IoUring.open(entries);
        } catch (Throwable t) {
            file.close();
            throw t;
        }
    }

    /// Begins a read. It is submitted by the next [#complete].
    void begin(long position, int byteSize) {
        try (SlabArena arena = pool.openConfined()) {
            MemorySegment buffer = arena.allocate(byteSize);
            long tag = ++tags;
            SlabParcel parcel = arena.detach(); // from here on, closing the arena keeps the buffer
            reads.put(tag, new Read(parcel, buffer));
            ring.read(file.descriptor(), position, buffer.address(), byteSize, tag);
        }
    }

    /// Waits for a read and passes its bytes on, which can be accessed until the consumer returns.
    ///
    /// @return whether there was a read in progress
    boolean complete(Consumer<MemorySegment> bytes) throws IOException {
        Completion completion = ring.poll();
        while (completion == null && ring.hasReads()) {
            ring.submit();
            completion = ring.poll();
        }
        Read read = completion == null ? null : reads.remove(completion.tag());
        if (completion == null || read == null) {
            return false;
        }
        try (SlabArena _ = read.parcel().attach()) { // of this thread
            MemorySegment buffer = read.parcel().segment(read.buffer());
            bytes.accept(buffer.asSlice(0, file.check(completion.result(), "io_uring")));
        } // the buffer returns to the pool
        return true;
    }

    @Override
    public void close() {
        ring.close(); // First: it waits until the kernel no longer writes to the buffers.
        file.close();
        reads.values().forEach(read -> read.parcel().close());
    }
}
