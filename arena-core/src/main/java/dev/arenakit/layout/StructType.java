package dev.arenakit.layout;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Members one after the other, with holes where their alignment asks for them.
///
/// @param name          the name of the struct, or "" for none
/// @param members       the members by their offsets, none of which overlap
/// @param byteSize      the size in bytes, at least up to the end of the last member
/// @param byteAlignment the alignment in bytes, at least that of every member
public record StructType(String name, List<Member> members, long byteSize, long byteAlignment) implements MemoryType {
    private static final Set<Class<?>> INTEGERS = Set.of(byte.class, short.class, char.class, int.class, long.class);

    /// Checks that the parts go together.
    ///
    /// @throws IllegalArgumentException when members overlap, are out of order or have the same name, when the size or the
    ///                                  alignment is less than the members need, or when no integer or enum among the members has
    ///                                  the name of a union's discriminator
    public StructType {
        Types.checkTypeName(name);
        Types.checkAlignment(byteAlignment);
        members = List.copyOf(members);
        Types.checkMembers("struct", name, members, byteSize, byteAlignment);
        for (int i = 1; i < members.size(); i++) {
            Member before = members.get(i - 1);
            if (members.get(i).byteOffset() < before.limit()) {
                throw new IllegalArgumentException("Members overlap: struct=" + name + ", member=" + before.name()
                        + ", limit=" + before.limit() + ", member=" + members.get(i).name() + ", byteOffset="
                        + members.get(i).byteOffset());
            }
        }
        checkDiscriminators(name, members);
    }

    private static void checkDiscriminators(String name, List<Member> members) {
        Map<String, String> unions = new HashMap<>();
        for (Member member : members) {
            MemoryType type = member.type();
            while (type instanceof ArrayType array) {
                type = array.element();
            }
            if (type instanceof UnionType union) {
                union.discriminator().ifPresent(tells -> unions.put(tells.member(), member.name()));
            }
        }
        members.stream().filter(member -> canTell(member.type())).forEach(member -> unions.remove(member.name()));
        unions.forEach((tells, union) -> {
            throw new IllegalArgumentException(
                    "No integer or enum tells which member of a union is valid: struct=" + name
                            + ", member=" + union + ", discriminator=" + tells + "; add a member of that name");
        });
    }

    private static boolean canTell(MemoryType type) {
        return type instanceof EnumType || (type instanceof ValueType value && INTEGERS.contains(value.carrier()));
    }

    /// The JDK's layout as a type. Its padding becomes holes, and its name the struct's; the structs and unions that it consists of
    /// have no names, since their layouts carry those of the members. The names that jextract gives to anonymous structs and unions,
    /// like `$anon$3:9`, become `anon_3_9`.
    ///
    /// @param layout the layout, whose members have names
    /// @return the struct
    /// @throws IllegalArgumentException when a member that is not padding has no name, or a name is no identifier of C
    public static StructType of(StructLayout layout) {
        return JdkLayouts.struct(layout);
    }

    /// A builder that places members as a C compiler does.
    ///
    /// @param name the name of the struct, or "" for none
    /// @return the builder
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /// The member of that name, or empty.
    ///
    /// @param name the name of a member
    /// @return the member
    public Optional<Member> member(String name) {
        return members.stream().filter(member -> member.name().equals(name)).findFirst();
    }

    @Override
    public StructType withByteAlignment(long byteAlignment) {
        return new StructType(name, Types.atMost(byteAlignment, members), byteSize, byteAlignment);
    }

    @Override
    public StructLayout layout() {
        List<MemoryLayout> layouts = new ArrayList<>();
        long end = 0;
        for (Member member : members) {
            if (end < member.byteOffset()) {
                layouts.add(MemoryLayout.paddingLayout(member.byteOffset() - end));
            }
            layouts.add(member.type().layout().withName(member.name()));
            end = member.limit();
        }
        if (end < byteSize) {
            layouts.add(MemoryLayout.paddingLayout(byteSize - end));
        }
        return MemoryLayout.structLayout(layouts.toArray(MemoryLayout[]::new)).withByteAlignment(byteAlignment);
    }

    /// Places one member after the other: each at the next multiple of its alignment, and the end at a multiple of the
    /// largest.
    public static final class Builder {
        private final String name;
        private final List<Member> members = new ArrayList<>();
        private long end;
        private long smallestAlignment = 1;
        private long largestAlignment = Types.LARGEST_ALIGNMENT;

        private Builder(String name) {
            this.name = name;
        }

        /// Aligns every member that is added from now on to one byte, and so leaves no holes between them; those within a
        /// nested struct stay.
        ///
        /// @return this builder
        public Builder packed() {
            largestAlignment = 1;
            return this;
        }

        /// Aligns the struct to that many bytes at least, a power of two.
        ///
        /// @param byteAlignment the alignment in bytes
        /// @return this builder
        /// @throws IllegalArgumentException when the alignment is not a power of two
        public Builder byteAlignment(long byteAlignment) {
            Types.checkAlignment(byteAlignment);
            smallestAlignment = byteAlignment;
            return this;
        }

        /// Adds a member after those before.
        ///
        /// @param name the name of the member
        /// @param type its type
        /// @return this builder
        /// @throws IllegalArgumentException when its end is beyond [Long#MAX_VALUE]
        public Builder add(String name, MemoryType type) {
            MemoryType placed = Types.atMost(largestAlignment, type);
            long byteOffset = Types.alignUp(end, placed.byteAlignment());
            if (placed.byteSize() > Long.MAX_VALUE - byteOffset) {
                throw new IllegalArgumentException("Struct is too large: struct=" + this.name + ", member=" + name
                        + ", byteOffset=" + byteOffset + ", member.byteSize=" + placed.byteSize());
            }
            Member member = new Member(name, byteOffset, placed);
            members.add(member);
            end = member.limit();
            return this;
        }

        /// The struct.
        ///
        /// @return the struct, with all members added so far
        /// @throws IllegalArgumentException as the constructor of [StructType]
        public StructType build() {
            long byteAlignment = Math.max(smallestAlignment, Types.largestAlignment(members));
            return new StructType(name, members, Types.alignUp(end, byteAlignment), byteAlignment);
        }
    }
}
