package dev.arenakit.internal.layout.header;

import dev.arenakit.internal.BitPosition;
import dev.arenakit.internal.Sizes;
import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/// A type of C on x86-64, which need not have a size.
///
/// @param type  the type in memory, or empty for `void`, functions, and structs that are not defined
/// @param name  the name of a type without a size
/// @param parts the number of types that the type consists of
/// @param depth the depth of their nesting
record HeaderType(Optional<MemoryType> type, String name, long parts, int depth) {
    static final HeaderType VOID = new HeaderType("void");
    static final HeaderType FUNCTION = new HeaderType("a function");
    /// A plain `char`, whose arrays are text.
    static final HeaderType CHAR = new HeaderType(ValueType.of(byte.class));
    private static final List<Class<?>> CARRIERS = List.of(byte.class, short.class, int.class, long.class);

    /// The largest nesting, which leaves as many levels of a text for the target of an address.
    private static final int MAX_DEPTH = 30;
    /// More types than a struct of any program has.
    private static final long MAX_PARTS = 1 << 14;

    /// The bound excludes overflow in sums of sizes.
    private static final long MAX_BYTE_SIZE = 1L << 40;

    /// The attributes that change the layout of a type or of a member.
    ///
    /// @param byteAlignment the alignment of a member in bytes: the largest one; or 0
    /// @param lastAlignment the alignment of a type in bytes: the last one; or 0
    /// @param packed        whether the alignment is 1 unless it is given
    /// @param modeByteSize  the size of an integer in bytes, or 0
    record Attributes(long byteAlignment, long lastAlignment, boolean packed, int modeByteSize) {
        static final Attributes NONE = new Attributes(0, 0, false, 0);

        Attributes plus(long alignment, boolean isPacked, int mode) {
            return new Attributes(Math.max(byteAlignment, alignment), alignment > 0 ? alignment : lastAlignment,
                    packed || isPacked, Math.max(modeByteSize, mode));
        }
    }

    HeaderType {
        if (parts > MAX_PARTS || depth > MAX_DEPTH || (type.isPresent() && type.get().byteSize() > MAX_BYTE_SIZE)) {
            throw new IllegalArgumentException("more than " + MAX_DEPTH + " levels of nested types, " + MAX_PARTS
                    + " types, or " + MAX_BYTE_SIZE + " bytes");
        }
    }

    /// A type without a size.
    HeaderType(String name) {
        this(Optional.empty(), name, 1, 1);
    }

    HeaderType(MemoryType type) {
        this(Optional.of(type), "", 1, 1);
    }

    /// An integer of 1, 2, 4 or 8 bytes.
    static HeaderType ofInteger(int byteSize, boolean unsigned) {
        return new HeaderType(unsigned
                ? UnsignedType.of(byteSize)
                : ValueType.of(CARRIERS.get(Integer.numberOfTrailingZeros(byteSize))));
    }

    /// A type that Java lacks.
    static HeaderType ofBytes(int byteSize, int byteAlignment) {
        return new HeaderType(new ArrayType(ValueType.of(byte.class), byteSize, byteAlignment));
    }

    static boolean isGroup(MemoryType type) {
        return type instanceof StructType || type instanceof UnionType;
    }

    /// The name in C of a struct, union or enum: `struct stat`.
    static String key(MemoryType type) {
        return (type instanceof UnionType ? "union " : type instanceof EnumType ? "enum " : "struct ") + type.name();
    }

    /// The type in memory.
    ///
    /// @throws IllegalArgumentException if the type has no size
    MemoryType memory() {
        return type.orElseThrow(() -> new IllegalArgumentException(name + " has no size"));
    }

    /// Returns the type with an alignment, unless it is 0.
    ///
    /// @param copies receives the number of types that are copied
    HeaderType aligned(long byteAlignment, LongConsumer copies) {
        if (byteAlignment == 0 || byteAlignment == memory().byteAlignment()) {
            return this;
        }
        copies.accept(parts);
        return new HeaderType(Optional.of(memory().withByteAlignment(byteAlignment)), name, parts, depth);
    }

    /// Returns the pointer to this type, whose target is a struct or union without targets of its own.
    ///
    /// @param targets the targets by their names in C
    HeaderType pointer(Map<String, HeaderType> targets) {
        return new HeaderType(AddressType.of(Optional.ofNullable(targets.get(type.map(HeaderType::key).orElse(name)))
                .flatMap(HeaderType::type)
                .filter(target -> !(target instanceof EnumType))));
    }

