package dev.arenakit.layout.type;

import dev.arenakit.internal.CIdentifiers;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A struct: members at increasing offsets, with padding between them where their alignment requires it.
///
/// A [Builder] places members as a C compiler does. [dev.arenakit.layout.RecordMapper] and
/// [dev.arenakit.layout.ViewMapper] derive a struct type from a Java class, and [dev.arenakit.layout.text.LayoutText]
/// parses one from text.
///
/// ```java
/// StructType trade = StructType.builder("Trade")
///         .add("id", ValueType.of(long.class))                          // offset 0
///         .add("quantity", ValueType.of(int.class))                     // offset 8
///         .add("price", ValueType.of(double.class))                     // offset 16, after 4 bytes of padding
///         .add("symbol", StringType.of(8, StandardCharsets.UTF_8))      // offset 24
///         .build();                                                     // 32 bytes
/// LayoutDump.of(trade).append(segment, System.out);
/// ```
///
/// @param name          the name of the struct, or "" for none
/// @param members       the members in the order of their offsets, which do not overlap
/// @param byteSize      the size in bytes, which is at least the end offset of the last member
/// @param byteAlignment the alignment in bytes, at least that of every member
public record StructType(String name, List<Member> members, long byteSize, long byteAlignment) implements MemoryType {
    /// The name of the member of [#wrapperOf].
    private static final String WRAPPED = "value";
    private static final Set<Class<?>> INTEGERS = Set.of(byte.class, short.class, char.class, int.class, long.class);

    /// Creates a struct type.
    ///
    /// @throws IllegalArgumentException if the name is neither empty nor a C identifier, if members overlap, are out of
    ///                                  order or have the same name, if the size or the alignment is less than the
    ///                                  members require, or if the discriminator of a union is no integer or enum among
    ///                                  the members
    public StructType {
        CIdentifiers.checkOptional(name);
        Sizes.checkAlignment(byteAlignment);
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
                union.discriminator()
                        .ifPresent(discriminator -> unions.put(discriminator.member(), member.name()));
            }
        }
        members.stream()
                .filter(member -> canBeDiscriminator(member.type()))
                .forEach(member -> unions.remove(member.name()));
        unions.forEach((discriminator, union) -> {
            throw new IllegalArgumentException(
                    "Discriminator of a union is no integer or enum of the struct: struct=" + name
                            + ", member=" + union + ", discriminator=" + discriminator + "; add a member of that name");
        });
    }

    private static boolean canBeDiscriminator(MemoryType type) {
        return type instanceof EnumType || (type instanceof ValueType value && INTEGERS.contains(value.carrier()));
    }

    /// Converts a layout of the JDK to a struct type. The name of the layout becomes that of the struct, and padding is
    /// omitted. The nested structs and unions have no names, since the names of their layouts are those of the members.
    /// The names that jextract gives to anonymous structs and unions, like `$anon$3:9`, become `anon_3_9`.
    ///
    /// @param layout the layout, whose members have names
    /// @return the struct type
    /// @throws IllegalArgumentException if a member that is not padding has no name, or if a name is not a C identifier
    public static StructType of(StructLayout layout) {
        return JdkLayouts.struct(layout);
    }

    /// Returns a builder that places members as a C compiler does.
    ///
    /// @param name the name of the struct, or "" for none
    /// @return the builder
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /// Wraps a type that is not a struct, so that it can be used where a struct is required: the wrapper has no name,
    /// and one member of the given type, which is named `value`.
    ///
    /// @param type the type to wrap
    /// @return the wrapper, which has the size and the alignment of the type
    public static StructType wrapperOf(MemoryType type) {
        return new StructType("", List.of(new Member(WRAPPED, 0, type)), type.byteSize(), type.byteAlignment());
    }

    /// Returns the type of the primitive value that this struct wraps, if it is a wrapper ([#wrapperOf]).
    ///
    /// @return the type of the value, or empty if this struct is not a wrapper, or wraps a type that is not a primitive
    ///         value
    public Optional<ValueType> wrappedValue() {
        if (!name.isEmpty() || members.size() != 1) {
            return Optional.empty();
        }
        Member only = members.getFirst();
        return only.name().equals(WRAPPED) && only.type() instanceof ValueType value && value.byteSize() == byteSize
                ? Optional.of(value)
                : Optional.empty();
    }

    /// Returns the member with the given name.
    ///
    /// @param name the name of a member
    /// @return the member, or empty if there is none of that name
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

    /// A builder of struct types. It places each member at the next multiple of its alignment, and rounds the size of
    /// the struct up to the largest alignment of a member.
    public static final class Builder {
        private final String name;
        private final List<Member> members = new ArrayList<>();
        private long end;
        private long smallestAlignment = 1;
        private long largestAlignment = Sizes.LARGEST_ALIGNMENT;

        private Builder(String name) {
            this.name = name;
        }

        /// Reduces the alignment of the members that are added from now on to 1, so that there is no padding between
        /// them. Padding within a nested struct remains.
        ///
        /// @return this builder
        public Builder packed() {
            largestAlignment = 1;
            return this;
        }

        /// Sets the smallest alignment of the struct.
        ///
        /// @param byteAlignment the alignment in bytes, a power of two
        /// @return this builder
        /// @throws IllegalArgumentException if the alignment is not a power of two
        public Builder byteAlignment(long byteAlignment) {
            Sizes.checkAlignment(byteAlignment);
            smallestAlignment = byteAlignment;
            return this;
        }

        /// Adds a member after the previous ones.
        ///
        /// @param name the name of the member, a C identifier
        /// @param type the type of the member
        /// @return this builder
        /// @throws IllegalArgumentException if the name is not a C identifier, or if the end of the member is beyond
        ///                                  [Long#MAX_VALUE]
        public Builder add(String name, MemoryType type) {
            MemoryType placed = Types.atMost(largestAlignment, type);
            long byteOffset = Sizes.alignUpExact(end, placed.byteAlignment());
            if (placed.byteSize() > Long.MAX_VALUE - byteOffset) {
                throw new IllegalArgumentException("Struct is too large: struct=" + this.name + ", member=" + name
                        + ", byteOffset=" + byteOffset + ", member.byteSize=" + placed.byteSize());
            }
            Member member = new Member(name, byteOffset, placed);
            members.add(member);
            end = member.limit();
            return this;
        }

        /// Builds the struct type.
        ///
        /// @return the struct type, with all members that have been added
        /// @throws IllegalArgumentException if two members have the same name, or if the discriminator of a union is no
        ///                                  integer or enum among the members
        public StructType build() {
            long byteAlignment = Math.max(smallestAlignment, Types.largestAlignment(members));
            return new StructType(name, members, Sizes.alignUpExact(end, byteAlignment), byteAlignment);
        }
    }
}
