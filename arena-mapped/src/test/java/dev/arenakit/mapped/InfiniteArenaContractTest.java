package dev.arenakit.mapped;

import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/// The contract of every arena, with the mappings and files of the arenas as the memory that they hold.
class InfiniteArenaContractTest {
    /// Small enough that the tests leave one chunk for the next, and make files of their own, many times.
    private static final long CHUNK_BYTE_SIZE = 1L << 20;

    /// Enough to meet one another, each at the price of a file.
    private static final int PLAIN_ALLOCATIONS = 200;

    private final Path directory;
    private final AtomicInteger arenas = new AtomicInteger();

    InfiniteArenaContractTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private InfiniteArena.Builder builder() {
        return InfiniteArena.builder(directory.resolve("memory" + arenas.incrementAndGet())).deleteOnClose();
    }

    private OptionalLong filesAndMappings() {
        return OptionalLong.of(Place.list(directory).size() + Mappings.used());
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