    /// Returns the array of elements of this type. Characters are text, unless the array is flexible. The alignment of
    /// the elements, if it is larger than C requires, becomes the alignment of the array.
    ///
    /// @param copies receives the number of types that are copied
    @SuppressWarnings("ReferenceEquality") // A signed char is equal to a plain one.
    HeaderType array(long length, LongConsumer copies) {
        MemoryType element = memory();
        if (this == CHAR && length > 0) {
            return new HeaderType(StringType.of(length, StandardCharsets.UTF_8));
        }
        long byteAlignment = element.byteAlignment();
        MemoryType placed = aligned(Math.min(byteAlignment, element.naturalAlignment()), copies).memory();
        if (element.byteSize() % byteAlignment != 0) {
            throw new IllegalArgumentException("size of an element is no multiple of its alignment");
        }
        return new HeaderType(Optional.of(new ArrayType(placed, length, byteAlignment)), name, parts + 1, depth + 1);
    }

    /// Places the members of a struct or union as gcc does on x86-64.
    static final class Builder {
        private static final boolean BIG = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;

        private final boolean union;
        private final Attributes attributes;
        /// The limit of alignments by `#pragma pack`, or 0.
        private final int pack;
        private final LongConsumer copies;
        private final List<Member> members = new ArrayList<>();
        private BitPosition end = BitPosition.of(0);
        private long limit;
        private long largest;
        private long parts = 1;
        private int depth;

        /// @param copies receives the number of types that are copied
        Builder(boolean union, Attributes attributes, int pack, LongConsumer copies) {
            this.union = union;
            this.attributes = attributes;
            this.pack = pack;
            this.copies = copies;
            largest = Math.max(1, attributes.lastAlignment());
        }

        /// Adds a member.
        ///
        /// @param name    the name, or "" for a bit field without a name
        /// @param bitSize the number of bits of a bit field, or -1
        void add(String name, HeaderType type, long bitSize, Attributes own) {
            MemoryType declared = type.memory();
            boolean packed = attributes.packed() || own.packed();
            // In gcc, #pragma pack takes away that the attribute reduces the alignment of bit fields.
            boolean reduced = packed && (bitSize < 0 || pack == 0);
            long byteAlignment = Math.max(own.byteAlignment(), reduced ? 1 : declared.byteAlignment());
            byteAlignment = pack > 0 ? Math.min(byteAlignment, pack) : byteAlignment;
            MemoryType placed = declared;
            BitPosition start = BitPosition.of(Sizes.alignUpExact(end.limit(), byteAlignment));
            if (bitSize < 0) {
                placed = type.aligned(byteAlignment, copies).memory();
                end = BitPosition.of(new Member(name, start.byteOffset(), placed).limit());
            } else {
                int bits = (int) bitSize;
                if (declared.integer().isEmpty() || bitSize > Byte.SIZE * declared.byteSize()
                        || (bits == 0 && !name.isEmpty()) || byteAlignment > declared.byteAlignment()
                        // gcc may align a field of 16, 32 or 64 bits more than its type.
                        || (!packed && Integer.bitCount(bits) == 1
                                && bits > Byte.SIZE * declared.byteAlignment())) {
                    throw new IllegalArgumentException("bit field of this type, size or alignment");
                }
                start = bits > 0
                        ? end.next(bits, declared.byteSize(), byteAlignment, packed || pack > 0, BIG)
                        : BitPosition.of(Sizes.alignUpExact(end.limit(), declared.byteAlignment()));
                end = start.plus(bits);
                placed = name.isEmpty()
                        ? declared
                        : new BitFieldType(integer(declared).withByteAlignment(byteAlignment),
                                start.typeBitOffset(bits, declared.byteSize()), bits);
            }
            if (!name.isEmpty()) {
                // A struct or union without members gives a name to nothing.
                if (!isGroup(declared) || !declared.members().isEmpty()) {
                    members.add(new Member(name, start.byteOffset(), placed));
                }
                largest = Math.max(largest, byteAlignment);
                parts += type.parts();
                depth = Math.max(depth, type.depth());
            }
            limit = Math.max(limit, end.limit());
            end = union ? BitPosition.of(0) : end;
        }

        /// Not all constants of an enum need fit. The enum is unsigned in gcc if no constant is negative.
        private static MemoryType integer(MemoryType declared) {
            return declared instanceof EnumType type
                    ? ofInteger((int) type.byteSize(), type.constants()
                            .stream()
                            .allMatch(constant -> constant.value() >= 0)).memory()
                    : declared;
        }

        /// Returns the struct or union.
        HeaderType build(String tag) {
            long byteSize = Sizes.alignUpExact(limit, largest);
            MemoryType type = union
                    ? new UnionType(tag, members, byteSize, largest, Optional.empty())
                    : new StructType(tag, members, byteSize, largest);
            return new HeaderType(Optional.of(type), "", parts, depth + 1);
        }
    }
}
