package dev.arenakit.layout.type;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Changes the byte order of the members of a struct.
final class StructByteOrder {
    /*
     * C counts the bits of a struct from the least significant bit of each byte in little-endian order, and from the
     * most significant bit in big-endian order. A field has the same position in both orders. A type of one byte has no
     * order, and its fields are always counted from the least significant bit. Such a field has the order of the fields
     * of wider types that share its bytes. When the order changes, its bits move to the other end of the byte. Without
     * such fields, its order is unknown.
     */
    private StructByteOrder() {}

    static List<Member> withOrder(String struct, List<Member> members, ByteOrder order) {
        List<Member> changed = new ArrayList<>(Types.withOrder(members, order));
        int end;
        for (int i = 0; i < members.size(); i = end) {
            end = i + 1;
            if (members.get(i).type() instanceof BitFieldType) {
                BitFieldRun run = BitFieldRun.of(members, i);
                end = run.end();
                if (isChange(run, order)) {
                    changed.subList(i, end).replaceAll(field -> fromOtherEnd(struct, field));
                }
            }
        }
        return changed;
    }

    /// Whether the fields of a run are in the other byte order.
    private static boolean isChange(BitFieldRun run, ByteOrder order) {
        Set<ByteOrder> before = run.fields()
                .stream()
                .map(field -> (BitFieldType) field.type())
                .filter(bits -> bits.declared().byteSize() > 1)
                .map(BitFieldType::order)
                .collect(Collectors.toSet());
        return before.size() == 1 && !before.contains(order);
    }

    private static Member fromOtherEnd(String struct, Member member) {
        BitFieldType bits = (BitFieldType) member.type();
        if (bits.declared().byteSize() > 1) {
            return member;
        }
        int bitOffset = Byte.SIZE - bits.bitOffset() - bits.bitSize();
        if (bitOffset < 0) {
            throw new IllegalArgumentException("Bit field of one byte crosses a byte in big-endian order: struct="
                    + struct + ", member=" + member.name() + ", bitOffset=" + bits.bitOffset() + ", bitSize="
                    + bits.bitSize() + "; declare it with a type of two bytes");
        }
        return new Member(member.name(), member.byteOffset(),
                new BitFieldType(bits.declared(), bitOffset, bits.bitSize()));
    }
}
