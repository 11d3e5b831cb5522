package dev.arenakit.layout.type;

import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Checks and computations that struct and union types share.
final class Types {
    private Types() {}

    static void checkMembers(String kind, String name, List<Member> members, long byteSize, long byteAlignment) {
        if (byteSize < 0) {
            throw new IllegalArgumentException("Negative size: " + kind + "=" + name + ", byteSize=" + byteSize);
        }
        Set<String> names = new HashSet<>();
        for (Member member : members) {
            if (!names.add(member.name())) {
                throw new IllegalArgumentException("Two members have the same name: " + kind + "=" + name + ", member="
                        + member.name());
            }
            if (member.type().byteAlignment() > byteAlignment) {
                throw new IllegalArgumentException("Alignment is less than that of a member: " + kind + "=" + name
                        + ", byteAlignment=" + byteAlignment + ", member=" + member.name() + ", member.byteAlignment="
                        + member.type().byteAlignment());
            }
            if (member.limit() < 0 || member.limit() > byteSize) {
                throw new IllegalArgumentException("Member extends beyond the end: " + kind + "=" + name + ", byteSize="
                        + byteSize + ", member=" + member.name() + ", byteOffset=" + member.byteOffset()
                        + ", member.byteSize=" + member.type().byteSize());
            }
        }
    }

    static Optional<Member> member(List<Member> members, String name) {
        for (Member member : members) {
            if (member.name().equals(name)) {
                return Optional.of(member);
            }
        }
        return Optional.empty();
    }

    /// Returns a type whose alignment is reduced to the given alignment if it is larger.
    static MemoryType atMost(long byteAlignment, MemoryType type) {
        return declaredAlignment(type) <= byteAlignment ? type : type.withByteAlignment(byteAlignment);
    }

    /// Returns the alignment of a member, or of the declared type of a bit field. It is a lower bound for the alignment
    /// of the struct.
    static long declaredAlignment(MemoryType type) {
        return type instanceof BitFieldType bits ? bits.declared().byteAlignment() : type.byteAlignment();
    }

    static List<Member> withOrder(List<Member> members, ByteOrder order) {
        return members.stream()
                .map(member -> new Member(member.name(), member.byteOffset(), member.type().withOrder(order)))
                .toList();
    }

    static List<Member> atMost(long byteAlignment, List<Member> members) {
        return members.stream()
                .map(member -> new Member(member.name(), member.byteOffset(), atMost(byteAlignment, member.type())))
                .toList();
    }

    static long largestAlignment(List<Member> members) {
        long largest = 1;
        for (Member member : members) {
            largest = Math.max(largest, declaredAlignment(member.type()));
        }
        return largest;
    }
}
