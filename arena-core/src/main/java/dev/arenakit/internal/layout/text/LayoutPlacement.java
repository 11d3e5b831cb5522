package dev.arenakit.internal.layout.text;

import dev.arenakit.internal.BitPosition;
import dev.arenakit.internal.Sizes;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import java.nio.ByteOrder;
import java.util.OptionalLong;

/// Computes the offsets of the members of a struct in C, one member after the other, and the annotations of other
/// offsets.
///
/// The byte order of a bit field determines how its bits are counted. Types of one byte have no byte order: their bits
/// are counted from the least significant bit, or from the most significant bit if the field has the annotation `@big`.
final class LayoutPlacement {
    private final boolean packed;
    private BitPosition end = BitPosition.of(0);

    /// @param packed whether the struct has the annotation `@packed`
    LayoutPlacement(boolean packed) {
        this.packed = packed;
    }

    /// Returns a member that is not a bit field.
    ///
    /// @param byteOffset the annotated offset
    Member place(String name, MemoryType type, OptionalLong byteOffset) {
        Member member = new Member(name,
                byteOffset.orElseGet(() -> Sizes.alignUpExact(end.limit(), type.byteAlignment())), type);
        end = BitPosition.of(member.limit());
        return member;
    }

    /// Returns a bit field.
    ///
    /// @param big        whether the declared type has the annotation `@big`
    /// @param byteOffset the annotated offset
    /// @param bitOffset  the annotated number of bits before the field in its first byte
    Member placeBits(String name, BitFieldType type, boolean big, OptionalLong byteOffset, OptionalLong bitOffset) {
        BitPosition inC = next(type, big);
        int bit = (int) Math.min(Byte.SIZE, bitOffset.orElse(byteOffset.isPresent() ? 0 : inC.bitOffset()));
        BitPosition start = new BitPosition(byteOffset.orElse(inC.byteOffset()), bit, big);
        Member member = new Member(name, start.byteOffset(), new BitFieldType(type.declared(),
                start.typeBitOffset(type.bitSize(), type.declared().byteSize()), type.bitSize()));
        end = start.plus(type.bitSize());
        return member;
    }

    /// Whether a member is a bit field whose declared type has one byte, but needs the annotation `@big`, because C
    /// places the field at its offset in a big-endian struct only.
    boolean isBigByte(Member member) {
        return member.type() instanceof BitFieldType type && type.declared().byteSize() == 1
                && type.bitOffset() + type.bitSize() <= Byte.SIZE
                && !position(member, type, false).equals(next(type, false))
                && position(member, type, true).equals(next(type, true));
    }

    /// Returns the annotations of the offset of a member, or "" if C places the member at the offset.
    ///
    /// @param isBigByte the result of [#isBigByte]
    String annotations(Member member, boolean isBigByte) {
        if (!(member.type() instanceof BitFieldType type)) {
            boolean inC = Sizes.isAlignedUp(member.byteOffset(), end.limit(), member.type().byteAlignment());
            end = BitPosition.of(member.limit());
            return inC ? "" : offset(member);
        }
        boolean big = isBigByte || type.order() == ByteOrder.BIG_ENDIAN;
        BitPosition inC = next(type, big);
        BitPosition start = position(member, type, big);
        end = start.plus(type.bitSize());
        if (start.equals(inC)) {
            return "";
        }
        boolean sameByte = start.byteOffset() == inC.byteOffset();
        return (sameByte ? "" : offset(member))
                + (sameByte || start.bitOffset() > 0 ? " @bit(" + start.bitOffset() + ")" : "");
    }

    private BitPosition next(BitFieldType type, boolean big) {
        return end.next(type.bitSize(), type.declared().byteSize(), type.declared().byteAlignment(), packed, big);
    }

    private static BitPosition position(Member member, BitFieldType type, boolean big) {
        boolean reversed = big && type.declared().byteSize() == 1;
        int bitOffset = reversed ? Byte.SIZE - type.bitOffset() - type.bitSize() : type.bitOffset();
        return new BitPosition(member.byteOffset(), bitOffset, big);
    }

    private static String offset(Member member) {
        return " @offset(" + member.byteOffset() + ")";
    }
}
