package dev.arenakit.tool;

import dev.arenakit.layout.ArrayType;
import dev.arenakit.layout.Member;
import dev.arenakit.layout.MemoryType;
import dev.arenakit.layout.StructType;

import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds the field that a byte belongs to, among structs that stand one after the other. A union is one field.
final class FieldFinder {
    private final StructType struct;
    /// Of each struct the members that have a size.
    private final IdentityHashMap<StructType, List<Member>> members = new IdentityHashMap<>();

    private boolean isField;
    private MemoryType type;
    private long start;
    private long end;
    private @Nullable StructType parent;
    private long parentStart;
    private String name = "";

    /// @param struct which has a size
    FieldFinder(StructType struct) {
        this.struct = struct;
        type = struct;
    }

    /// Finds a byte.
    ///
    /// @return whether it belongs to a field; otherwise it is padding
    boolean find(long at) {
        find(at, null);
        return isField;
    }

    /// The name of the field that a byte belongs to: `[7].price`.
    String path(long at) {
        StringBuilder path = new StringBuilder();
        find(at, path);
        return path.toString();
    }

    /// What stands in the field that was found.
    MemoryType type() {
        return type;
    }

    /// Where the field begins, or the padding.
    long start() {
        return start;
    }

    /// Where it ends.
    long end() {
        return end;
    }

    /// The struct that the field is a member of, itself or as an element.
    StructType parent() {
        return parent == null ? struct : parent;
    }

    /// Where that begins.
    long parentStart() {
        return parentStart;
    }

    /// The name of the member.
    String name() {
        return name;
    }

    private void find(long at, @Nullable StringBuilder path) {
        type = struct;
        isField = true;
        start = element(0, struct.byteSize(), at, path);
        boolean isPart = true;
        while (isPart) {
            isPart = switch (type) {
                case StructType inner -> enter(inner, at, path);
                case ArrayType array -> {
                    start = element(start, array.element().byteSize(), at, path);
                    type = array.element();
                    yield true;
                }
                default -> {
                    end = start + type.byteSize();
                    yield false;
                }
            };
        }
    }

    /// Goes on with the element of a sequence.
    private static long element(long from, long byteSize, long at, @Nullable StringBuilder path) {
        long index = (at - from) / byteSize;
        if (path != null) {
            path.append('[').append(index).append(']');
        }
        return from + index * byteSize;
    }

    /// Goes on with a member. Returns false where there is none, but padding.
    private boolean enter(StructType inner, long at, @Nullable StringBuilder path) {
        List<Member> sized = members.computeIfAbsent(inner,
                of -> of.members().stream().filter(member -> member.type().byteSize() > 0).toList());
        long offset = at - start;
        int next = behind(sized, offset);
        Member member = next == 0 ? null : sized.get(next - 1);
        if (member == null || offset >= limit(member)) {
            isField = false;
            end = start + (next == sized.size() ? inner.byteSize() : sized.get(next).byteOffset());
            start += member == null ? 0 : limit(member);
            return false;
        }
        parent = inner;
        parentStart = start;
        name = member.name();
        type = member.type();
        start += member.byteOffset();
        if (path != null) {
            path.append('.').append(name);
        }
        return true;
    }

    /// Where a member ends.
    static long limit(Member member) {
        return member.byteOffset() + member.type().byteSize();
    }

    /// The position of the first member that begins behind an offset.
    private static int behind(List<Member> sized, long offset) {
        int low = 0;
        int high = sized.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sized.get(middle).byteOffset() <= offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
