package dev.arenakit.mapped.internal.arena;

import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.file.MappedPages;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.mapped.internal.catalog.AllocationRecords;
import dev.arenakit.mapped.internal.catalog.CatalogEntry.Text;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.catalog.CatalogWriter;
import dev.arenakit.mapped.internal.data.DataFileWriter;
import dev.arenakit.mapped.internal.files.FileIdentity;
import dev.arenakit.mapped.internal.files.FileTrust;
import dev.arenakit.mapped.internal.files.PageSize;
import java.io.IOException;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Allocates, finds, resizes and frees the allocations of an arena by their names. An arena without a catalog has no
/// names: each method checks its arguments, the thread and the arena, and then throws [IllegalStateException].
/// Thread-safe if the arena is shared.
public final class NamedAllocations {
    /// The number of names in a message.
    private static final int LISTED_NAMES = 5;

    /// The type for the arithmetic of sizes of an allocation without a type.
    private static final StructType BYTES = StructType.wrapperOf(ValueType.of(byte.class));

    private final DataFileWriter files;
    private final ChunkAllocator memory;
    private final GrowableAllocator growing;
    private final @Nullable CatalogWriter catalog;
    private final ConcurrentHashMap<String, NamedAllocation> names;
    /// These are cached because converting a layout, and printing a type, takes longer than the rest of an allocation.
    private final IdentityCache<MemoryLayout, StructType> structs = new IdentityCache<>();
    private final IdentityCache<StructType, String> typeTexts = new IdentityCache<>();
    private final IdentityCache<StructType, Text> recordedTypes = new IdentityCache<>();
    private final Function<StructType, Text> recordType;

    /// Makes the named allocations of an arena.
    ///
    /// @param catalog the catalog that records the allocations, or null
    /// @param names   the allocations of previous owners
    public NamedAllocations(DataFileWriter files, ChunkAllocator memory, GrowableAllocator growing,
            @Nullable CatalogWriter catalog, ConcurrentHashMap<String, NamedAllocation> names) {
        this.files = files;
        this.memory = memory;
        this.growing = growing;
        this.catalog = catalog;
        this.names = names;
        names.values()
                .stream()
                .filter(NamedAllocation::isPreviousGrowable)
                .forEach(named -> growing.addPrevious(named.line()));
        recordType = type -> Objects.requireNonNull(catalog).text(typeTexts.get(type, LayoutText::print));
    }

    /// The catalog that records an allocation with a name.
    ///
    /// @throws WrongThreadException  if the arena is confined to another thread
    /// @throws IllegalStateException if the arena is closed, or has no catalog
    public CatalogWriter catalog(String name) {
        memory.checkOpen();
        if (catalog == null) {
            throw withoutCatalog("name=" + name + ", ");
        }
        return catalog;
    }

