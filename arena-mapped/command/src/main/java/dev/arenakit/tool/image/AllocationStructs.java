package dev.arenakit.tool.image;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.dump.LayoutDump;
import dev.arenakit.layout.text.LayoutParseException;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageEntries;
import dev.arenakit.mapped.StructureState;
import dev.arenakit.tool.console.Counts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/// The structs of an allocation: the entries of a structure such as a map, or else what is in the bytes of the allocation
/// one after another.
///
/// @param count   the number of structs; the last one may be incomplete
/// @param entries the entries if the allocation is a structure
/// @param bases   the sizes of the memory that references point into ([LayoutDump#withBases])
public record AllocationStructs(Allocation allocation, StructType type, long count, Optional<ImageEntries> entries,
        ToLongFunction<String> bases) {
    private static final String LOST = "it was open when the machine failed, or the image was moved without arena copy,"
            + " and entries may be missing: repair it with arena repair";

    /// The structs in the bytes of an allocation.
    public static AllocationStructs inBytes(ArenaImage image, Allocation allocation, StructType type) {
        return new AllocationStructs(allocation, type,
                type.byteSize() == 0 ? 1 : Math.ceilDiv(allocation.byteSize(), type.byteSize()), Optional.empty(),
                bases(image, allocation));
    }

    private static ToLongFunction<String> bases(ArenaImage image, Allocation allocation) {
        return name -> {
            try {
                return name.isEmpty() ? allocation.byteSize() : image.find(name).map(Allocation::byteSize).orElse(0L);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    /// The structs of an allocation by its recorded type.
    ///
    /// @throws IOException if the allocation is a structure that cannot be read
    public static AllocationStructs recorded(ArenaImage image, Allocation allocation, StructType type)
            throws IOException {
        Optional<ImageEntries> entries = image.entries(allocation);
        return entries.isPresent()
                ? new AllocationStructs(allocation, type, entries.get().count(), entries, bases(image, allocation))
                : inBytes(image, allocation, type);
    }

    /// The bytes of the structs, as long as the image is open.
    public ExtentSource source(ArenaImage image) throws IOException {
        return entries.isPresent() ? entries.get().source() : image.source(allocation);
    }

    /// Whether an allocation is a structure by its recorded type.
    public static boolean hasEntries(ArenaImage image, Allocation allocation) {
        try {
            return image.entries(allocation).isPresent();
        } catch (LayoutParseException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /// The name of the type and the number of structs: `Trade[1000]`, or `ImageLongMap[12 entries]`.
    public String name() {
        return entries.isPresent() ? TypeNames.ofEntries(entries.get().kind(), count) : TypeNames.of(type, allocation);
    }

    /// The word for a number of structs: `1 struct`, or `12 entries`.
    public String counted(long number) {
        return entries.isPresent() ? TypeNames.entries(number) : Counts.of(number, "struct");
    }

    /// The word for structs: `structs`, or `entries`.
    public String plural() {
        return entries.isPresent() ? "entries" : "structs";
    }

    /// Whether a struct whose bytes are zero counts as any other. Otherwise, it may never have been stored.
    public boolean hasZeros() {
        return entries.isPresent();
    }

    /// A dump of structs. Consecutive structs of zeros are one line if they may never have been stored.
    public LayoutDump dump(StructRange range) {
        LayoutDump dump = LayoutDump.of(type).withFirst(range.first()).withCount(range.count()).withBases(bases);
        return hasZeros() ? dump : dump.withZeroRuns();
    }

    /// Limits a range to these structs.
    public StructRange within(StructRange range) {
        if (range.equals(StructRange.ALL) && entries.isEmpty()) {
            OptionalLong elements = TypeNames.elements(type, allocation);
            if (elements.isPresent()) {
                return new StructRange(0, elements.getAsLong());
            }
        }
        return new StructRange(range.first(), Math.min(range.count(), Math.max(0, count - range.first())));
    }

    /// A message for use after the label of the allocation if there is no struct in a range.
    public Optional<String> missing(StructRange range) {
        return range.equals(StructRange.ALL) || within(range).count() > 0
                ? Optional.empty()
                : Optional.of("there is no [" + range.first() + "]: it has "
                        + counted(entries.isPresent() ? count : TypeNames.count(type, allocation)));
    }

    /// A message for use after the label of the allocation if structs may be missing.
    public Optional<String> loss() {
        if (entries.isEmpty() && TypeNames.hasUnforced(allocation)
                && TypeNames.elements(type, allocation).isPresent()) {
            return Optional.of("structs were not forced before the machine failed, or the image was moved without arena"
                    + " copy, and they may be incomplete: stored=" + allocation.storedCount().getAsLong() + ", forced="
                    + allocation.elementCount().orElse(0));
        }
        return entries.filter(found -> found.state() == StructureState.LOST).map(_ -> LOST);
    }
}
