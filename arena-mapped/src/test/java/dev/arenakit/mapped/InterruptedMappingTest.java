package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.files.MappingLimit;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests that interrupts, however many, leave no mappings behind. Without the cure, some ten of a hundred remain.
class InterruptedMappingTest extends InDirectory {
    private static final int ALLOCATIONS = 100;

    private final Thread allocator = Thread.currentThread();
    private final AtomicBoolean done = new AtomicBoolean();
    private final Thread interrupter = new Thread(this::interruptAgainAndAgain);

    InterruptedMappingTest() throws IOException {
        super(TestFileSystem.BUILD);
    }

    private void interruptAgainAndAgain() {
        while (!done.get()) {
            allocator.interrupt();
            for (int i = 0; i < 200; i++) {
                Thread.onSpinWait();
            }
        }
    }

    @BeforeEach
    void start() {
        interrupter.start();
    }

    @AfterEach
    void stop() {
        done.set(true);
        while (interrupter.isAlive()) {
            Thread.onSpinWait();
        }
        boolean _ = Thread.interrupted();
    }

    @Test
    void allocate_whileInterrupted_leavesNoOtherMapping() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).deleteOnClose().build()) {
            for (int i = 0; i < ALLOCATIONS; i++) {
                arena.allocate(4096);
            }
            stop();
            assertThat(ProcessMaps.of(directory)).as("data files and catalog").hasSize(ALLOCATIONS + 1);
            assertThat(MappingLimit.used()).isEqualTo(mappingsBefore + ALLOCATIONS + 1);
        }
        assertThat(ProcessMaps.of(directory)).isEmpty();
    }

    @Test
    void growable_whileInterrupted_leavesNoOtherMapping() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).deleteOnClose().build()) {
            for (int i = 0; i < ALLOCATIONS; i++) {
                arena.growable(1 << 20).grow(4096);
            }
            stop();
            assertThat(ProcessMaps.of(directory)).as("data files and catalog").hasSize(ALLOCATIONS + 1);
            assertThat(MappingLimit.used()).isEqualTo(mappingsBefore + ALLOCATIONS + 1);
        }
        assertThat(ProcessMaps.of(directory)).isEmpty();
    }

    @Test
    void build_whileInterrupted_leavesNoMapping() throws IOException {
        for (int i = 0; i < ALLOCATIONS; i++) {
            try (InfiniteArena arena = InfiniteArena.builder(base).chunked().confined().deleteOnClose().build()) {
                arena.allocate(8);
            }
        }
        stop();
        assertThat(ProcessMaps.of(directory)).isEmpty();
        assertThat(MappingLimit.used()).isEqualTo(mappingsBefore);
    }
}
