package dev.arenakit.layout.type;

import java.util.HashSet;
import java.util.List;
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

    /// Returns a type whose alignment is reduced to the given one if it is larger.
    static MemoryType atMost(long byteAlignment, MemoryType type) {
        return type.byteAlignment() <= byteAlignment ? type : type.withByteAlignment(byteAlignment);
    }

    static List<Member> atMost(long byteAlignment, List<Member> members) {
        return members.stream()
                .map(member -> new Member(member.name(), member.byteOffset(), atMost(byteAlignment, member.type())))
                .toList();
    }

    static long largestAlignment(List<Member> members) {
        return members.stream().mapToLong(member -> member.type().byteAlignment()).max().orElse(1);
    }
}
