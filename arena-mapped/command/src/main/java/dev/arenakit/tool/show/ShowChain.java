package dev.arenakit.tool.show;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StoredInteger;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.image.AllocationStructs;
import dev.arenakit.tool.image.StructRange;
import dev.arenakit.tool.structs.StructPieces;
import dev.arenakit.tool.structs.StructPrinter;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// Shows a chain: a struct, the struct that a reference in it refers to, and so on. A cycle is shown once.
///
/// @param path  the path of the reference in each struct
/// @param skip  the number of structs at the beginning that are left out
/// @param limit the largest number of structs that are shown
record ShowChain(ArenaImage image, StructPrinter printer, String path, long skip, long limit) {
    /// The structs of an allocation, and a reference in them.
    private record Link(Allocation allocation, StructType type, Member member, RefType reference,
            Optional<Allocation> base, ExtentSource source) {
        /// Reads the reference in a struct.
        long stored(long index) throws IOException {
            long[] stored = new long[1];
            int byteSize = (int) reference.byteSize();
            source.transferTo(new StructPieces(byteSize, 0, true, (_, bytes) -> stored[0] = StoredInteger
                    .ofBits(reference)
                    .get(bytes, 0)), index * type.byteSize() + member.byteOffset(), byteSize);
            return stored[0];
        }
    }

    private record Place(long allocation, long index) {}

    /// Prints the chain that begins at a struct. It ends at the limit, at a reference that points to nothing or is
    /// wrong, or where a cycle closes.
    void print(Allocation first, long firstIndex) throws IOException {
        Map<Place, Long> visited = new HashMap<>();
        Map<Long, Optional<Link>> links = new HashMap<>();
        Optional<Link> at = link(first, _ -> true);
        long index = firstIndex;
        String from = first.label() + "[" + index + "]";
        long printed = -1;
        while (at.isPresent() && visited.size() - skip < limit) {
            Link link = at.get();
            Allocation allocation = link.allocation;
            Long before = visited.put(new Place(allocation.number(), index), (long) visited.size());
            if (before != null) {
                printer.fail(allocation, from + " goes back to [" + index + "]: the chain has a cycle of "
                        + (visited.size() - before) + ", which begins after " + before);
                return;
            }
            boolean exists = index < allocation.byteSize() / link.type.byteSize();
            if (visited.size() > skip || !exists) {
                printer.print(allocation, link.type, new StructRange(index, 1), printed != allocation.number());
                printed = allocation.number();
            }
            long stored = exists ? link.stored(index) : 0;
            if (stored == 0) {
                return;
            }
            from = allocation.label() + "[" + index + "]." + path;
            RefType reference = link.reference;
            long byteSize = link.base.map(Allocation::byteSize).orElse(0L);
            String target = reference.text(stored, true, byteSize);
            if (!target.endsWith("]")) {
                printer.fail(allocation, from + " = -> " + target
                        + (link.base.isPresent() ? "" : ": there is no such allocation"));
                return;
            }
            Allocation base = link.base.orElseThrow();
            at = links.get(base.number());
            if (at == null) {
                at = link(base, struct -> struct.name().equals(reference.target())
                        && struct.byteSize() == reference.targetByteSize());
                links.put(base.number(), at);
            }
            index = reference.byteOffset(stored) / reference.targetByteSize();
        }
    }

    private Optional<Link> link(Allocation allocation, Predicate<StructType> isWanted) throws IOException {
        Optional<StructType> type = printer.type(allocation).filter(isWanted);
        Optional<Member> member = type.flatMap(struct -> struct.nested(path));
        boolean hasEntries = AllocationStructs.hasEntries(image, allocation);
        if (member.isEmpty() || !(member.get().type() instanceof RefType reference) || hasEntries) {
            printer.fail(allocation, hasEntries
                    ? "it has entries, and a chain consists of structs in an array"
                    : "it has no structs of the type with a reference " + path);
            return Optional.empty();
        }
        Optional<Allocation> base = reference.allocation().isPresent()
                ? image.find(reference.allocation().get())
                : Optional.of(allocation);
        return Optional.of(new Link(allocation, type.get(), member.get(), reference, base, image.source(allocation)));
    }
}
