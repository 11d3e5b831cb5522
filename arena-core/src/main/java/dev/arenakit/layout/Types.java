package dev.arenakit.layout;

import dev.arenakit.internal.Sizes;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// What the types have in common: checks of their parts, and arithmetic on sizes that does not overflow.
final class Types {
    /// No address has a larger alignment.
    static final long LARGEST_ALIGNMENT = 1L << 62;

    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z_0-9]*");

    private Types() {}

    static void checkAlignment(long byteAlignment) {
        if (!Sizes.isPowerOfTwo(byteAlignment)) {
            throw new IllegalArgumentException("Alignment is not a power of two: byteAlignment=" + byteAlignment);
        }
    }

    static void checkName(String name) {
        if (!IDENTIFIER.matcher(name).matches()) {
            throw new IllegalArgumentException("Name is no identifier of C: name=" + name
                    + "; it consists of letters, digits and underscores");
        }
    }

    static void checkTypeName(String name) {
        if (!name.isEmpty()) {
            checkName(name);
        }
    }

    static boolean isTypeName(String name) {
        return name.isEmpty() || IDENTIFIER.matcher(name).matches();
    }

    static void checkLength(long length, long unitByteSize) {
        if (length < 1 || length > Long.MAX_VALUE / unitByteSize) {
            throw new IllegalArgumentException("Not a length of text: length=" + length);
        }
    }

    static void checkMembers(String kind, String name, List<Member> members, long byteSize, long byteAlignment) {
        if (byteSize < 0) {
            throw new IllegalArgumentException("Negative size: " + kind + "=" + name + ", byteSize=" + byteSize);
        }
        Set<String> names = new HashSet<>();
        for (Member member : members) {
            if (!names.add(member.name())) {
                throw new IllegalArgumentException("Two members have one name: " + kind + "=" + name + ", member="
                        + member.name());
            }
            if (member.type().byteAlignment() > byteAlignment) {
                throw new IllegalArgumentException("Alignment is less than that of a member: " + kind + "=" + name
                        + ", byteAlignment=" + byteAlignment + ", member=" + member.name() + ", member.byteAlignment="
                        + member.type().byteAlignment());
            }
            if (member.limit() < 0 || member.limit() > byteSize) {
                throw new IllegalArgumentException("Member ends beyond the type: " + kind + "=" + name + ", byteSize="
                        + byteSize + ", member=" + member.name() + ", byteOffset=" + member.byteOffset()
                        + ", member.byteSize=" + member.type().byteSize());
            }
        }
    }

    /// A type at its own alignment, or a smaller one where that is the most there may be.
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

    /// Whether a size or an offset is the smallest multiple of the alignment from `end` on.
    static boolean isAlignedUp(long value, long end, long byteAlignment) {
        return value % byteAlignment == 0 && value >= end && value - end < byteAlignment;
    }

    static long alignUp(long byteSize, long byteAlignment) {
        if (byteSize > Long.MAX_VALUE - byteAlignment + 1) {
            throw new IllegalArgumentException("Type is too large: byteSize=" + byteSize + ", byteAlignment="
                    + byteAlignment);
        }
        return Sizes.alignUp(byteSize, byteAlignment);
    }
}
