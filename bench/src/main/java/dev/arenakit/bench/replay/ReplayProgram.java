package dev.arenakit.bench.replay;

import dev.arenakit.mapped.trace.AllocationTrace;
import dev.arenakit.mapped.trace.TraceEvent;
import dev.arenakit.mapped.trace.TraceEvent.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/// A trace as a program: the steps of each thread, and what they wait for.
///
/// A step waits for the steps of other threads that it depends on: an allocation for the opening of its arena, a free for
/// the allocation of its block, a close for all uses of its arena. An opening also waits until as many arenas are closed
/// as were closed at that time, so that no more arenas are open at a time than were recorded.
///
/// Threads whose times do not overlap follow each other in one lane, so that no more threads run at a time than were
/// recorded. There is no deadlock: the earliest step that has not run has nothing to wait for.
///
/// @param lanes      the threads that follow each other
/// @param threads    the number of threads
/// @param arenas     the number of arenas
/// @param blocks     the number of blocks
/// @param isShared   whether several threads use an arena
/// @param unclosed   the shared arenas that no thread closes
/// @param events     the number of recorded events
/// @param peakByteSize the largest size of all live allocations
@SuppressWarnings("ArrayRecordComponent") // Nobody compares programs.
public record ReplayProgram(List<List<ThreadSteps>> lanes, int threads, int arenas, int blocks, boolean[] isShared,
        List<Integer> unclosed, long events, long peakByteSize) {
    /// The steps of a thread.
    record ThreadSteps(int number, boolean isVirtual, List<Step> steps) {
        long start() {
            return steps.getFirst().nanos;
        }

        long end() {
            return steps.getLast().nanos;
        }
    }

    /// Reads a trace.
    ///
    /// @param path     the path of the trace
    /// @param problems takes a description of each part that is damaged or missing
    /// @return the program
    /// @throws IOException if the trace cannot be read, or has no events
    public static ReplayProgram read(Path path, Consumer<? super String> problems) throws IOException {
        try (AllocationTrace trace = AllocationTrace.open(path)) {
            Reading reading = new Reading();
            trace.read(reading::add, problems);
            if (reading.threads.isEmpty()) {
                throw new IOException("The trace has no events: path=" + path);
            }
            return reading.program(trace.summarize(_ -> {
                // They have been reported.
            }).peakByteSize());
        }
    }

    /// Whether one thread takes all steps.
    boolean isOfOneThread() {
        return threads == 1;
    }

    private static final class Reading {
        final Map<Long, ThreadSteps> threads = new LinkedHashMap<>();
        private final Map<Long, OpenArena> open = new HashMap<>();
        private final List<OpenArena> arenas = new ArrayList<>();
        private final Map<Long, Long> lastOfBlocks = new HashMap<>();
        private int blocks;
        private int closes;
        private long events;

        void add(TraceEvent event) {
            events++;
            ThreadSteps thread = threads.computeIfAbsent(event.thread(),
                    _ -> new ThreadSteps(threads.size(), event.isVirtual(), new ArrayList<>()));
            long position = (long) thread.number << Integer.SIZE | thread.steps.size() + 1;
            OpenArena arena = event.kind() == Kind.OPEN
                    ? new OpenArena(arenas.size(), thread.number)
                    : Objects.requireNonNull(open.get(event.arena()));
            Step step = new Step(event, arena.number, closes);
            List<Long> waits = new ArrayList<>();
            switch (event.kind()) {
                case OPEN -> {
                    open.put(event.arena(), arena);
                    arenas.add(arena);
                }
                case ALLOCATE_BLOCK -> blocks = Math.max(blocks, Math.toIntExact(event.block()) + 1);
                case RESIZE_BLOCK, FREE_BLOCK -> waits.add(lastOfBlocks.get(event.block()));
                case CLOSE -> {
                    waits.addAll(arena.lastOfThreads.values());
                    open.remove(event.arena());
                    arena.isClosed = true;
                    closes++;
                }
                default -> {
                    // It waits for the opening alone.
                }
            }
            if (event.block() >= 0) {
                lastOfBlocks.put(event.block(), position);
            }
            if (event.kind() != Kind.OPEN && !arena.lastOfThreads.containsKey(thread.number)) {
                waits.add(arena.opened);
            }
            arena.lastOfThreads.put(thread.number, position);
            if (event.kind() == Kind.OPEN) {
                arena.opened = position;
            }
            step.waits = waits.stream()
                    .mapToLong(Long::longValue)
                    .filter(wait -> wait >>> Integer.SIZE != thread.number)
                    .toArray();
            thread.steps.add(step);
        }

        ReplayProgram program(long peakByteSize) {
            List<ThreadSteps> all = List.copyOf(threads.values());
            all.forEach(thread -> thread.steps.forEach(step -> {
                for (long wait : step.waits) {
                    all.get((int) (wait >>> Integer.SIZE)).steps.get((int) wait - 1).isAwaited = true;
                }
            }));
            List<Integer> unclosed = new ArrayList<>();
            boolean[] isShared = new boolean[arenas.size()];
            for (OpenArena arena : arenas) {
                isShared[arena.number] = arena.lastOfThreads.size() > 1;
                if (!arena.isClosed && isShared[arena.number]) {
                    unclosed.add(arena.number);
                } else if (!arena.isClosed) {
                    ThreadSteps owner = all.get(arena.owner);
                    owner.steps.add(Step.close(arena.number, owner.end()));
                }
            }
            return new ReplayProgram(lanes(all), all.size(), arenas.size(), blocks, isShared, unclosed, events,
                    peakByteSize);
        }

        /// Gives each thread the lane that has been free for the longest time.
        private static List<List<ThreadSteps>> lanes(List<ThreadSteps> all) {
            List<List<ThreadSteps>> lanes = new ArrayList<>();
            PriorityQueue<List<ThreadSteps>> byEnd = new PriorityQueue<>(
                    Comparator.comparingLong(lane -> lane.getLast().end()));
            for (ThreadSteps thread : all.stream().sorted(Comparator.comparingLong(ThreadSteps::start)).toList()) {
                List<ThreadSteps> free = byEnd.peek();
                if (free != null && free.getLast().end() < thread.start()) {
                    byEnd.remove();
                } else {
                    free = new ArrayList<>();
                    lanes.add(free);
                }
                free.add(thread);
                byEnd.add(free);
            }
            return lanes;
        }
    }

    private static final class OpenArena {
        final int number;
        final int owner;
        final Map<Integer, Long> lastOfThreads = new HashMap<>(2);
        long opened;
        boolean isClosed;

        OpenArena(int number, int owner) {
            this.number = number;
            this.owner = owner;
        }
    }
}
