package dev.arenakit.layout.type;

import dev.arenakit.internal.CIdentifiers;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.UnionLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;

/// A union: members that share the same memory. One member is valid at a time.
///
/// @param name          the name of the union, or "" for none
/// @param members       the members, all of them at offset 0
/// @param byteSize      the size in bytes, at least the size of every member
/// @param byteAlignment the alignment in bytes, at least the alignment of every member
/// @param discriminator the discriminator, which identifies the valid member, or empty if the valid member is unknown
/// @param declared      the type as it is declared, if this type is a copy with another alignment, as a member of a
///                      packed struct is; otherwise empty. Copies are equal if their other components are equal.
public record UnionType(String name, List<Member> members, long byteSize, long byteAlignment,
        Optional<Discriminator> discriminator, Optional<UnionType> declared)
        implements
            MemoryType {

    /// The discriminator of a union: a member of the enclosing struct whose value identifies the valid member of the
    /// union.
    ///
    /// @param member    the name of the member of the enclosing struct, which is an integer or an enum, or a path of
    ///                  names to a member of a nested struct, as in `header.type`
    /// @param values    the values for each member of the union except `otherwise`, in the order of the members; a
    ///                  member has at least one value, and its values are in ascending order
    /// @param otherwise the name of the last member of the union, which is valid for all other values; or empty if no
    ///                  member is valid for other values
    public record Discriminator(String member, List<List<Long>> values, Optional<String> otherwise) {
        /// Creates a discriminator.
        ///
        /// @throws IllegalArgumentException if a name is not a C identifier, if two values are the same, or if a member
        ///                                  has no value
        public Discriminator {
            for (String name : member.split("\\.", -1)) {
                CIdentifiers.check(name);
            }
            otherwise.ifPresent(CIdentifiers::check);
            values = values.stream().map(ofMember -> ofMember.stream().sorted().toList()).toList();
            List<Long> all = values.stream().flatMap(List::stream).toList();
            if (all.stream().distinct().count() < all.size()) {
                throw new IllegalArgumentException(
                        "Two values of a discriminator are the same: discriminator=" + member + ", values=" + values);
            }
            if (values.contains(List.<Long>of())) {
                throw new IllegalArgumentException("Member of a union has no value of the discriminator: discriminator="
                        + member + ", values=" + values);
            }
        }

        /// Creates a discriminator that has one value for each member.
        ///
        /// @param member the name of the member of the enclosing struct, or a path of names
        /// @param values the value for each member of the union
        /// @throws IllegalArgumentException as by the other constructor
        public Discriminator(String member, List<Long> values) {
            this(member, values.stream().map(List::of).toList(), Optional.empty());
        }

        /// Returns the index of the member that is valid for a value.
        ///
        /// @param value the value of the discriminator
        /// @return the index, or -1 if no member is valid
        public int validMember(long value) {
            for (int i = 0; i < values.size(); i++) {
                if (values.get(i).contains(value)) {
                    return i;
                }
            }
            return otherwise.isPresent() ? values.size() : -1;
        }
    }

    /// Creates a union type.
    ///
    /// @throws IllegalArgumentException if the name is neither empty nor a C identifier, if a member is not at offset
    ///                                  0, if two members have the same name, if a member has a larger size or
    ///                                  alignment than the union, if the discriminator does not have values for each
    ///                                  member, or if its `otherwise` is not the last member
    public UnionType {
        CIdentifiers.checkOptional(name);
        Objects.requireNonNull(discriminator, "discriminator");
        Objects.requireNonNull(declared, "declared");
        Sizes.checkAlignment(byteAlignment);
        members = List.copyOf(members);
        Types.checkMembers("union", name, members, byteSize, byteAlignment);
        for (Member member : members) {
            if (member.byteOffset() != 0) {
                throw new IllegalArgumentException("Member of a union is not at offset 0: union=" + name + ", member="
                        + member.name() + ", byteOffset=" + member.byteOffset());
            }
        }
        if (discriminator.isPresent()) {
            check(discriminator.get(), name, members);
        }
    }

    /// Creates a union type that is no copy of another type.
    ///
    /// @param name          the name of the union, or "" for none
    /// @param members       the members
    /// @param byteSize      the size in bytes
    /// @param byteAlignment the alignment in bytes
    /// @param discriminator the discriminator, or empty if the valid member is unknown
    /// @throws IllegalArgumentException as by the other constructor
    public UnionType(String name, List<Member> members, long byteSize, long byteAlignment,
            Optional<Discriminator> discriminator) {
        this(name, members, byteSize, byteAlignment, discriminator, Optional.empty());
    }

    private static void check(Discriminator discriminator, String name, List<Member> members) {
        Optional<String> otherwise = discriminator.otherwise();
        if (otherwise.isPresent() && (members.isEmpty() || !members.getLast().name().equals(otherwise.get()))) {
            throw new IllegalArgumentException("Member for all other values is not the last member of the union: union="
                    + name + ", otherwise=" + otherwise.get());
        }
        int cases = members.size() - (otherwise.isPresent() ? 1 : 0);
        if (discriminator.values().size() != cases) {
            throw new IllegalArgumentException("Discriminator needs values for each member: union=" + name
                    + ", members=" + cases + ", values=" + discriminator.values().size());
        }
    }

    /// Returns a union type with the size and the alignment that C gives it: the size of the largest member, rounded up
    /// to the largest alignment of a member.
    ///
    /// @param name          the name, or "" for none
    /// @param types         the types of the members by their names, in order
    /// @param discriminator the discriminator, or empty if the valid member is unknown
    /// @return the union type
    /// @throws IllegalArgumentException if a name is not a C identifier, or if the discriminator does not have values
    ///                                  for each member
    public static UnionType of(String name, SequencedMap<String, ? extends MemoryType> types,
            Optional<Discriminator> discriminator) {
        List<Member> members = new ArrayList<>();
        types.forEach((member, type) -> members.add(new Member(member, 0, type)));
        long byteAlignment = Types.largestAlignment(members);
        long byteSize = Sizes.alignUpExact(members.stream().mapToLong(Member::limit).max().orElse(0), byteAlignment);
        return new UnionType(name, members, byteSize, byteAlignment, discriminator);
    }

    @Override
    public long naturalAlignment() {
        return declared.orElse(this).byteAlignment();
    }

    @Override
    public UnionType withByteAlignment(long byteAlignment) {
        return byteAlignment == this.byteAlignment
                ? this
                : new UnionType(name, Types.atMost(byteAlignment, members), byteSize, byteAlignment, discriminator,
                        Optional.of(declared.orElse(this)));
    }

    @Override
    public UnionType withOrder(ByteOrder order) {
        return declared.filter(type -> type.withByteAlignment(byteAlignment).equals(this))
                .map(type -> type.withOrder(order).withByteAlignment(byteAlignment))
                .orElseGet(() -> new UnionType(name, Types.withOrder(members, order), byteSize, byteAlignment,
                        discriminator));
    }

    @Override
    public boolean equals(Object other) {
        return other == this || (other instanceof UnionType union && name.equals(union.name)
                && byteSize == union.byteSize && byteAlignment == union.byteAlignment
                && members.equals(union.members) && discriminator.equals(union.discriminator));
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, members, byteSize, byteAlignment, discriminator);
    }

    @Override
    public String toString() {
        return "UnionType[name=" + name + ", members=" + members + ", byteSize=" + byteSize + ", byteAlignment="
                + byteAlignment + ", discriminator=" + discriminator + "]";
    }

    @Override
    public UnionLayout layout() {
        List<MemoryLayout> layouts = new ArrayList<>();
        members.stream()
                .filter(member -> !(member.type() instanceof BitFieldType))
                .forEach(member -> layouts.add(member.type().layout().withName(member.name())));
        if (byteSize > 0 && layouts.stream().allMatch(layout -> layout.byteSize() < byteSize)) {
            layouts.add(MemoryLayout.paddingLayout(byteSize));
        }
        return MemoryLayout.unionLayout(layouts.toArray(MemoryLayout[]::new)).withByteAlignment(byteAlignment);
    }
}