    private IllegalStateException withoutCatalog(String name) {
        return new IllegalStateException("Arena has no catalog for names: " + name + "base=" + files.base()
                + "; build it with catalog(CatalogLevel.SIZES) or catalog(CatalogLevel.FULL)");
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

    /// Allocates structs for a name.
    public MemorySegment allocate(String name, StructType type, long count) {
        byte[] utf8Name = AllocationName.check(name);
        long byteSize = byteSize(name, type, count);
        memory.checkAlignment(type.byteAlignment());
        CatalogWriter records = catalog(name);
        // Types stay in memory until the arena is closed. Names stay until they are freed.
        return files.allocated(() -> allocate(records, name, utf8Name, recordedTypes.get(type, recordType), byteSize,
                type.byteAlignment()));
    }

    /// Allocates bytes without a type for a name.
    public MemorySegment allocate(String name, long byteSize, long byteAlignment) {
        byte[] utf8Name = AllocationName.check(name);
        Sizes.checkArguments(byteSize, byteAlignment);
        memory.checkAlignment(byteAlignment);
        CatalogWriter records = catalog(name);
        return files.allocated(() -> allocate(records, name, utf8Name, Text.NONE, byteSize, byteAlignment));
    }

    /// @param utf8Name the name in UTF-8
    private MemorySegment allocate(CatalogWriter records, String name, byte[] utf8Name, Text type, long byteSize,
            long byteAlignment) {
        NamedAllocation named = new NamedAllocation(type.text());
        // Threads that want to open the memory of this name wait.
        synchronized (named) {
            if (names.putIfAbsent(name, named) != null) {
                throw new IllegalArgumentException("Name is in use: name=" + name
                        + "; pass another name, or find or free the allocation that has it");
            }
            return allocate(records, named, name, utf8Name, type, byteSize, byteAlignment);
        }
    }

    /// Allocates memory for a name that is reserved.
    private MemorySegment allocate(CatalogWriter records, NamedAllocation named, String name, byte[] utf8Name,
            Text type, long byteSize, long byteAlignment) {
        try {
            Text nameText = records.write(name, utf8Name);
            int line = records.reserve();
            MemorySegment segment = memory.allocateNamed(records, line, byteSize, byteAlignment, nameText, type);
            named.allocated(line, segment);
            return segment;
        } catch (Throwable t) {
            names.remove(name, named);
            throw t;
        }
    }

    /// Opens the structs of a name, or allocates them.
    public MemorySegment getOrAllocate(String name, StructType type, long count) {
        byte[] utf8Name = AllocationName.check(name);
        long byteSize = byteSize(name, type, count);
        memory.checkAlignment(type.byteAlignment());
        CatalogWriter records = catalog(name);
        return files.allocated(() -> getOrAllocate(records, name, utf8Name, type, byteSize));
    }

    private MemorySegment getOrAllocate(CatalogWriter records, String name, byte[] utf8Name, StructType type,
            long byteSize) {
        while (true) {
            MemorySegment found = existingStructs(name, type, byteSize);
            if (found != null) {
                return found;
            }
            Text typeText = recordedTypes.get(type, recordType);
            NamedAllocation fresh = new NamedAllocation(typeText.text());
            // Other threads that open the same name wait until its memory is allocated, or has been refused.
            synchronized (fresh) {
                if (names.putIfAbsent(name, fresh) == null) {
                    return allocate(records, fresh, name, utf8Name, typeText, byteSize, type.byteAlignment());
                }
            }
        }
    }

    /// The structs of a name, or null if the name is free.
    private @Nullable MemorySegment existingStructs(String name, StructType type, long byteSize) {
        NamedAllocation named = allocated(name);
        if (named == null) {
            return null;
        }
        MemorySegment segment = checkedType(name, named, type).segment(memory);
        if (segment.byteSize() != byteSize) {
            throw new IllegalStateException("Allocation has another count: name=" + name + ", recorded="
                    + segment.byteSize() / type.byteSize() + ", requested=" + byteSize / type.byteSize()
                    + "; get returns it, resize grows it in a plain arena, and growable is for structs whose number "
                    + "grows");
        }
        return segment;
    }

    /// The allocation of a name after threads that allocate it have finished, or null if the name is free.
    private @Nullable NamedAllocation allocated(String name) {
        NamedAllocation named = names.get(name);
        if (named == null) {
            return null;
        }
        synchronized (named) {
            if (named.isAllocated()) {
                return named;
            }
            // Its allocation has failed. An Error may have prevented the release of the name.
            names.remove(name, named);
            return null;
        }
    }

    /// Opens the growing memory of a name, or reserves addresses for it.
    ///
    /// @param maxByteSize      the size up to which new memory can grow; if it is more than the least one, existing memory
    ///                         need not grow further
    /// @param leastMaxByteSize the size up to which existing memory must be able to grow, and new memory at least
    public GrowableMemory growable(String name, StructType type, long maxByteSize, long leastMaxByteSize) {
        byte[] utf8Name = AllocationName.check(name);
        GrowableAllocator.checkMaximum(maxByteSize);
        Sizes.checkAlignmentAtMost(PageSize.BYTES, type.byteAlignment(), "memory that grows begins at a page");
        CatalogWriter records = catalog(name);
        return files.allocated(() -> growable(records, name, utf8Name, type, maxByteSize, leastMaxByteSize));
    }

    private GrowableMemory growable(CatalogWriter records, String name, byte[] utf8Name, StructType type,
            long maxByteSize, long leastMaxByteSize) {
        NamedAllocation fresh = new NamedAllocation(typeTexts.get(type, LayoutText::print));
        while (true) {
            // Other threads that open the same name wait until its memory is allocated, or has been refused.
            synchronized (fresh) {
                NamedAllocation named = names.putIfAbsent(name, fresh);
                if (named == null) {
                    return allocateGrowable(records, fresh, name, utf8Name, type, maxByteSize, leastMaxByteSize);
                }
            }
            GrowableMemory found = existingGrowable(name, type,
                    leastMaxByteSize < maxByteSize ? maxByteSize : Long.MAX_VALUE, leastMaxByteSize);
            if (found != null) {
                return found;
            }
        }
    }

    private GrowableMemory allocateGrowable(CatalogWriter records, NamedAllocation named, String name,
            byte[] utf8Name, StructType type, long maxByteSize, long leastMaxByteSize) {
        try {
            Text typeText = recordedTypes.get(type, recordType);
            GrowableMemory growable = growing.allocate(maxByteSize, leastMaxByteSize, type.byteAlignment(),
                    records.write(name, utf8Name), typeText, type.byteSize());
            named.reserved(growable.line(), growable);
            return growable;
        } catch (Throwable t) {
            names.remove(name, named);
            throw t;
        }
    }

    /// The growing memory of a name, or null if the name is free.
    private @Nullable GrowableMemory existingGrowable(String name, StructType type, long most, long maxByteSize) {
        NamedAllocation named = allocated(name);
        if (named == null) {
            return null;
        }
        GrowableMemory found = checkedType(name, named, type).growable(type, growing, most, maxByteSize);
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

    /// Growing memory of a previous owner.
    ///
    /// @param file   the first data file
    /// @param memory the memory, or null if this owner has not opened it
    public record Previous(FileIdentity file, @Nullable GrowableMemory memory) {}

    /// The growing memory of previous owners. Memory whose file is missing or not trusted is left out: opening it reports
    /// that.
    public List<Previous> previousGrowables() throws IOException {
        List<Previous> previous = new ArrayList<>();
        for (NamedAllocation named : names.values()) {
            if (named.isPreviousGrowable()) {
                try {
                    previous.add(
                            new Previous(files.mapped().identityOrTrusted(named.previousFile()), named.openGrowable()));
                } catch (NoSuchFileException | FileTrust.UntrustedException _) {
                    // Opening the memory reports it.
                }
            }
        }
        return previous;
    }

    /// Restores the size of the growing memory of a name, if there is such memory of a previous owner, and if the
    /// machine has failed.
    public void restoreByteSize(String name, StructType type, GrowableAllocator.StoredByteSize stored) {
        catalog(name);
        NamedAllocation named = live(name);
        if (named != null) {
            checkedType(name, named, type).restoreByteSize(growing, stored);
        }
    }

    /// Grows an allocation to a number of structs of its type, or of bytes if it has no type, unless it has as many.
    public MemorySegment resize(String name, long count) {
        return files.allocated(() -> {
            NamedAllocation named = existing(name);
            StructType struct = typeOf(named);
            return named.grow(name, struct, byteSize(name, struct, count), memory, growing);
        });
    }

    public Optional<MemorySegment> find(String name) {
        catalog(name);
        return Optional.ofNullable(live(name)).map(named -> named.segment(memory));
    }

    public Optional<MemorySegment> find(String name, StructType type) {
        catalog(name);
        return Optional.ofNullable(live(name)).map(named -> checkedType(name, named, type).segment(memory));
    }

    public MemorySegment get(String name) {
        return existing(name).segment(memory);
    }

    public MemorySegment get(String name, StructType type) {
        return checkedType(name, existing(name), type).segment(memory);
    }

    /// The recorded type of an allocation. A byte without a name is the type of an allocation without a type.
    public StructType typeOf(String name) {
        return typeOf(existing(name));
    }

    private static StructType typeOf(NamedAllocation named) {
        return named.type().isEmpty() ? BYTES : LayoutText.parse(named.type());
    }

    /// The names of the live allocations in alphabetical order.
    public List<String> names() {
        memory.checkOpen();
        if (catalog == null) {
            throw withoutCatalog("");
        }
        return names.entrySet()
                .stream()
                .filter(entry -> entry.getValue().isAllocated())
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
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
        catalog(name);
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
        CatalogWriter records = catalog(name);
        NamedAllocation named = live(name);
        // Of several threads that free the name at the same time, one succeeds.
        if (named == null || !free(records, name, named)) {
            throw new IllegalArgumentException("No live allocation has the name: name=" + name);
        }
    }

    private boolean free(CatalogWriter records, String name, NamedAllocation named) {
        if (named.isGrowable() && MappedPages.isAvailable()) {
            return named.freeGrowable(files, () -> names.remove(name, named));
        }
        return records.records().end(named.line() * CatalogFormat.LINE, false) && names.remove(name, named);
    }

    /// Frees an allocation, which need not have a name.
    public void free(MemorySegment segment) {
        Objects.requireNonNull(segment, "segment");
        memory.checkOpen();
        MappedPages.require();
        files.free(segment, this::ended);
    }

    private void ended(AllocationRecords.Found freed) {
        if (!freed.isSlot()) {
            String name = Objects.requireNonNull(catalog).records().nameOf(freed.at());
            NamedAllocation named = live(name);
            if (named != null && named.line() == freed.at() / CatalogFormat.LINE) {
                names.remove(name, named);
                GrowableMemory growable = named.openGrowable();
                if (growable != null) {
                    growable.end();
                }
            }
        }
    }
}
