package dev.arenakit.mapped.internal.arena;

import dev.arenakit.internal.Sizes;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.catalog.AllocationIndex;
import dev.arenakit.mapped.internal.catalog.CatalogEntry.Text;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.catalog.CatalogWriter;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Allocates, finds, resizes and frees the allocations of an arena by their names. Thread-safe.
public final class NamedAllocations {
    /// The number of names in a message.
    private static final int LISTED_NAMES = 5;

    private final CatalogWriter catalog;
    private final ChunkAllocator memory;
    private final GrowableAllocator growing;
    private final ConcurrentHashMap<String, NamedAllocation> names;
    private final AllocationIndex index;
    /// These are cached because converting a layout, and printing a type, takes longer than the rest of an allocation.
    private final IdentityCache<MemoryLayout, StructType> structs = new IdentityCache<>();
    private final IdentityCache<StructType, String> typeTexts = new IdentityCache<>();
    private final IdentityCache<StructType, Text> recordedTypes = new IdentityCache<>();
    private final Function<StructType, Text> recordType;

    /// Makes the named allocations of an arena.
    ///
    /// @param names the allocations of previous owners
    public NamedAllocations(CatalogWriter catalog, ChunkAllocator memory, GrowableAllocator growing,
            ConcurrentHashMap<String, NamedAllocation> names) {
        this.catalog = catalog;
        this.memory = memory;
        this.growing = growing;
        this.names = names;
        index = new AllocationIndex(catalog);
        recordType = type -> catalog.text(typeTexts.get(type, LayoutText::print));
    }

    /// The size of an array of structs.
    public static long byteSize(String name, StructType type, long count) {
        if (count < 0) {
            throw new IllegalArgumentException("Negative count: name=" + name + ", count=" + count);
        }
        if (type.byteSize() > 0 && count > Sizes.ADDRESSABLE / type.byteSize()) {
            throw new OutOfMemoryError("Allocation exceeds the address space: name=" + name + ", structByteSize="
                    + type.byteSize() + ", count=" + count + ", addressable=" + Sizes.ADDRESSABLE);
        }
        return type.byteSize() * count;
    }

    /// Converts a layout to a struct type. A layout that is not a struct becomes the only member of a struct.
    public static StructType structOf(MemoryLayout layout) {
        if (layout instanceof StructLayout struct) {
            return StructType.of(struct);
        }
        return StructType.wrapperOf(MemoryType.of(layout));
    }

    /// The struct type of a layout, which is converted once.
    public StructType typeOf(MemoryLayout layout) {
        return structs.get(layout, NamedAllocations::structOf);
    }

    /// Allocates memory for a name.
    ///
    /// @param utf8Name the name in UTF-8
    public MemorySegment allocate(String name, byte[] utf8Name, StructType type, long byteSize) {
        // Types stay in memory until the arena is closed. Names stay until they are freed.
        Text typeText = recordedTypes.get(type, recordType);
        NamedAllocation named = new NamedAllocation(typeText.text());
        // Threads that want to open growing memory of this name wait.
        synchronized (named) {
            reserve(name, named);
            try {
                Text nameText = catalog.write(name, utf8Name);
                int line = catalog.reserve();
                MemorySegment segment = memory.allocateNamed(catalog, line, byteSize, type.byteAlignment(), nameText,
                        typeText);
                named.allocated(line, segment);
                return segment;
            } catch (Throwable t) {
                names.remove(name, named);
                throw t;
            }
        }
    }

    /// Opens the growing memory of a name, or reserves addresses for it.
    ///
    /// @param utf8Name         the name in UTF-8
    /// @param maxByteSize      the size up to which new memory can grow
    /// @param leastMaxByteSize the size up to which existing memory must be able to grow
    public GrowableMemory growable(String name, byte[] utf8Name, StructType type, long maxByteSize,
            long leastMaxByteSize) {
        NamedAllocation fresh = new NamedAllocation(typeTexts.get(type, LayoutText::print));
        while (true) {
            // Other threads that open the same name wait until its memory is allocated, or has been refused.
            synchronized (fresh) {
                NamedAllocation named = names.putIfAbsent(name, fresh);
                if (named == null) {
                    return allocateGrowable(name, utf8Name, type, maxByteSize, fresh);
                }
            }
            GrowableMemory found = existingGrowable(name, type, leastMaxByteSize);
            if (found != null) {
                return found;
            }
        }
    }

    private GrowableMemory allocateGrowable(String name, byte[] utf8Name, StructType type, long maxByteSize,
            NamedAllocation named) {
        try {
            Text typeText = recordedTypes.get(type, recordType);
            GrowableMemory growable = growing.allocate(maxByteSize, type.byteAlignment(),
                    catalog.write(name, utf8Name), typeText, type.byteSize());
            named.reserved(growable.line(), growable);
            return growable;
        } catch (Throwable t) {
            names.remove(name, named);
            throw t;
        }
    }

