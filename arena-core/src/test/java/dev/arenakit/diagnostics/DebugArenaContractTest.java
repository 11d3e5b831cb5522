package dev.arenakit.diagnostics;

import dev.arenakit.FreeListArena;
import dev.arenakit.MallocArena;
import dev.arenakit.SlabPool;
import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import dev.arenakit.internal.PageMappings;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// The contract of every arena, for wrapped arenas of the JDK and of this library.
class DebugArenaContractTest {

    @Nested
    class BehindConfined implements ArenaContract {
        @TempDir
        private Path directory;

        @BeforeEach
        void checkSystem() {
            assumeTrue(PageMappings.isSupported(), "needs guard pages");
        }

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

    /// The other guards, over other arenas.
    @Nested
    @Tag("slow")
    @ParameterizedClass
    @EnumSource(Kind.class)
    class OfEachKind implements ArenaContract {
        private final Kind kind;
        private final SlabPool pool = SlabPool.create();

        OfEachKind(Kind kind) {
            this.kind = kind;
        }

        @Override
        public Arena open() {
            DebugOptions behind = DebugOptions.behind().withoutBlockFiles();
            DebugOptions before = DebugOptions.before().withoutBlockFiles();
            return switch (kind) {
                case BEFORE_SHARED -> DebugArena.wrap(Arena.ofShared(), before.withQuarantine(1 << 20));
                case CANARIES_CONFINED -> DebugArena.wrap(Arena.ofConfined(), DebugOptions.canaries());
                case CANARIES_OVER_MALLOC_SHARED -> DebugArena.wrap(MallocArena.ofShared(),
                        DebugOptions.canaries().unzeroed());
                case BEHIND_OVER_A_POOL -> DebugArena.wrap(pool.openConfined(), behind);
                case BEHIND_OVER_CHECKED_MALLOC_SHARED -> DebugArena.wrap(
                        MallocArena.builder().shared().checked().build(), behind.unzeroed());
                case BEFORE_OVER_A_FREE_LIST -> DebugArena.wrap(FreeListArena.ofConfined(), before.unzeroed());
            };
        }

        @Override
        public Capabilities capabilities() {
            Capabilities all = kind.name().endsWith("SHARED") ? Capabilities.ofShared() : Capabilities.ofConfined();
            return switch (kind) {
                case BEFORE_SHARED, CANARIES_CONFINED -> all.withAllocations(200);
                case CANARIES_OVER_MALLOC_SHARED -> all.withoutZeroing().withAllocations(200);
                case BEHIND_OVER_A_POOL -> all.withAllocations(100);
                default -> all.withoutZeroing().withAllocations(100);
            };
        }

        @AfterEach
        void poolCloses() {
            pool.close();
        }
    }

    enum Kind {
        BEFORE_SHARED, CANARIES_CONFINED, CANARIES_OVER_MALLOC_SHARED, BEHIND_OVER_A_POOL, BEHIND_OVER_CHECKED_MALLOC_SHARED, BEFORE_OVER_A_FREE_LIST
    }
}
