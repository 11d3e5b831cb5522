package dev.arenakit.bench.replay;

import dev.arenakit.mapped.trace.AllocationTrace;
import dev.arenakit.mapped.trace.TraceEvent;
import dev.arenakit.mapped.trace.TraceEvent.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
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
/// @param shared     the arenas that several threads use
/// @param unclosed   the shared arenas that no thread closes
/// @param events     the number of recorded events
/// @param peakByteSize the largest size of all live allocations
public record ReplayProgram(List<List<ThreadSteps>> lanes, int threads, int arenas, int blocks, BitSet shared,
        List<Integer> unclosed, long events, long peakByteSize) {
    /// Whether one thread takes all steps.
    boolean isOfOneThread() {
        return threads == 1;
    }

    /// Whether other threads than virtual ones and a single one run steps.
    boolean hasPlatformThreads() {
        return !isOfOneThread() && lanes.stream().flatMap(List::stream).anyMatch(thread -> !thread.isVirtual());
    }

    /// The steps of a thread.
    record ThreadSteps(int number, boolean isVirtual, List<Step> steps) {
        long start() {
            return steps.getFirst().event().nanos();
        }

        long end() {
            return steps.getLast().event().nanos();
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

    /// A call of a recorded thread.
    ///
    /// @param arena  the arena, counted from 0 in the order of opening
    /// @param closes the number of arenas that had been closed before
    /// @param waits  the steps of other threads that come first: the thread in the upper half, and the number of its
    ///               steps up to then
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares steps.
    record Step(TraceEvent event, int arena, int closes, long[] waits) {
        int block() {
            return Math.toIntExact(event.block());
        }
    }

    private static final class Reading {
        final Map<Long, ThreadSteps> threads = new LinkedHashMap<>();
        private final Map<Long, OpenArena> open = new HashMap<>();
        private final BitSet shared = new BitSet();
        private final Map<Long, Long> lastOfBlocks = new HashMap<>();
        private int arenas;
        private int closes;

        void add(TraceEvent event) {
            ThreadSteps thread = threads.computeIfAbsent(event.thread(),
                    _ -> new ThreadSteps(threads.size(), event.isVirtual(), new ArrayList<>()));
            long position = (long) thread.number << Integer.SIZE | thread.steps.size() + 1;
            if (event.kind() == Kind.OPEN) {
                open.put(event.arena(), new OpenArena(arenas++, position));
            }
            OpenArena arena = Objects.requireNonNull(open.get(event.arena()));
            List<Long> waits = new ArrayList<>();
            if (!arena.lastOfThreads.containsKey(thread.number)) {
                waits.add(arena.opened);
            }
            Long lastOfBlock = event.block() < 0 ? null : lastOfBlocks.put(event.block(), position);
            if (lastOfBlock != null) {
                waits.add(lastOfBlock);
            }
            int before = closes;
            if (event.kind() == Kind.CLOSE) {
                waits.addAll(arena.lastOfThreads.values());
                open.remove(event.arena());
                closes++;
            }
            arena.lastOfThreads.put(thread.number, position);
            shared.set(arena.number, arena.lastOfThreads.size() > 1);
            thread.steps.add(new Step(event, arena.number, before, waits.stream()
                    .mapToLong(Long::longValue)
                    .filter(wait -> wait >>> Integer.SIZE != thread.number)
                    .toArray()));
        }

        ReplayProgram program(long peakByteSize) {
            List<ThreadSteps> all = List.copyOf(threads.values());
            long events = all.stream().mapToLong(thread -> thread.steps.size()).sum();
            List<Integer> unclosed = new ArrayList<>();
            for (OpenArena arena : open.values()) {
                if (shared.get(arena.number)) {
                    unclosed.add(arena.number);
                } else {
                    ThreadSteps owner = all.get((int) (arena.opened >>> Integer.SIZE));
                    owner.steps.add(new Step(new TraceEvent(Kind.CLOSE, owner.end(), 0, false, 0, false, -1, 0, 1),
                            arena.number, 0, new long[0]));
                }
            }
            return new ReplayProgram(lanes(all), all.size(), arenas, lastOfBlocks.size(), shared, unclosed, events,
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

    private record OpenArena(int number, long opened, Map<Integer, Long> lastOfThreads) {
        OpenArena(int number, long opened) {
            this(number, opened, new HashMap<>(2));
        }
    }
}
