package dev.arenakit.layout.type;

import dev.arenakit.internal.BitPosition;
import dev.arenakit.internal.CIdentifiers;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// A struct: members at increasing offsets, with padding between them where their alignment requires it.
///
/// A [Builder] places members as a C compiler does. [dev.arenakit.layout.RecordMapper] and
/// [dev.arenakit.layout.ViewMapper] derive a struct type from a Java class, and [dev.arenakit.layout.text.LayoutText]
/// parses a struct type from text.
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
/// @param members       the members in the order of their offsets; members do not overlap, except that bit fields may
///                      share bytes, but no bits
/// @param byteSize      the size in bytes, which is at least the end offset of the last member
/// @param byteAlignment the alignment in bytes, at least the alignment of every member
/// @param declared      the type as it is declared, if this type is a copy with another alignment, as a member of a
///                      packed struct is; otherwise empty. Copies are equal if their other components are equal.
public record StructType(String name, List<Member> members, long byteSize, long byteAlignment,
        Optional<StructType> declared)
        implements
            MemoryType {
    /// The name of the member of [#wrapperOf].
    private static final String WRAPPED = "value";

    /// Creates a struct type.
    ///
    /// @throws IllegalArgumentException if the name is neither empty nor a C identifier, if members overlap, are out of
    ///                                  order or have the same name, if the size or the alignment is less than the
    ///                                  members require, if the discriminator of a union is not an integer or enum of
    ///                                  the struct, or if the count of an array is not an integer among the members
    public StructType {
        CIdentifiers.checkOptional(name);
        Objects.requireNonNull(declared, "declared");
        Sizes.checkAlignment(byteAlignment);
        members = List.copyOf(members);
        Types.checkMembers("struct", name, members, byteSize, byteAlignment);
        StructChecks.checkOverlap(name, members);
        StructChecks.checkReferences(name, members);
    }

    /// Creates a struct type that is no copy of another type.
    ///
    /// @param name          the name of the struct, or "" for none
    /// @param members       the members in the order of their offsets
    /// @param byteSize      the size in bytes
    /// @param byteAlignment the alignment in bytes
    /// @throws IllegalArgumentException as by the other constructor
    public StructType(String name, List<Member> members, long byteSize, long byteAlignment) {
        this(name, members, byteSize, byteAlignment, Optional.empty());
    }

    /// Converts a layout of the JDK to a struct type. The name of the layout becomes the name of the struct, and
    /// padding is omitted. The nested structs and unions have no names, since the names of their layouts are the names
    /// of the members. The names that jextract gives to anonymous structs and unions, like `$anon$3:9`, become
    /// `anon_3_9`.
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

    /// Returns the type that this struct wraps, if it is a wrapper ([#wrapperOf]).
    ///
    /// @return the type, or empty if this struct is not a wrapper
    public Optional<MemoryType> wrapped() {
        if (!name.isEmpty() || members.size() != 1) {
            return Optional.empty();
        }
        Member only = members.getFirst();
        return only.name().equals(WRAPPED) && !(only.type() instanceof BitFieldType)
                && only.type().byteSize() == byteSize
                        ? Optional.of(only.type())
                        : Optional.empty();
    }

    /// Returns the type of the primitive value that this struct wraps, if it is a wrapper ([#wrapperOf]).
    ///
    /// @return the type of the value, or empty if this struct is not a wrapper, or wraps a type that is not a primitive
    ///         value
    public Optional<ValueType> wrappedValue() {
        return wrapped().filter(ValueType.class::isInstance).map(ValueType.class::cast);
    }

    /// Returns the member with the given name.
    ///
    /// @param name the name of a member
    /// @return the member, or empty if no member has the name
    public Optional<Member> member(String name) {
        return Types.member(members, name);
    }

    /// Returns a member of this struct or of a nested struct, by a path of names: `header.type`.
    ///
    /// @param path the names of members, with dots between them
    /// @return the member, with its offset in this struct, or empty if there is no such member
    public Optional<Member> nested(String path) {
        return new MemberNames().nested(members, path);
    }

    /// Returns this struct with another byte order of all its values: of members, of nested types, of code units in
    /// UTF-16, and of the targets of addresses. Offsets, sizes and alignments remain. A bit field gets the bits that C
    /// assigns to it in the new byte order. A bit field whose declared type has one byte follows the bit fields of
    /// wider types that share bytes with it; without such bit fields, it remains unchanged.
    ///
    /// @param order the byte order
    /// @return the struct with the byte order
    /// @throws IllegalArgumentException if a bit field with a declared type of one byte would extend over two bytes in
    ///                                  big-endian order
    @Override
    public StructType withOrder(ByteOrder order) {
        // One of both is changed, since nested copies would double the time at each level.
        return declared.filter(type -> type.withByteAlignment(byteAlignment).equals(this))
                .map(type -> type.withOrder(order).withByteAlignment(byteAlignment))
                .orElseGet(() -> new StructType(name, StructByteOrder.withOrder(name, members, order), byteSize,
                        byteAlignment));
    }

    @Override
    public long naturalAlignment() {
        return declared.orElse(this).byteAlignment();
    }

    @Override
    public StructType withByteAlignment(long byteAlignment) {
        return byteAlignment == this.byteAlignment
                ? this
                : new StructType(name, Types.atMost(byteAlignment, members), byteSize, byteAlignment,
                        Optional.of(declared.orElse(this)));
    }

    @Override
    public boolean equals(Object other) {
        return other == this || (other instanceof StructType struct && name.equals(struct.name)
                && byteSize == struct.byteSize && byteAlignment == struct.byteAlignment
                && members.equals(struct.members));
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, members, byteSize, byteAlignment);
    }

    @Override
    public String toString() {
        return "StructType[name=" + name + ", members=" + members + ", byteSize=" + byteSize + ", byteAlignment="
                + byteAlignment + "]";
    }

    /// Converts this type to a layout of the JDK, in which bit fields are padding.
    @Override
    public StructLayout layout() {
        List<MemoryLayout> layouts = new ArrayList<>();
        long end = 0;
        for (Member member : members) {
            if (member.type() instanceof BitFieldType) {
                continue;
            }
            if (end < member.byteOffset()) {
                layouts.add(MemoryLayout.paddingLayout(member.byteOffset() - end));
            }
            layouts.add(member.type().layout().withName(member.name()));
            end = member.limit();
        }
        if (end < byteSize) {
            layouts.add(MemoryLayout.paddingLayout(byteSize - end));
        }
        return MemoryLayout.structLayout(layouts.toArray(new MemoryLayout[0])).withByteAlignment(byteAlignment);
    }

    /// A builder of struct types. It places each member at the next multiple of its alignment, and rounds the size of
    /// the struct up to the largest alignment of a member.
    public static final class Builder {
        private final String name;
        private final List<Member> members = new ArrayList<>();
        private BitPosition end = BitPosition.of(0);
        private boolean packed;
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
            packed = true;
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

        /// Adds a member after the previous members.
        ///
        /// @param name the name of the member, a C identifier
        /// @param type the type of the member
        /// @return this builder
        /// @throws IllegalArgumentException if the name is not a C identifier, or if the end of the member is beyond
        ///                                  [Long#MAX_VALUE]
        public Builder add(String name, MemoryType type) {
            MemoryType placed = Types.atMost(largestAlignment, type);
            long byteOffset = Sizes.alignUpExact(end.limit(), placed.byteAlignment());
            if (placed.byteSize() > Long.MAX_VALUE - byteOffset) {
                throw new IllegalArgumentException("Struct is too large: struct=" + this.name + ", member=" + name
                        + ", byteOffset=" + byteOffset + ", member.byteSize=" + placed.byteSize());
            }
            Member member = new Member(name, byteOffset, placed);
            members.add(member);
            end = BitPosition.of(member.limit());
            return this;
        }

        /// Adds a bit field after the previous members, as gcc places it on x86-64 and aarch64: after the bits of a bit
        /// field before it, at the next unit of its declared type if it would extend over the end of a unit, and
        /// anywhere in a packed struct.
        ///
        /// @param name     the name of the member, a C identifier
        /// @param declared the declared type, as in [BitFieldType], whose byte order is the order of the bits
        /// @param bitSize  the number of bits
        /// @return this builder
        /// @throws IllegalArgumentException if the name is not a C identifier, or if there is no such [BitFieldType]
        public Builder addBits(String name, MemoryType declared, int bitSize) {
            return addBits(name, declared, bitSize, BitFieldType.orderOf(declared));
        }

        /// Adds a bit field after the previous members, as [#addBits(String, MemoryType, int)] does. The order matters
        /// if the declared type has one byte: such a type has no byte order, but in a big-endian struct its first bit
        /// field is in the most significant bits.
        ///
        /// A bit field begins at the next byte if the previous bit field has another order.
        ///
        /// @param name     the name of the member, a C identifier
        /// @param declared the declared type, as in [BitFieldType]
        /// @param bitSize  the number of bits
        /// @param order    the order of the bits; if the declared type has several bytes, this is its byte order
        /// @return this builder
        /// @throws IllegalArgumentException if the name is not a C identifier, if there is no such [BitFieldType], or
        ///                                  if the order is not the order of the declared type
        public Builder addBits(String name, MemoryType declared, int bitSize, ByteOrder order) {
            BitFieldType unplaced = new BitFieldType(Types.atMost(largestAlignment, declared), 0, bitSize);
            if (declared.byteSize() > 1 && unplaced.order() != order) {
                throw new IllegalArgumentException("Order of bits is not that of the declared type: member=" + name
                        + ", order=" + order + ", declared=" + declared);
            }
            BitPosition start = end.next(bitSize, declared.byteSize(), unplaced.declared().byteAlignment(), packed,
                    order == ByteOrder.BIG_ENDIAN);
            int bitOffset = start.typeBitOffset(bitSize, declared.byteSize());
            if (bitOffset < 0) {
                throw new IllegalArgumentException("Bit field of one byte crosses a byte in big-endian order: member="
                        + name + ", bitSize=" + bitSize + "; declare it with a type of two bytes");
            }
            members.add(
                    new Member(name, start.byteOffset(), new BitFieldType(unplaced.declared(), bitOffset, bitSize)));
            end = start.plus(bitSize);
            return this;
        }

        /// Builds the struct type.
        ///
        /// @return the struct type, with all members that have been added
        /// @throws IllegalArgumentException if two members have the same name, or if the discriminator of a union is
        ///                                  not an integer or enum among the members
        public StructType build() {
            long byteAlignment = Math.max(smallestAlignment, Types.largestAlignment(members));
            return new StructType(name, members, Sizes.alignUpExact(end.limit(), byteAlignment), byteAlignment);
        }
    }
}
