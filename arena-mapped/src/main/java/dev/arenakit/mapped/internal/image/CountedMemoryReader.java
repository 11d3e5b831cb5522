package dev.arenakit.mapped.internal.image;

import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.internal.arena.ElementMemory;
import dev.arenakit.mapped.internal.arena.GrowableMemory;
import dev.arenakit.mapped.internal.catalog.AllocationSpliterator;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.catalog.GrowingEntry;
import dev.arenakit.mapped.internal.catalog.UnforcedElements;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/// Growing memory of an image, whose owner may add elements. The memory is mapped again when it has grown, and the
/// earlier mappings stay until the arena is closed. Nothing is written. Not thread-safe.
public final class CountedMemoryReader implements ElementMemory {
    private final CatalogReader catalog;
    private final DataFileReader files;
    private final GrowingEntry entry;
    private final String name;
    private final long elementByteSize;
    private final Arena arena;
    private MemorySegment segment;

    /// @param allocation      an allocation of the image
    /// @param elementByteSize the size of an element
    /// @param arena           the arena whose scope the segments get
    public CountedMemoryReader(CatalogReader catalog, DataFileReader files, Allocation allocation,
            long elementByteSize, Arena arena) {
        this.catalog = catalog;
        this.files = files;
        this.elementByteSize = elementByteSize;
        this.arena = arena;
        name = allocation.label();
        entry = new GrowingEntry(catalog, allocation.number());
        segment = arena.allocate(0).asReadOnly();
        long stored = allocation.storedCount().orElse(0);
        long forced = allocation.elementCount().orElse(0);
        if (stored > forced) {
            UnforcedElements.ofMemory(name, stored, forced)
                    .warn("the forced elements count, and ArenaImage.segment has"
                            + " the others, too");
        }
    }

    @Override
    public MemorySegment segment() {
        return segment;
    }

    @Override
    public long elementCount() {
        Scopes.checkOpen(segment);
        try {
            GrowingEntry.Read read = entry.read(elementByteSize);
            if (read == null) {
                throw new IllegalStateException("Allocation was not made to grow, or its record is damaged: "
                        + describe() + "; verify the image");
            }
            if (!read.allocated().isLive()) {
                throw new IllegalStateException("Memory was freed: " + describe());
            }
            long count = read.elementCount();
            if (count < 0) {
                throw new IllegalStateException("Number of elements is damaged: " + describe()
                        + "; repair the image, or read its structs by ArenaImage.segment");
            }
            long byteSize = read.allocated().byteSize();
            if (byteSize > 0 && read.allocated().elementCount() < 0 && read.allocated().storedCount() < 0) {
                throw GrowableMemory.notCounted(name, byteSize);
            }
            if (count > byteSize / elementByteSize) {
                throw new IllegalStateException("Number of elements exceeds the memory: elementCount=" + count
                        + ", byteSize=" + byteSize + ", " + describe() + "; verify the image");
            }
            if (count * elementByteSize > segment.byteSize()) {
                // If the machine has failed, the file may end before the recorded size.
                segment = files.segment(AllocationSpliterator.allocation(read.allocated()), count * elementByteSize,
                        arena).asReadOnly();
            }
            // The elements are read after the number that counts them.
            VarHandle.loadLoadFence();
            return count;
        } catch (IOException e) {
            throw new UncheckedIOException("Elements cannot be read: " + describe() + ", reason="
                    + Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName()), e);
        }
    }

    private String describe() {
        return "name=" + name + ", catalog=" + catalog.file();
    }
}
