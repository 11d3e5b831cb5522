package dev.arenakit.mapped.trace;

import dev.arenakit.FreeListArena;
import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import dev.arenakit.mapped.InDirectory;
import java.io.IOException;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

import static org.assertj.core.api.Assertions.assertThat;

/// Runs the contract of all arenas with arenas that are recorded.
class TracedArenaContractTest extends InDirectory {
    private TraceRecorder recorder;

    @BeforeEach
    void record() {
        recorder = AllocationTrace.record(base);
    }

    @AfterEach
    void end() throws IOException {
        recorder.close();
        try (AllocationTrace trace = AllocationTrace.open(base)) {
            assertThat(trace.summarize(_ -> {
                // Another thread may have closed the arena of an allocation.
            }).openArenas()).isZero();
        }
    }

    @Nested
    class Confined implements ArenaContract {
        @Override
        public Arena open() {
            return recorder.wrap(Arena.ofConfined());
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofConfined();
        }
    }

    @Nested
    class Shared implements ArenaContract {
        @Override
        public Arena open() {
            return recorder.wrap(Arena.ofShared());
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofShared();
        }
    }

    @Nested
    class Blocks implements ArenaContract {
        @Override
        public Arena open() {
            return recorder.wrapBlocks(FreeListArena.ofShared());
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofShared().withoutZeroing();
        }
    }
}
