package dev.arenakit.diagnostics;

import dev.arenakit.MallocArena;
import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Many sessions in several threads: those that are closed are never reported, and all others are.
@Tag("full")
class LeakSoakTest {
    private static final int THREADS = 4;

    private final FoundLeaks found = new FoundLeaks();
    private final LeakDetection all = LeakDetection.ALL.listener(found::add);
    private final SlabPool followed = SlabPool.builder().slabByteSize(1024).leakDetection(all).build();
    private final SlabPool sampled = SlabPool.builder()
            .slabByteSize(1024)
            .leakDetection(LeakDetection.SAMPLED.listener(found::add))
            .build();

    @Test
    void sessions_hundredThousandClosed_areNotReportedAndAllLeaksAre() {
        soak(100_000, 40);
    }

    @Tag("slow")
    @Test
    void sessions_thirtyMillionClosed_areNotReportedAndAllLeaksAre() {
        soak(30_000_000, 4_000);
    }

    private void soak(int sessions, int leaks) {
        Threads.race(THREADS, index -> {
            Random random = new Random(index);
            for (int i = 0; i < sessions / THREADS; i++) {
                Arena arena = open(random);
                use(arena, random);
                arena.close();
                if (i % (sessions / leaks) == 0) {
                    use(openToLeak(random), random);
                }
            }
        });
        // All leaks of confined arenas, whose threads have ended, are reported now, and the shared ones when they are
        // found to be unreachable.
        found.await(leaks);
        assertThat(found.settle()).hasSize(leaks)
                .extracting(leak -> leak.stack().getFirst().getMethodName())
                .containsOnly("openToLeak");
        sampled.close();
    }

    private Arena open(Random random) {
        return switch (random.nextInt(100)) {
            case 0 -> followed.openShared();
            case 1 -> LeakDetector.wrap(Arena.ofShared(), all);
            case 2 -> sampled.openShared();
            default -> switch (random.nextInt(5)) {
                case 0 -> followed.openConfined();
                case 1 -> MallocArena.builder().leakDetection(all).build();
                case 2 -> LeakDetector.wrap(Arena.ofConfined(), all);
                case 3 -> MallocArena.builder().leakDetection(LeakDetection.SAMPLED.listener(found::add)).build();
                default -> sampled.openConfined();
            };
        };
    }

    private Arena openToLeak(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> followed.openConfined();
            case 1 -> followed.openShared();
            case 2 -> MallocArena.builder().leakDetection(all).build();
            default -> LeakDetector.wrap(Arena.ofShared(), all);
        };
    }

    private static void use(Arena arena, Random random) {
        if (arena instanceof SlabArena slabArena && random.nextInt(10) == 0 && isConfined(slabArena)) {
            try (Arena frame = slabArena.pushFrame()) {
                frame.allocate(1 + random.nextInt(2000));
            }
        }
        for (int i = 0; i < 3; i++) {
            arena.allocate(1 + random.nextInt(300)).fill((byte) 1);
        }
    }

    private static boolean isConfined(SlabArena arena) {
        return !arena.allocate(1).isAccessibleBy(new Thread());
    }
}
