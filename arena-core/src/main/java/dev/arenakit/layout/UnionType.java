package dev.arenakit.layout;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.UnionLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;

/// Members that stand in the same place, of which one is valid.
///
/// @param name          the name of the union, or "" for none
/// @param members       the members, all of them at offset 0
/// @param byteSize      the size in bytes, at least that of every member
/// @param byteAlignment the alignment in bytes, at least that of every member
/// @param discriminator what tells which member is valid, or empty where that is not known
public record UnionType(String name, List<Member> members, long byteSize, long byteAlignment,
        Optional<Discriminator> discriminator)
        implements
            MemoryType {

    /// What tells which member of a union is valid: another member of the struct that the union stands in.
    ///
    /// @param member the name of that member, an integer or an enum
    /// @param values for each member of the union, in their order, what stands there while it is valid
    public record Discriminator(String member, List<Long> values) {
        /// Checks that the parts go together.
        ///
        /// @throws IllegalArgumentException when two values are the same
        public Discriminator {
            Types.checkName(member);
            values = List.copyOf(values);
            if (values.stream().distinct().count() < values.size()) {
                throw new IllegalArgumentException(
                        "Value appears twice: discriminator=" + member + ", values=" + values);
            }
        }
    }

    /// Checks that the parts go together.
    ///
    /// @throws IllegalArgumentException when a member is not at offset 0 or has the name of another, a size or an alignment
    ///                                  is larger than the union's, or the discriminator has another number of values
    public UnionType {
        Types.checkTypeName(name);
        Objects.requireNonNull(discriminator, "discriminator");
        Types.checkAlignment(byteAlignment);
        members = List.copyOf(members);
        Types.checkMembers("union", name, members, byteSize, byteAlignment);
        for (Member member : members) {
            if (member.byteOffset() != 0) {
                throw new IllegalArgumentException("Member of a union has an offset: union=" + name + ", member="
                        + member.name() + ", byteOffset=" + member.byteOffset());
            }
        }
        if (discriminator.isPresent() && discriminator.get().values().size() != members.size()) {
            throw new IllegalArgumentException("Discriminator needs one value for each member: union=" + name
                    + ", members=" + members.size() + ", values=" + discriminator.get().values().size());
        }
    }

    /// A union as C makes it: as large as its largest member, rounded up to the largest alignment.
    ///
    /// @param name          the name, or "" for none
    /// @param types         the types of the members by their names, in order
    /// @param discriminator what tells which member is valid, or empty
    /// @return the union
    public static UnionType of(String name, SequencedMap<String, ? extends MemoryType> types,
            Optional<Discriminator> discriminator) {
        List<Member> members = new ArrayList<>();
        types.forEach((member, type) -> members.add(new Member(member, 0, type)));
        long byteAlignment = Types.largestAlignment(members);
        long byteSize = Types.alignUp(members.stream().mapToLong(Member::limit).max().orElse(0), byteAlignment);
        return new UnionType(name, members, byteSize, byteAlignment, discriminator);
    }

    @Override
    public UnionType withByteAlignment(long byteAlignment) {
        return new UnionType(name, Types.atMost(byteAlignment, members), byteSize, byteAlignment, discriminator);
    }

    @Override
    public UnionLayout layout() {
        List<MemoryLayout> layouts = new ArrayList<>();
        members.forEach(member -> layouts.add(member.type().layout().withName(member.name())));
        if (byteSize > 0 && members.stream().allMatch(member -> member.limit() < byteSize)) {
            layouts.add(MemoryLayout.paddingLayout(byteSize));
        }
        return MemoryLayout.unionLayout(layouts.toArray(MemoryLayout[]::new)).withByteAlignment(byteAlignment);
    }
}
