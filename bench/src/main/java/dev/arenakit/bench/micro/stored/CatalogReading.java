package dev.arenakit.bench.micro.stored;

import dev.arenakit.bench.candidate.stored.StoreDirectory;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.CatalogLevel;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// Measures what `arena ls` and `arena verify` do with the catalog of an image with named allocations.
@BenchmarkName(value = "catalog", baseline = "list",
        measures = "Opens an image with named allocations, and reads all of them, or checks the image.")
@BenchmarkMode(Mode.SingleShotTime)
public class CatalogReading extends MicroBenchmark {
    /// The number of allocations.
    // The tests run the first one and the last one.
    @Param({"1000", "1000000", "10000"})
    public int size;

    private @Nullable StoreDirectory directory;

    /// Creates the image.
    @Setup
    public void create() {
        StoreDirectory created = StoreDirectory.create(StoreDirectory.TMPFS);
        directory = created;
        try (InfiniteArena arena = InfiniteArena.builder(base()).chunked().catalog(CatalogLevel.FULL).build()) {
            for (int i = 0; i < size; i++) {
                arena.names().allocate("allocation-" + i, 16, 8);
            }
        }
    }

    private Path base() {
        return Objects.requireNonNull(directory).path().resolve("image");
    }

    /// Deletes the files.
    @TearDown
    public void delete() {
        Objects.requireNonNull(directory).close();
    }

    /// The sizes of all allocations.
    @Benchmark
    @CandidateName("list")
    public long list() throws IOException {
        try (ArenaImage image = ArenaImage.open(base())) {
            return image.allocations().mapToLong(Allocation::byteSize).sum();
        }
    }

    /// All checks of the image.
    @Benchmark
    @CandidateName("check")
    public long check() throws IOException {
        try (ArenaImage image = ArenaImage.open(base())) {
            return image.integrity().check(problem -> {
                throw new IllegalStateException("The image is damaged: " + problem.description());
            }).count();
        }
    }
}
