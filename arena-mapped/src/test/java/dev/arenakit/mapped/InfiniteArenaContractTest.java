package dev.arenakit.mapped;

import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import dev.arenakit.mapped.internal.files.MappingLimit;
import dev.arenakit.mapped.internal.files.PageSize;
import java.lang.foreign.Arena;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Runs the contract of all arenas. Mappings and files count as the memory of the arenas. Takes a second or two: the
/// arenas of its tests create thousands of files, in memory.
class InfiniteArenaContractTest extends InDirectory {
    enum Kind {
        PLAIN_SHARED, PLAIN_CONFINED, CHUNKED_SHARED, CHUNKED_SHARED_RESERVED, CHUNKED_CONFINED;

        boolean has(String property) {
            return name().contains(property);
        }
    }

    /// So small that the tests often begin a new chunk, or make a file for one allocation.
    private static final long CHUNK_BYTE_SIZE = 1L << 20;

    /// Enough allocations for conflicts of threads. Each of them costs a file.
    private static final int PLAIN_ALLOCATIONS = 200;

    private final AtomicInteger arenas = new AtomicInteger();

    @Nested
    @ParameterizedClass
    @EnumSource(value = Kind.class, names = {"PLAIN_CONFINED", "CHUNKED_SHARED"})
    class EachWayOnce extends Contract {
        EachWayOnce(Kind kind) {
            super(kind);
        }
    }

    @Nested
    @ParameterizedClass
    @EnumSource(value = Kind.class, names = {"PLAIN_CONFINED", "CHUNKED_SHARED"}, mode = EnumSource.Mode.EXCLUDE)
    @Tag("full")
    class OtherKinds extends Contract {
        OtherKinds(Kind kind) {
            super(kind);
        }
    }

    abstract class Contract implements ArenaContract {
        private final Kind kind;

        Contract(Kind kind) {
            this.kind = kind;
        }

        @BeforeEach
        void checkSystem() {
            if (kind.has("RESERVED")) {
                TestFileSystem.assumeHoles(directory);
            }
        }

        @Override
        public Arena open() {
            InfiniteArenaBuilder builder = InfiniteArena
                    .builder(directory.resolve("memory" + arenas.incrementAndGet()))
                    .deleteOnClose();
            return (switch (kind) {
                case PLAIN_SHARED -> builder;
                case PLAIN_CONFINED -> builder.confined();
                case CHUNKED_SHARED -> builder.chunked(CHUNK_BYTE_SIZE);
                case CHUNKED_SHARED_RESERVED -> builder.chunked(CHUNK_BYTE_SIZE).reserved();
                case CHUNKED_CONFINED -> builder.chunked().confined();
            }).build();
        }

        @Override
        public Capabilities capabilities() {
            Capabilities all = kind.has("SHARED") ? Capabilities.ofShared() : Capabilities.ofConfined();
            return kind.has("PLAIN")
                    ? all.withLargestAlignment(PageSize.BYTES).withAllocations(PLAIN_ALLOCATIONS)
                    : all.withLargestAlignment(2 << 20);
        }

        @Override
        public OptionalLong held() {
            return OptionalLong.of(TestFileSystem.list(directory).size() + MappingLimit.used());
        }
    }
}
