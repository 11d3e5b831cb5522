package dev.arenakit.internal.layout.header;

import dev.arenakit.internal.BitPosition;
import dev.arenakit.internal.Sizes;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/// Places the members of a struct or union as gcc does on x86-64.
final class HeaderMembers {
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

    /// @param copies receives the number of types that are copied
    HeaderMembers(boolean union, Attributes attributes, int pack, LongConsumer copies) {
        this.union = union;
        this.attributes = attributes;
        this.pack = pack;
        this.copies = copies;
        largest = Math.max(1, attributes.lastAlignment);
    }

    /// Adds a member.
    ///
    /// @param name    the name, or "" for a bit field without a name
    /// @param bitSize the number of bits of a bit field, or -1
    void add(String name, HeaderType type, long bitSize, Attributes own) {
        MemoryType declared = type.memory();
        boolean packed = attributes.packed || own.packed;
        // In gcc, #pragma pack takes away that the attribute reduces the alignment of bit fields.
        boolean reduced = packed && (bitSize < 0 || pack == 0);
        long byteAlignment = Math.max(own.byteAlignment, reduced ? 1 : declared.byteAlignment());
        byteAlignment = pack > 0 ? Math.min(byteAlignment, pack) : byteAlignment;
        MemoryType placed = declared;
        BitPosition start = BitPosition.of(Sizes.alignUpExact(end.limit(), byteAlignment));
        if (bitSize < 0) {
            placed = type.aligned(byteAlignment, copies);
            end = BitPosition.of(new Member(name, start.byteOffset(), placed).limit());
        } else {
            int bits = bitSize(name, declared, bitSize, byteAlignment, packed);
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
            if (!HeaderType.isGroup(declared) || !declared.members().isEmpty()) {
                members.add(new Member(name, start.byteOffset(), placed));
            }
            largest = Math.max(largest, byteAlignment);
            parts += type.parts();
            depth = Math.max(depth, type.depth());
        }
        limit = Math.max(limit, end.limit());
        end = union ? BitPosition.of(0) : end;
    }

    private static int bitSize(String name, MemoryType declared, long bitSize, long byteAlignment, boolean packed) {
        if (declared.integer().isEmpty() || bitSize > Byte.SIZE * declared.byteSize()
                || (bitSize == 0 && !name.isEmpty()) || byteAlignment > declared.byteAlignment()
                // gcc may align a field of 16, 32 or 64 bits more than its type.
                || (!packed && Long.bitCount(bitSize) == 1 && bitSize > Byte.SIZE * declared.byteAlignment())) {
            throw new IllegalArgumentException("bit field of this type, size or alignment");
        }
        return (int) bitSize;
    }

    /// Not all constants of an enum need fit. The enum is unsigned in gcc if no constant is negative.
    private static MemoryType integer(MemoryType declared) {
        return declared instanceof EnumType type
                ? HeaderType.ofInteger((int) type.byteSize(), type.constants()
                        .stream()
                        .allMatch(constant -> constant.value() >= 0)).memory()
                : declared;
    }

    /// Returns the struct or union.
    HeaderType build(String tag) {
        return new HeaderType(Optional.of(HeaderType.group(union, tag, members, Sizes.alignUpExact(limit, largest),
                largest)), "", parts, depth + 1);
    }
}
