package dev.arenakit.internal.layout.header;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Gives addresses their targets: the structs and unions of a header by name, whose own addresses have no targets.
///
/// @param tags  structs and unions by their names in C
/// @param flat  resolves the targets, or is empty if addresses have none
/// @param known the results
record HeaderTargets(Map<String, HeaderType> tags, Optional<HeaderTargets> flat, Map<MemoryType, MemoryType> known) {
    HeaderTargets(Map<String, HeaderType> tags) {
        this(tags, Optional.of(new HeaderTargets(tags, Optional.empty(), new IdentityHashMap<>())),
                new IdentityHashMap<>());
    }

    /// Returns a type with the targets of its addresses.
    MemoryType resolve(MemoryType type) {
        MemoryType found = known.get(type);
        if (found == null) {
            found = switch (type) {
                case AddressType address ->
                    new AddressType(flat.flatMap(targets -> address.target().flatMap(targets::target)),
                            address.order(), address.byteAlignment());
                case ArrayType array -> new ArrayType(resolve(array.element()), array.length(), array.byteAlignment());
                case StructType struct -> members(type, struct.declared());
                case UnionType union -> members(type, union.declared());
                default -> type;
            };
            known.put(type, found);
        }
        return found;
    }

    private MemoryType members(MemoryType type, Optional<? extends MemoryType> declared) {
        if (declared.isPresent()) {
            return resolve(declared.get()).withByteAlignment(type.byteAlignment());
        }
        List<Member> members = new ArrayList<>();
        type.members()
                .forEach(member -> members.add(new Member(member.name(), member.byteOffset(), resolve(member.type()))));
        return HeaderType.group(type instanceof UnionType, type.name(), members, type.byteSize(),
                type.byteAlignment());
    }

    private Optional<MemoryType> target(MemoryType placeholder) {
        HeaderType tag = tags.get(HeaderType.key(placeholder));
        return tag == null ? Optional.empty() : tag.type().map(this::resolve);
    }
}