    /// The growing memory of a name, or null if the name is free.
    private @Nullable GrowableMemory existingGrowable(String name, StructType type, long maxByteSize) {
        NamedAllocation named = names.get(name);
        if (named == null) {
            return null;
        }
        synchronized (named) {
            if (!named.isAllocated()) {
                // Its allocation has failed. An Error may have prevented the release of the name.
                names.remove(name, named);
                return null;
            }
            GrowableMemory found = checkedType(name, named, type).growable(type, growing);
            if (found == null) {
                throw new IllegalStateException("Allocation was not made to grow: name=" + name
                        + "; use it with get and resize, or copy its structs to an allocation of another name");
            }
            if (maxByteSize > found.maxByteSize()) {
                throw new IllegalStateException("Allocation cannot grow as far as requested: name=" + name
                        + ", recorded=" + found.maxByteSize() + ", requested=" + maxByteSize
                        + "; request no more than was recorded, or copy its structs to a larger allocation");
            }
            return found;
        }
    }

    /// Restores the size of the growing memory of a name, if there is such memory of a previous owner, and if the
    /// machine has failed.
    public void restoreByteSize(String name, StructType type, GrowableAllocator.StoredByteSize stored) {
        NamedAllocation named = live(name);
        if (named != null) {
            checkedType(name, named, type).restoreByteSize(growing, stored);
        }
    }

    /// Reserves a name before its memory is allocated.
    private void reserve(String name, NamedAllocation named) {
        if (names.putIfAbsent(name, named) != null) {
            throw new IllegalArgumentException("Name is in use: name=" + name
                    + "; pass another name, or find or free the allocation that has it");
        }
    }

    /// Grows an allocation to a number of structs of its type, unless it has as many.
    public MemorySegment resize(String name, long count) {
        NamedAllocation named = existing(name);
        StructType struct = LayoutText.parse(named.type());
        return named.grow(name, struct, byteSize(name, struct, count), memory, growing);
    }

    public Optional<MemorySegment> find(String name) {
        return Optional.ofNullable(live(name)).map(named -> named.segment(memory));
    }

    public Optional<MemorySegment> find(String name, StructType type) {
        return Optional.ofNullable(live(name)).map(named -> checkedType(name, named, type).segment(memory));
    }

    public MemorySegment get(String name) {
        return existing(name).segment(memory);
    }

    public MemorySegment get(String name, StructType type) {
        return checkedType(name, existing(name), type).segment(memory);
    }

    /// The recorded type of an allocation.
    public StructType typeOf(String name) {
        return LayoutText.parse(existing(name).type());
    }

    /// The line of the record of an allocation.
    public int line(String name) {
        return existing(name).line();
    }

    /// The allocation of a name, or null if there is none.
    private @Nullable NamedAllocation live(String name) {
        NamedAllocation named = names.get(name);
        return named != null && named.isAllocated() ? named : null;
    }

    /// The allocation of a name.
    ///
    /// @throws NoSuchElementException if there is none; the message has some of the existing names
    private NamedAllocation existing(String name) {
        NamedAllocation named = live(name);
        if (named == null) {
            throw new NoSuchElementException("No live allocation has the name: name=" + name + ", names="
                    + describeNames() + "; pass one of these, or allocate it first");
        }
        return named;
    }

    /// The first names in alphabetical order, and the number of the others.
    private String describeNames() {
        TreeSet<String> first = new TreeSet<>();
        int count = 0;
        for (Map.Entry<String, NamedAllocation> entry : names.entrySet()) {
            if (entry.getValue().isAllocated()) {
                count++;
                first.add(entry.getKey());
                if (first.size() > LISTED_NAMES) {
                    first.removeLast();
                }
            }
        }
        return first + (count > first.size() ? " and " + (count - first.size()) + " more" : "");
    }

    private NamedAllocation checkedType(String name, NamedAllocation named, StructType type) {
        if (!named.type().equals(typeTexts.get(type, LayoutText::print))) {
            TypeMismatch.check(name, named.type(), type);
        }
        return named;
    }

    public void free(String name) {
        NamedAllocation named = live(name);
        // Of several threads that free the name at the same time, one succeeds.
        if (named == null || !catalog.end(named.line() * CatalogFormat.LINE, false)) {
            throw new IllegalArgumentException("No live allocation has the name: name=" + name);
        }
        names.remove(name, named);
    }

    /// The catalog that records the allocations.
    public CatalogWriter catalog() {
        return catalog;
    }

    /// Records that an allocation is freed, and frees its name.
    ///
    /// @return its record
    /// @throws IllegalArgumentException if no live allocation has exactly this range
    public AllocationIndex.Found free(SegmentLocator.Range range) {
        AllocationIndex.Found found = index.find(range.number(), range.byteOffset(), range.byteSize());
        if (found == null) {
            throw notALiveAllocation(range, "it is a slice, or is not recorded");
        }
        if (!catalog.free(found.at(), found.isSlot())) {
            throw notALiveAllocation(range, "it was freed before");
        }
        if (!found.isSlot()) {
            String name = catalog.nameOf(found.at());
            NamedAllocation named = live(name);
            if (named != null && named.line() == found.at() / CatalogFormat.LINE) {
                names.remove(name, named);
            }
        }
        return found;
    }

    private static IllegalArgumentException notALiveAllocation(SegmentLocator.Range range, String reason) {
        return new IllegalArgumentException("Segment is no live allocation: file=" + range.number() + ", byteOffset="
                + range.byteOffset() + ", byteSize=" + range.byteSize() + ", reason=" + reason);
    }
}
