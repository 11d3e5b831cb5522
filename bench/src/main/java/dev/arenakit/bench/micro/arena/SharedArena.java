package dev.arenakit.bench.micro.arena;

import dev.arenakit.SlabPool;
import dev.arenakit.bench.candidate.ArenaFactory;
import dev.arenakit.bench.candidate.Candidates;
import dev.arenakit.bench.candidate.peer.UnavailableException;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.bench.report.MemoryTraits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures a thread's cost of an allocation of 32 bytes in a long-lived shared arena while another thread allocates
/// from the same arena: allocate, write one long, read it back.
///
/// The baseline is a confined arena for each thread, where nothing is shared.
///
/// The arena is replaced after some 50,000 allocations of one thread, so that memory stays bounded. The figure includes
/// an allocation's share of opening and closing, which may be most of the figure if each block is freed.
@BenchmarkName(value = "shared arena", baseline = "Arena.ofShared",
        measures = "Allocates 32 bytes in a shared arena while another thread allocates in it; the figure is for "
                + "one thread.")
@Threads(2)
public class SharedArena extends MicroBenchmark {
    private static final int MAX_ALLOCATIONS = 50_000;
    private static final long BYTE_SIZE = 32;

    private @Nullable Lease lease;
    private int used;
    private long value;

    /// A shared arena.
    @Benchmark
    public long arena(OfProvider shared) {
        return work(shared.leases);
    }

    /// A confined arena for each thread.
    @Benchmark
    @CandidateName("SlabArena of each thread")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long confined(OfThread own) {
        return work(own.leases);
    }

    private long work(Leases leases) {
        Lease current = lease;
        if (current == null || used++ == MAX_ALLOCATIONS || current != leases.newest) {
            current = leases.exchange(current);
            lease = current;
            used = 0;
        }
        MemorySegment block = current.arena.allocate(BYTE_SIZE, Long.BYTES);
        block.set(JAVA_LONG, 0, ++value);
        return block.get(JAVA_LONG, 0);
    }

    /// Releases the last lease of this thread.
    @TearDown
    public void release() {
        if (lease != null) {
            lease.release();
        }
    }

    /// Arenas of a provider.
    @State(Scope.Benchmark)
    public static class OfProvider {
        /// Name of a provider of shared arenas.
        @Param({Candidates.OF_SHARED, Candidates.MALLOC_SHARED, Candidates.SLAB_SHARED,
                Candidates.FREE_LISTS_SHARED})
        public String provider = "";

        private @Nullable ArenaFactory factory;
        private Leases leases = new Leases(Arena::ofShared);

        /// Creates the factory, and checks that its arenas are shared.
        @Setup
        public void create() {
            ArenaFactory created = Candidates.find(provider).create();
            factory = created;
            leases = new Leases(created::open);
            try (Arena arena = created.open()) {
                if (!arena.allocate(1).isAccessibleBy(new Thread(() -> {}))) {
                    throw new UnavailableException("Arenas for one thread cannot be shared: provider=" + provider);
                }
            }
        }

        /// Closes the last arena and the factory. Threads may still have a lease on the arena.
        @TearDown
        public void close() {
            leases.close();
            if (factory != null) {
                factory.close();
            }
        }
    }

    /// Confined arenas of one thread. Both threads' arenas are from the same pool.
    @State(Scope.Thread)
    public static class OfThread {
        private static final SlabPool POOL = SlabPool.create();

        private final Leases leases = new Leases(POOL::openConfined);

        /// Closes the last arena. The thread may still have a lease on it.
        @TearDown
        public void close() {
            leases.close();
        }
    }

    /// An arena that is closed when the last thread releases it, or at the end.
    private static final class Lease {
        final Arena arena;
        private int users;
        private boolean ended;

        Lease(Arena arena) {
            this.arena = arena;
        }

        synchronized void acquire() {
            users++;
        }

        synchronized void release() {
            users--;
            if (users == 0) {
                end();
            }
        }

        synchronized void end() {
            if (!ended) {
                ended = true;
                arena.close();
            }
        }
    }

    /// The arena that all threads use, and its later replacements.
    private static final class Leases {
        private final Supplier<? extends Arena> opening;
        private final List<Lease> leases = new ArrayList<>();
        volatile @Nullable Lease newest;

        Leases(Supplier<? extends Arena> opening) {
            this.opening = opening;
        }

        /// Returns a newer arena than the old one. If no other thread has opened it yet, this thread opens it.
        synchronized Lease exchange(@Nullable Lease old) {
            Lease next = newest;
            if (next == null || next == old) {
                next = new Lease(opening.get());
                leases.removeIf(lease -> lease.ended);
                leases.add(next);
                newest = next;
            }
            next.acquire();
            if (old != null) {
                old.release();
            }
            return next;
        }

        synchronized void close() {
            for (Lease lease : leases) {
                lease.end();
            }
        }
    }
}
