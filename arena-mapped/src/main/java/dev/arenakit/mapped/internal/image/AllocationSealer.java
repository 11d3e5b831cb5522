package dev.arenakit.mapped.internal.image;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.Seal;
import dev.arenakit.mapped.internal.catalog.AllocationSpliterator;
import dev.arenakit.mapped.internal.catalog.BlockSums;
import dev.arenakit.mapped.internal.catalog.CatalogEntry;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.catalog.CatalogScan;
import dev.arenakit.mapped.internal.catalog.CatalogWriter;
import dev.arenakit.mapped.internal.catalog.SealText;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.files.SafeFiles;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.BitSet;
import java.util.Iterator;
import java.util.stream.Stream;

/// Seals allocations of an image that this process owns.
public final class AllocationSealer {
    /* The checksums are computed before the first of them is written, and the text that completes the seal is written
     * last: a process that dies, or a full disk, leaves texts without a meaning, and the previous seal is valid. */

    private final Path base;
    private final CatalogWriter catalog;

    public AllocationSealer(Path base, CatalogWriter catalog) {
        this.base = base;
        this.catalog = catalog;
    }

    /// Seals the allocation that has a line.
    ///
    /// @throws UncheckedIOException if the allocation cannot be read, or the catalog cannot grow
    public Seal seal(int line) {
        try (DataFileReader files = new DataFileReader(base, false)) {
            return seal(SafeFiles.uninterrupted(() -> allocation(line)), files);
        } catch (IOException e) {
            throw FileErrors.seal(base, e);
        }
    }

    /// Seals allocations of an image that an arena has reopened, and writes them to the device.
    ///
    /// @param allocations the allocations, which are read while they are sealed
    /// @param force       writes the image to the device
    /// @return the number of allocations
    /// @throws UncheckedIOException if an allocation cannot be read, or the catalog cannot grow
    public long sealAll(Stream<Allocation> allocations, Runnable force) {
        BitSet sealed = new BitSet();
        long count = 0;
        // The files stay open, since opening one takes longer than reading an allocation of some bytes.
        try (DataFileReader files = new DataFileReader(base, false)) {
            for (Iterator<Allocation> each = allocations.iterator(); each.hasNext(); count++) {
                Allocation allocation = each.next();
                seal(allocation, files);
                allocation.parts().forEach(part -> sealed.set(part.file()));
            }
            for (int file = sealed.nextSetBit(0); file >= 0; file = sealed.nextSetBit(file + 1)) {
                SafeFiles.force(ImagePaths.data(base, file));
            }
        } catch (IOException e) {
            throw FileErrors.seal(base, e);
        }
        force.run();
        return count;
    }

    private Seal seal(Allocation allocation, DataFileReader files) throws IOException {
        return record(allocation, SafeFiles.uninterrupted(() -> {
            try {
                return sums(allocation, files);
            } catch (ClosedByInterruptException e) {
                files.close();
                throw e;
            }
        }));
    }

    /// Records the checksums of an allocation.
    public Seal record(Allocation allocation, BlockSums sums) {
        Instant time = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        int previous = 0;
        for (SealText text : SealText.texts(allocation.number(), allocation.byteSize(), time.toEpochMilli(), sums)) {
            previous = catalog.seal(text.withPrevious(previous).print());
        }
        return new Seal(time, allocation.byteSize());
    }

    private Allocation allocation(int line) throws IOException {
        Path file = ImagePaths.catalog(base);
        try (CatalogReader reader = CatalogReader.open(file)) {
            if (CatalogScan.at(reader, line).next() instanceof CatalogEntry.Allocated allocated) {
                return AllocationSpliterator.allocation(allocated);
            }
        }
        throw new IOException("Record of the allocation is damaged: file=" + file + ", line=" + line
                + "; verify the image");
    }

    private static BlockSums sums(Allocation allocation, DataFileReader files) throws IOException {
        BlockSums sums = new BlockSums();
        files.source(allocation).transferTo(sums, 0, allocation.byteSize());
        if (sums.position() < allocation.byteSize()) {
            throw new EOFException("Data file is truncated: allocation=" + allocation.label() + ", byteSize="
                    + allocation.byteSize() + ", found=" + sums.position() + "; repair the image before it is sealed");
        }
        sums.finish(allocation.byteSize());
        return sums;
    }
}
