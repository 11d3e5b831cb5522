package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.catalog.BlockSums;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.catalog.SealReader;
import dev.arenakit.mapped.internal.image.DataFileReader;
import dev.arenakit.mapped.internal.image.ImageCheck;
import dev.arenakit.mapped.internal.image.TypeCache;
import dev.arenakit.mapped.internal.structure.StoredHeader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The integrity of an image: its problems, the seals of its allocations, and the bytes that differ from the seals.
/// [ArenaImage#integrity()] returns this object.
///
/// ```java
/// try (ArenaImage image = ArenaImage.open(base)) {
///     image.integrity().check(problem -> System.out.println(problem.description()));
///     Allocation trades = image.find("trades").orElseThrow();
///     System.out.println(image.integrity().damage(trades)); // [] if the bytes are as they were sealed
/// }
/// ```
///
/// Nothing is written. This object can be used until the image is closed.
///
/// **Threads.** Instances are not thread-safe.
public final class ImageIntegrity {
    private final Path base;
    private final CatalogReader catalog;
    private final DataFileReader files;
    private final TypeCache types;
    private @Nullable SealReader seals;

    ImageIntegrity(Path base, CatalogReader catalog, DataFileReader files, TypeCache types) {
        this.base = base;
        this.catalog = catalog;
        this.files = files;
        this.types = types;
    }

    /// Finds the problems of the image: records that are damaged or unfinished, names that are used twice, allocations
    /// that overlap or whose type cannot be parsed, and data files that are missing, truncated or not recorded. If the
    /// image has an owner, its unfinished records are not a problem. Without an owner, they are a
    /// [note][Problem#isNote]: their writer was killed.
    ///
    /// The image is checked while the stream is used, and the stream throws [UncheckedIOException] if the catalog
    /// cannot be read.
    ///
    /// @return the problems, none for a sound image
    /// @throws IOException if the catalog cannot be read
    public Stream<Problem> problems() throws IOException {
        return new ImageCheck(base, catalog, types).stream();
    }

    /// Finds the problems of the image as [#problems] does, and returns what was checked. Both are from one pass over
    /// the catalog. An exception of the consumer ends the check.
    ///
    /// @param problems receives each problem when it is found
    /// @return the allocations that were checked
    /// @throws IOException if the catalog cannot be read
    public CheckedAllocations check(Consumer<? super Problem> problems) throws IOException {
        ImageCheck check = new ImageCheck(base, catalog, types);
        while (check.tryAdvance(problems)) {
            // Each step finds one problem.
        }
        return new CheckedAllocations(check.count(), check.allByteSize(), check.hasSeals());
    }

    /// Returns the latest seal of an allocation. An incomplete or damaged seal does not count. The first call of this
    /// method or of [#damage] reads the catalog, and later calls return the seals that it contained then. If very many
    /// allocations are sealed, the catalog is read again for each half a million of them, in the order of their
    /// numbers.
    ///
    /// @param allocation an allocation of this image
    /// @return the seal, or empty if the allocation is not sealed
    /// @throws IOException if the catalog cannot be read
    /// @see ArenaNames#seal(String)
    public Optional<Seal> seal(Allocation allocation) throws IOException {
        return Optional.ofNullable(seals().find(allocation));
    }

    /// Compares the bytes of an allocation with its latest seal. All bytes except for holes are read. Bytes that were
    /// stored after the seal differ from it, too. Memory by which the allocation has grown since the seal is not
    /// compared. Bytes that a truncated file has lost count as zeros. The state of a copied structure counts as the
    /// state of its original.
    ///
    /// @param allocation an allocation of this image
    /// @return the ranges that differ, in ascending order; none if the allocation is not sealed
    /// @throws IOException if the catalog or a data file is missing or cannot be read
    public List<DamagedRange> damage(Allocation allocation) throws IOException {
        Seal seal = seals().find(allocation);
        BlockSums sealed = seals().sums(allocation);
        if (seal == null || sealed == null) {
            return List.of();
        }
        BlockSums found = new BlockSums();
        files.source(allocation).transferTo(found, 0, seal.byteSize());
        found.finish(seal.byteSize());
        List<BlockSums.Range> damage = sealed.differences(found, seal.byteSize());
        if (!damage.isEmpty() && damage.getFirst().byteOffset() == 0
                && allocation.typeText().filter(types::isStructure).isPresent()) {
            ByteBuffer start = ByteBuffer.allocateDirect((int) Math.min(seal.byteSize(), BlockSums.BLOCK));
            if (files.read(allocation, 0, start) && StoredHeader.restore(MemorySegment.ofBuffer(start.clear()))) {
                found.replaceFirst(MemorySegment.ofBuffer(start));
                damage = sealed.differences(found, seal.byteSize());
            }
        }
        return damage.stream().map(range -> new DamagedRange(range.byteOffset(), range.byteSize())).toList();
    }

    private SealReader seals() {
        SealReader read = seals;
        if (read == null) {
            read = new SealReader(catalog);
            seals = read;
        }
        return read;
    }

    /// A problem of an image, such as a damaged record or a truncated data file.
    ///
    /// @param description the problem with the values involved
    /// @param allocation  the allocation that has the problem, or empty for a problem of the image
    /// @param isNote      whether nothing is lost: a process that ends without closing the image leaves such traces,
    ///                    for example a record that was reserved and not written
    public record Problem(String description, Optional<Allocation> allocation, boolean isNote) {}

    /// The allocations of an image that [#check] has checked, freed ones included.
    ///
    /// @param count    the number of allocations whose records can be read
    /// @param byteSize the sum of their sizes, at most [Long#MAX_VALUE]
    /// @param hasSeals whether the catalog contains parts of seals, which [#seal] reads
    public record CheckedAllocations(long count, long byteSize, boolean hasSeals) {}

    /// A range of an allocation whose bytes differ from its [seal][Seal]. It consists of whole blocks of 1 MiB, except
    /// at the end of the allocation: at least one byte of each block differs.
    ///
    /// @param byteOffset the offset in the allocation
    /// @param byteSize   the size in bytes
    public record DamagedRange(long byteOffset, long byteSize) {
        /// {@return the end of the range in the allocation, exclusive}
        public long end() {
            return byteOffset + byteSize;
        }
    }
}
