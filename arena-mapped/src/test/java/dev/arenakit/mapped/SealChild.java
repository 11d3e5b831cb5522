package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.catalog.BlockSums;
import dev.arenakit.mapped.internal.catalog.CatalogEntry;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.catalog.CatalogWriter;
import dev.arenakit.mapped.internal.files.FileMode;
import dev.arenakit.mapped.internal.image.AllocationSealer;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Seals in a process of its own.
final class SealChild {
    /// Enough for several texts.
    static final int BLOCKS = 2_500;

    private SealChild() {}

    public static void main(String[] arguments) throws IOException {
        ChildJvm.endWithParent();
        switch (arguments[0]) {
            case "fill" -> fill(Path.of(arguments[1], "memory"));
            case "record" -> record(Path.of(arguments[1]));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /// Seals until the disk is full, and prints what is valid then.
    private static void fill(Path base) throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(1L << 30).build()) {
            MemorySegment data = arena.allocate("data", JAVA_LONG, 1 << 12);
            data.fill((byte) 1);
            arena.seal("data");
            for (int i = 0; i < 1 << 20; i++) {
                arena.seal("data");
            }
        } catch (DiskFullException e) {
            System.out.println(e.getMessage());
            try (ArenaImage image = ArenaImage.open(base)) {
                Allocation data = image.find("data").orElseThrow();
                System.out.println((image.seal(data).isPresent() ? "sealed, " : "") + (image.damage(data).isEmpty()
                        ? "undamaged"
                        : "") + ", problems: " + image.problems().toList());
            }
        }
    }

    /// Records seals until the process is killed. All checksums of the n-th one are n. Prints n afterwards.
    private static void record(Path base) throws IOException {
        CatalogWriter catalog = CatalogWriter.create(base, Arena.global(), CatalogLevel.SIZES, 0, FileMode.OWNER_ONLY);
        int line = catalog.reserve();
        long byteSize = BLOCKS * BlockSums.BLOCK;
        catalog.addWhole(line, 0, byteSize, 0, 1, CatalogEntry.Text.NONE, CatalogEntry.Text.NONE);
        Allocation allocation = new Allocation(line * CatalogFormat.LINE / CatalogFormat.SLOT, Optional.empty(),
                Optional.empty(), 0, 0, byteSize, 0, 1, true, Optional.empty(), OptionalLong.empty(),
                OptionalLong.empty(), OptionalLong.empty());
        for (int n = 1;; n++) {
            BlockSums sums = new BlockSums();
            for (int block = 0; block < BLOCKS; block++) {
                sums.add(block, n);
            }
            new AllocationSealer(base, catalog).record(allocation, sums);
            System.out.println(n);
        }
    }
}
