package dev.arenakit.layout.type;

import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Checks that the members of a struct do not overlap, and that members exist if other members refer to them.
final class StructChecks {
    private StructChecks() {}

    /// Checks that no two members share bytes. Bit fields may share bytes, but no bits.
    static void checkOverlap(String struct, List<Member> members) {
        long bytesEnd = 0;
        long bitsEnd = 0;
        Map<Long, Integer> usedBits = new HashMap<>();
        for (int i = 0; i < members.size(); i++) {
            Member member = members.get(i);
            boolean overlaps;
            if (member.type() instanceof BitFieldType bits) {
                if (member.byteOffset() >= bitsEnd) {
                    usedBits.clear();
                }
                overlaps = member.byteOffset() < bytesEnd || !useBits(member, bits, usedBits)
                        || member.byteOffset() < members.get(Math.max(0, i - 1)).byteOffset();
                bitsEnd = Math.max(bitsEnd, member.limit());
            } else {
                overlaps = member.byteOffset() < Math.max(bytesEnd, bitsEnd);
                bytesEnd = member.limit();
            }
            if (overlaps) {
                Member before = members.get(i - 1);
                throw new IllegalArgumentException("Members overlap: struct=" + struct + ", member=" + before.name()
                        + ", limit=" + before.limit() + ", member=" + member.name() + ", byteOffset="
                        + member.byteOffset());
            }
        }
    }

    /// Marks the bits of a bit field as used. Returns false if another bit field already uses a bit.
    private static boolean useBits(Member member, BitFieldType bits, Map<Long, Integer> usedBits) {
        boolean unused = true;
        for (int i = 0; i < bits.byteSize(); i++) {
            int mask = bits.mask(i);
            unused &= (usedBits.getOrDefault(member.byteOffset() + i, 0) & mask) == 0;
            usedBits.merge(member.byteOffset() + i, mask, (some, more) -> some | more);
        }
        return unused;
    }

    /// Checks that the discriminators of unions and the counts of arrays are integers of the struct.
    static void checkReferences(String struct, List<Member> members) {
        MemberNames names = new MemberNames();
        for (Member member : members) {
            MemoryType type = member.type();
            while (type instanceof ArrayType array) {
                array.count().ifPresent(count -> checkCount(struct, names.member(members, count), member, count));
                type = array.element();
            }
            if (type instanceof UnionType union) {
                union.discriminator()
                        .map(UnionType.Discriminator::member)
                        .ifPresent(path -> checkDiscriminator(struct, names.nested(members, path), member, path));
            }
        }
    }

    private static void checkDiscriminator(String struct, Optional<Member> found, Member union, String path) {
        if (found.isEmpty() || !isInteger(found.get().type(), true)) {
            throw new IllegalArgumentException(
                    "Discriminator of a union is no integer or enum of the struct: struct=" + struct
                            + ", member=" + union.name() + ", discriminator=" + path
                            + "; add a member of that name");
        }
    }

    private static void checkCount(String struct, Optional<Member> found, Member array, String count) {
        if (found.isEmpty() || !isInteger(found.get().type(), false)) {
            throw new IllegalArgumentException("Count of an array is no integer of the struct: struct=" + struct
                    + ", member=" + array.name() + ", count=" + count + "; add a member of that name");
        }
    }

    private static boolean isInteger(MemoryType type, boolean orEnum) {
        MemoryType declared = type instanceof BitFieldType bits ? bits.declared() : type;
        return declared.integer().isPresent() && (declared instanceof EnumType
                ? orEnum
                : !(declared.layout() instanceof ValueLayout.OfBoolean));
    }
}
