package dev.arenakit.internal.layout.header;

import dev.arenakit.internal.BitPosition;
import dev.arenakit.internal.Sizes;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/// Places the members of a struct or union as gcc does on x86-64.
final class HeaderMembers {
    private static final boolean BIG = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;

    private final boolean union;
    /// Whether the struct has the attribute `packed`.
    private final boolean packed;
    /// The limit of alignments by `#pragma pack`, or 0.
    private final int pack;
    private final LongConsumer copies;
    private final List<Member> members = new ArrayList<>();
    private BitPosition end = BitPosition.of(0);
    private long limit;
    private long largest = 1;
    private long parts = 1;
    private int depth;

    /// The attributes that change the layout of a type or of a member.
    ///
    /// @param byteAlignment the alignment in bytes, or 0
    /// @param packed        whether the alignment is 1 unless it is given
    /// @param modeByteSize  the size of an integer in bytes, or 0
    record Attributes(long byteAlignment, boolean packed, int modeByteSize) {
        static final Attributes NONE = new Attributes(0, false, 0);

        Attributes plus(long alignment, boolean isPacked, int mode) {
            return new Attributes(Math.max(byteAlignment, alignment), packed || isPacked,
                    Math.max(modeByteSize, mode));
        }
    }

    /// @param copies receives the number of types that are copied
    HeaderMembers(boolean union, boolean packed, int pack, LongConsumer copies) {
        this.union = union;
        this.copies = copies;
        this.packed = packed;
        this.pack = pack;
    }

    /// Adds a member.
    ///
    /// @param name    the name, or "" for a bit field without a name
    /// @param bitSize the number of bits of a bit field, or -1
    void add(String name, HeaderType type, long bitSize, Attributes attributes) {
        MemoryType declared = type.memory();
        boolean isPacked = packed || attributes.packed;
        // In gcc, #pragma pack takes away that the attribute reduces the alignment of bit fields.
        boolean reduced = isPacked && (bitSize < 0 || pack == 0);
        long byteAlignment = Math.max(attributes.byteAlignment, reduced ? 1 : declared.byteAlignment());
        byteAlignment = pack > 0 ? Math.min(byteAlignment, pack) : byteAlignment;
        Optional<Member> member = bitSize < 0
                ? Optional.of(new Member(name, Sizes.alignUpExact(end.limit(), byteAlignment),
                        type.aligned(byteAlignment, copies)))
                : bits(name, declared, bitSize, isPacked, byteAlignment);
        if (member.isPresent()) {
            // A struct without members gives a name to nothing.
            if (!(declared instanceof StructType && declared.members().isEmpty())) {
                members.add(member.get());
            }
            end = bitSize < 0 ? BitPosition.of(member.get().limit()) : end;
            largest = Math.max(largest, byteAlignment);
            parts += type.parts();
            depth = Math.max(depth, type.depth());
        }
        limit = Math.max(limit, end.limit());
        end = union ? BitPosition.of(0) : end;
    }

    private Optional<Member> bits(String name, MemoryType declared, long bitSize, boolean isPacked,
            long byteAlignment) {
        long byteSize = declared.byteSize();
        if (declared.integer().isEmpty() || bitSize > Byte.SIZE * byteSize || (bitSize == 0 && !name.isEmpty())
                || byteAlignment > declared.byteAlignment()) {
            throw new IllegalArgumentException("bit field of this type, size or alignment");
        }
        if (bitSize == 0) {
            end = BitPosition.of(Sizes.alignUpExact(end.limit(), declared.byteAlignment()));
            return Optional.empty();
        }
        int bits = (int) bitSize;
        // Not all constants of an enum need fit. The enum is unsigned in gcc if no constant is negative.
        MemoryType integer = declared instanceof EnumType type
                ? HeaderType.ofInteger((int) byteSize, type.constants()
                        .stream()
                        .allMatch(constant -> constant.value() >= 0)).memory()
                : declared;
        BitPosition start = end.next(bits, byteSize, byteAlignment, isPacked || pack > 0, BIG);
        end = start.plus(bits);
        return name.isEmpty()
                ? Optional.empty()
                : Optional.of(new Member(name, start.byteOffset(), new BitFieldType(
                        integer.withByteAlignment(byteAlignment), start.typeBitOffset(bits, byteSize), bits)));
    }

    /// Returns the struct or union.
    ///
    /// @param byteAlignment the alignment by an attribute of the type, or 0
    HeaderType build(String tag, long byteAlignment) {
        largest = Math.max(largest, byteAlignment);
        return new HeaderType(Optional.of(HeaderType.group(union, tag, members, Sizes.alignUpExact(limit, largest),
                largest)), "", parts, depth + 1);
    }
}
