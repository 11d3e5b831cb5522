package dev.arenakit.diagnostics;

import dev.arenakit.FreeListArena;
import dev.arenakit.MallocArena;
import dev.arenakit.SlabPool;
import dev.arenakit.internal.nativecall.NativeCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// An application with a copy of this library of its own. It uses a feature, and leaves what an undeployed application
/// may leave.
///
/// Its constructor is called by reflection, and it talks to its test by classes of the JDK.
public final class UndeployedApplication implements BiConsumer<String, Consumer<String>> {
    /// The start of a report of an address in the quarantine.
    static final String ADDRESS = "address ";
    private static final long SLAB = 4096;

    public UndeployedApplication() {}

    @Override
    public void accept(String feature, Consumer<String> reports) {
        LeakDetection all = LeakDetection.ALL.listener(leak -> reports.accept(leak.toString()));
        switch (feature) {
            case "wrapped arena" -> LeakDetector.wrap(Arena.ofConfined(), all).allocate(8);
            case "reclaimed arena" -> LeakDetector.wrap(Arena.ofShared(), all.reclaimLeaked(true)).allocate(8);
            case "pool" -> SlabPool.builder().slabByteSize(SLAB).leakDetection(all).build().openConfined().allocate(8);
            case "shared arena of a pool" ->
                SlabPool.builder().slabByteSize(SLAB).leakDetection(all).build().openShared().allocate(8);
            case "malloc" -> MallocArena.builder().leakDetection(all).build().allocate(8);
            case "free lists" -> FreeListArena.builder().leakDetection(all).build().allocate(8);
            case "terminated thread" -> leaveOpen(all);
            case "longest time" -> {
                try (Arena _ = LeakDetector.wrap(Arena.ofConfined(), all.longestOpen(Duration.ZERO))) {
                    LeakDetector.check();
                }
            }
            case "canaries" -> overrun(reports);
            case "quarantine" -> {
                DebugOptions options = DebugOptions.behind()
                        .withBlockFilesIn(Path.of(System.getProperty("java.io.tmpdir")))
                        .withQuarantine(1 << 20);
                try (Arena arena = DebugArena.wrap(Arena.ofConfined(), options)) {
                    reports.accept(ADDRESS + arena.allocate(8).address());
                }
            }
            case "budget" -> {
                MemoryBudget child = MemoryBudget.root("root", 100).child("child", 10);
                try (Arena arena = child.wrap(Arena.ofConfined())) {
                    arena.allocate(11);
                } catch (BudgetExceededException e) {
                    reports.accept(e.getMessage());
                }
            }
            case "management bean" -> {
                // The first pool has its bean later than the second one, and is lost.
                SlabPool.builder().name("lost").build();
                reports.accept(MemoryStatistics.registerMXBeans());
                SlabPool.builder().name("open").build().openConfined();
                MemoryStatistics.unregisterMXBeans();
            }
            case "events" -> {
                try (SlabPool pool = SlabPool.create(); Arena arena = pool.openConfined()) {
                    arena.allocate(1 << 20);
                    reports.accept(MemoryStatistics.ofProcess().toString());
                }
            }
            default -> throw new IllegalArgumentException(feature);
        }
    }

    private static void leaveOpen(LeakDetection all) {
        Arena[] arena = new Arena[1];
        try {
            Thread thread = new Thread(() -> arena[0] = LeakDetector.wrap(Arena.ofConfined(), all));
            thread.start();
            thread.join();
            LeakDetector.check();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            Reference.reachabilityFence(arena);
        }
    }

    private static void overrun(Consumer<String> reports) {
        try (DebugArena arena = DebugArena.wrap(Arena.ofConfined(), DebugOptions.canaries())) {
            MemorySegment block = arena.allocate(8);
            NativeCalls.zero(block.address(), 16);
        } catch (CorruptedBlockException e) {
            reports.accept(e.getMessage());
        }
    }
}
