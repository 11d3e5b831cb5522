package dev.arenakit.diagnostics;

import dev.arenakit.FreeListArena;
import dev.arenakit.MallocArena;
import dev.arenakit.SlabPool;
import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// The contract of every arena, for wrapped arenas of the JDK and of this library.
class DebugArenaContractTest {

    @Nested
    class BehindConfined implements ArenaContract {
        @TempDir
        private Path directory;

        @Override
        public Arena open() {
            return DebugArena.wrap(Arena.ofConfined(), DebugOptions.behind().withBlockFilesIn(directory));
        }

        /// Each block is written to a file, with its stack.
        @Override
        public Capabilities capabilities() {
            return Capabilities.ofConfined().withAllocations(100);
        }

        @AfterEach
        void blockFilesAreDeleted() {
            assertThat(directory).isEmptyDirectory();
        }
    }

    @Nested
    @Tag("slow")
    class BeforeShared implements ArenaContract {
        @Override
        public Arena open() {
            return DebugArena.wrap(Arena.ofShared(), DebugOptions.before().withoutBlockFiles().withQuarantine(1 << 20));
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofShared().withAllocations(200);
        }
    }

    @Nested
    @Tag("slow")
    class CanariesConfined implements ArenaContract {
        @Override
        public Arena open() {
            return DebugArena.wrap(Arena.ofConfined(), DebugOptions.canaries());
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofConfined().withAllocations(200);
        }
    }

    @Nested
    @Tag("slow")
    class CanariesOverMallocShared implements ArenaContract {
        @Override
        public Arena open() {
            return DebugArena.wrap(MallocArena.ofShared(), DebugOptions.canaries().unzeroed());
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofShared().withoutZeroing().withAllocations(200);
        }
    }

    @Nested
    @Tag("slow")
    class BehindOverAPool implements ArenaContract {
        private final SlabPool pool = SlabPool.create();

        @Override
        public Arena open() {
            return DebugArena.wrap(pool.openConfined(), DebugOptions.behind().withoutBlockFiles());
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofConfined().withAllocations(100);
        }

        @AfterEach
        void poolCloses() {
            pool.close();
        }
    }

    @Nested
    @Tag("slow")
    class BehindOverCheckedMalloc implements ArenaContract {
        @Override
        public Arena open() {
            return DebugArena.wrap(MallocArena.builder().shared().checked().build(),
                    DebugOptions.behind().unzeroed().withoutBlockFiles());
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofShared().withoutZeroing().withAllocations(100);
        }
    }

    @Nested
    @Tag("slow")
    class BeforeOverAFreeList implements ArenaContract {
        @Override
        public Arena open() {
            return DebugArena.wrap(FreeListArena.ofConfined(), DebugOptions.before().unzeroed().withoutBlockFiles());
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofConfined().withoutZeroing().withAllocations(100);
        }
    }
}
