package dev.arenakit.mapped;

import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import dev.arenakit.mapped.internal.files.MappingLimit;
import dev.arenakit.mapped.internal.files.PageSize;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/// Runs the contract of all arenas. Mappings and files count as the memory of the arenas. Takes some seconds: the
/// arenas of its tests create thousands of files.
class InfiniteArenaContractTest {
    /// So small that the tests often begin a new chunk, or make a file for one allocation.
    private static final long CHUNK_BYTE_SIZE = 1L << 20;

    /// Enough allocations for conflicts of threads. Each of them costs a file.
    private static final int PLAIN_ALLOCATIONS = 200;

    private final Path directory;
    private final AtomicInteger arenas = new AtomicInteger();

    InfiniteArenaContractTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private InfiniteArenaBuilder builder() {
        return InfiniteArena.builder(directory.resolve("memory" + arenas.incrementAndGet())).deleteOnClose();
    }

    private OptionalLong filesAndMappings() {
        return OptionalLong.of(TestFileSystem.list(directory).size() + MappingLimit.used());
    }

    @Nested
    class PlainShared implements ArenaContract {
        @Override
        public Arena open() {
            return builder().build();
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofShared().withLargestAlignment(PageSize.BYTES).withAllocations(PLAIN_ALLOCATIONS);
        }

        @Override
        public OptionalLong held() {
            return filesAndMappings();
        }
    }

    @Nested
    class PlainConfined implements ArenaContract {
        @Override
        public Arena open() {
            return builder().confined().build();
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofConfined().withLargestAlignment(PageSize.BYTES).withAllocations(PLAIN_ALLOCATIONS);
        }

        @Override
        public OptionalLong held() {
            return filesAndMappings();
        }
    }

    @Nested
    class ChunkedShared implements ArenaContract {
        @Override
        public Arena open() {
            return builder().chunked(CHUNK_BYTE_SIZE).build();
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofShared().withLargestAlignment(2 << 20);
        }

        @Override
        public OptionalLong held() {
            return filesAndMappings();
        }
    }

    @Nested
    class ChunkedSharedReserved implements ArenaContract {
        @Override
        public Arena open() {
            return builder().chunked(CHUNK_BYTE_SIZE).reserved().build();
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofShared().withLargestAlignment(2 << 20);
        }

        @Override
        public OptionalLong held() {
            return filesAndMappings();
        }
    }

    @Nested
    class ChunkedConfined implements ArenaContract {
        @Override
        public Arena open() {
            return builder().chunked().confined().build();
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofConfined().withLargestAlignment(2 << 20);
        }

        @Override
        public OptionalLong held() {
            return filesAndMappings();
        }
    }
}
