package dev.arenakit.mapped.trace;

import dev.arenakit.BlockAllocator;
import dev.arenakit.diagnostics.ArenaRecorder;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.internal.trace.TraceFormat;
import dev.arenakit.mapped.internal.trace.TraceWriter;
import dev.arenakit.mapped.internal.trace.TracedArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Records the allocations of arenas in a trace.
///
/// ```java
/// try (TraceRecorder recorder = AllocationTrace.record(Path.of("/tmp/requests"))) {
///     // wherever the program opens an arena
///     try (Arena arena = recorder.wrap(pool.openConfined())) {
///         serve(request, arena);
///     }
/// }
/// ```
///
/// A wrapped arena behaves as its arena, and adds an event to the trace after each call that succeeds: 5 to 12 bytes, in
/// some tens of nanoseconds. It does not change the alignment, the scope or the threads of the arena. A recorder that
/// has ended wraps nothing, and arenas that it has wrapped earlier only forward their calls. The
/// [recorder][dev.arenakit.SlabPool.Builder#recorder] of a pool records all of its arenas.
///
/// **Files.** A trace is an image of its own: `requests.catalog`, `requests.lock`, and sparse files of data. Only the
/// user of the process may read them. Events that were recorded stay when the process is killed, but not when the
/// machine fails.
///
/// **Limits.** The recording ends at its limit in bytes, or if the disk is full, or if the files cannot be written for
/// another reason. The program goes on: [#state()] says so, and a warning of `dev.arenakit.trace` is logged once. Where
/// blocks cannot be reserved (outside of Linux, or without native access), a full disk is an [InternalError] in the
/// thread that allocates.
///
/// **Threads.** All threads may use a recorder, and close it while others record.
public final class TraceRecorder implements ArenaRecorder, AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger("dev.arenakit.trace");

    private final InfiniteArena image;
    private final long maxByteSize;
    private final MemorySegment header;
    private final TraceWriter writer;
    private final AtomicLong byteSize = new AtomicLong();
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final AtomicReference<TraceState> state = new AtomicReference<>(TraceState.RECORDING);

    TraceRecorder(InfiniteArena image, long maxByteSize) {
        this.image = image;
        this.maxByteSize = maxByteSize;
        header = image.names().allocate(TraceFormat.NAME, TraceFormat.HEADER_BYTE_SIZE, 8);
        writer = new TraceWriter(this::nextPage);
        TraceFormat.writeHeader(header, System.currentTimeMillis());
    }

    /// Wraps an arena, so that its allocations are recorded.
    ///
    /// @param arena an open arena; memory that was allocated before is not recorded
    /// @return an arena that must be closed in place of the given one; the given arena if the recording has ended
    public Arena wrap(Arena arena) {
        return writer.isStopped() ? arena : new TracedArena(arena, writer);
    }

    /// Wraps an allocator of blocks, so that its blocks are recorded. The trace has them as blocks of an arena that is
    /// not closed.
    ///
    /// @param blocks the allocator; blocks that it allocated before are not freed or resized through the
    ///               wrapped one
    /// @return the wrapped allocator; the given one if the recording has ended
    public BlockAllocator wrapBlocks(BlockAllocator blocks) {
        return writer.isStopped() ? blocks : new TracedBlockArena(Arena.global(), blocks, writer);
    }

    /// Wraps an arena whose blocks can be freed and resized, such as a [dev.arenakit.MallocArena].
    ///
    /// @param arena the arena
    /// @param <A>   the type of the arena
    /// @return an arena that must be closed in place of the given one
    public <A extends Arena & BlockAllocator> TracedBlockArena wrapBlocks(A arena) {
        return new TracedBlockArena(arena, arena, writer);
    }

    @Override
    public long opened(boolean isShared) {
        return writer.opened(isShared);
    }

    @Override
    public void allocated(long arena, long byteSize, long byteAlignment) {
        writer.allocated(arena, byteSize, byteAlignment);
    }

    @Override
    public void closed(long arena) {
        writer.closed(arena);
    }

    /// {@return the state of the recording} It is [TraceState#RECORDING] as long as events are recorded.
    public TraceState state() {
        return state.get();
    }

    /// Ends the recording. Wrapped arenas stay usable. A second call has no effect.
    @Override
    public void close() {
        if (!isClosed.getAndSet(true)) {
            end(TraceState.COMPLETE, null);
            writer.finish();
            image.close();
        }
    }

    /// Ends the recording, unless it has ended. A reason is logged.
    @SuppressWarnings("EnumOrdinal") // The format has the order of the constants.
    private void end(TraceState reached, @Nullable String reason) {
        writer.stop();
        if (state.compareAndSet(TraceState.RECORDING, reached)) {
            TraceFormat.writeState(header, reached.ordinal());
            if (reason != null) {
                LOGGER.log(System.Logger.Level.WARNING, "The recording of allocations has ended: path=" + image.base()
                        + ", reason=" + reason);
            }
        }
    }

    private @Nullable MemorySegment nextPage() {
        if (byteSize.addAndGet(TraceFormat.PAGE_BYTE_SIZE) > maxByteSize) {
            end(TraceState.FULL, "its limit of " + maxByteSize + " bytes is reached");
            return null;
        }
        try {
            return image.allocate(TraceFormat.PAGE_BYTE_SIZE, 8);
        } catch (RuntimeException | OutOfMemoryError e) {
            end(TraceState.FAILED, e.toString());
            return null;
        }
    }
}
