package dev.arenakit.mapped.trace;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.InfiniteArenaBuilder;
import dev.arenakit.mapped.internal.trace.TraceFormat;
import dev.arenakit.mapped.internal.trace.TracePage;
import dev.arenakit.mapped.internal.trace.TraceReader;
import dev.arenakit.mapped.internal.trace.TraceStatistics;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// The record of what a program has allocated: which arenas it has opened, in which threads, the sizes that it has
/// requested from them, and when it has freed and closed them.
///
/// ```java
/// try (AllocationTrace trace = AllocationTrace.open(Path.of("/tmp/requests"))) {
///     trace.read(System.out::println, System.err::println);
/// }
/// ```
///
/// [#record] begins a trace: see [TraceRecorder]. `arena trace` prints a trace and draws it, and the harness of `bench`
/// replays it against other arenas. The process may be recording or killed, and the
/// files may be damaged or cut off: the rest is read, and lost parts are named.
///
/// An open trace has the files mapped. It is not thread-safe. While it is open, the files must not be truncated.
public final class AllocationTrace implements Closeable {
    /// The limit of a trace without another limit, 1 GiB: some 150 million events.
    public static final long DEFAULT_MAX_BYTE_SIZE = 1L << 30;

    private static final long MAX_MAX_BYTE_SIZE = 1L << 35;
    // Small files can be copied by any tool.
    private static final long CHUNK = 1L << 26;

    private final ArenaImage image;
    private final Arena memory;
    private final MemorySegment header;

    private AllocationTrace(ArenaImage image, Arena memory) throws IOException {
        this.image = image;
        this.memory = memory;
        Optional<Allocation> found = image.find(TraceFormat.NAME);
        header = found.isPresent() ? image.segment(found.get(), memory) : MemorySegment.NULL;
        String problem = found.isEmpty() || !TraceFormat.isHeader(header)
                ? "The image is not an allocation trace: path=" + image.base()
                : TraceFormat.version(header) != TraceFormat.VERSION
                        ? "The allocation trace has another version: path=" + image.base() + ", version="
                                + TraceFormat.version(header) + ", supported=" + TraceFormat.VERSION
                        : "";
        if (!problem.isEmpty()) {
            throw new IOException(problem);
        }
    }

    /// Begins a trace with a limit of [#DEFAULT_MAX_BYTE_SIZE].
    ///
    /// @param path the path of the trace, to which the names of its files are appended; there are no such files
    /// @return a recorder, which the caller closes
    /// @throws java.io.UncheckedIOException if the files cannot be created
    public static TraceRecorder record(Path path) {
        return record(path, DEFAULT_MAX_BYTE_SIZE);
    }

    /// Begins a trace.
    ///
    /// @param path        the path of the trace, to which the names of its files are appended; there are no such files
    /// @param maxByteSize the size in bytes at which the recording ends, at least 1 MiB
    /// @return a recorder, which the caller closes
    /// @throws IllegalArgumentException     if the limit is less than 1 MiB, or more than 32 GiB
    /// @throws java.io.UncheckedIOException if the files cannot be created
    public static TraceRecorder record(Path path, long maxByteSize) {
        if (maxByteSize < 1 << 20 || maxByteSize > MAX_MAX_BYTE_SIZE) {
            throw new IllegalArgumentException(
                    "The limit of a trace must be at least 1 MiB and at most 32 GiB: maxByteSize="
                            + maxByteSize);
        }
        return new TraceRecorder(build(path), maxByteSize);
    }

    /// Reserves blocks where that is possible, so that a full disk ends the recording and not the program.
    private static InfiniteArena build(Path path) {
        InfiniteArenaBuilder builder = InfiniteArena.builder(path).chunked(CHUNK);
        try {
            return builder.reserved().build();
        } catch (UnsupportedOperationException | IllegalCallerException _) {
            return InfiniteArena.builder(path).chunked(CHUNK).build();
        }
    }

    /// Opens a trace. The process that records it may be running.
    ///
    /// @param path the path of the trace, as it was given to `record`
    /// @return the trace, which the caller closes
    /// @throws IOException if there is no trace, it cannot be read, or it has another version
    public static AllocationTrace open(Path path) throws IOException {
        ArenaImage image = ArenaImage.open(path);
        Arena memory = Arena.ofShared();
        try {
            return new AllocationTrace(image, memory);
        } catch (Throwable t) {
            memory.close();
            image.close();
            throw t;
        }
    }

    /// {@return how the recording has ended}
    ///
    /// @throws IOException if the catalog cannot be read
    public TraceState state() throws IOException {
        int state = TraceFormat.state(header);
        TraceState[] states = TraceState.values();
        if (state == 0 && !image.ownerIsAlive()) {
            return TraceState.KILLED;
        }
        return 0 <= state && state < states.length ? states[state] : TraceState.FAILED;
    }

    /// {@return when the recording began}
    public Instant start() {
        return Instant.ofEpochMilli(TraceFormat.startMillis(header));
    }

    /// Reads all events in the order of their times. It takes linear time, and memory for the blocks that are live at a
    /// time.
    ///
    /// @param events   takes the events
    /// @param problems takes the description of each part that is damaged or missing, with its file and offset
    /// @throws IOException if the files cannot be read
    public void read(Consumer<? super TraceEvent> events, Consumer<? super String> problems) throws IOException {
        List<TracePage> pages = new ArrayList<>();
        try (Stream<Allocation> allocations = image.allocations()) {
            for (Allocation allocation : (Iterable<Allocation>) allocations::iterator) {
                if (allocation.name().isEmpty()) {
                    String place = "file=" + image.file(allocation.file()) + ", offset=" + allocation.byteOffset();
                    try {
                        pages.add(new TracePage(image.segment(allocation, memory), place));
                    } catch (EOFException _) {
                        problems.accept("A page is missing, since the file ends before it: " + place);
                    }
                }
            }
        }
        if (image.hasSkippedDamage()) {
            problems.accept("Pages may be missing, since the catalog is damaged: path=" + image.base());
        }
        new TraceReader(problems).read(pages, events);
    }

    /// Reads all events and summarizes them.
    ///
    /// @param problems takes the description of each part that is damaged or missing
    /// @return the summary
    /// @throws IOException if the files cannot be read
    public TraceSummary summarize(Consumer<? super String> problems) throws IOException {
        TraceStatistics statistics = new TraceStatistics();
        read(statistics::add, problems);
        return statistics.summary();
    }

    /// Unmaps the files.
    @Override
    public void close() throws IOException {
        memory.close();
        image.close();
    }
}
