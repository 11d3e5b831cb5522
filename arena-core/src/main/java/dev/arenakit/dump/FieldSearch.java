package dev.arenakit.dump;

import dev.arenakit.layout.AddressType;
import dev.arenakit.layout.ArrayType;
import dev.arenakit.layout.EnumType;
import dev.arenakit.layout.Member;
import dev.arenakit.layout.MemoryType;
import dev.arenakit.layout.StructType;
import dev.arenakit.layout.ValueType;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

import static java.util.Objects.requireNonNull;

/// Finds the fields in a short range of bytes. Of structs and arrays it looks at those parts alone that reach into the range.
final class FieldSearch {
    private final IdentityHashMap<StructType, Member[]> members;
    private final long from;
    /// The last byte, since there is no offset behind the last one of all.
    private final long last;
    /// How the part that is looked at is named.
    private final StringBuilder path = new StringBuilder();
    private final List<String> names = new ArrayList<>();
    /// The field that begins before the range and reaches into it.
    private String covering = "";

    /// @param members of each struct the members that have a size
    FieldSearch(IdentityHashMap<StructType, Member[]> members, long from, int byteCount) {
        this.members = members;
        this.from = from;
        last = byteCount - 1 > Long.MAX_VALUE - from ? Long.MAX_VALUE : from + byteCount - 1;
    }

    /// The names of the fields of structs that stand from offset 0 on.
    List<String> structs(StructType struct) {
        elements(struct, 0, Long.MAX_VALUE);
        return names.isEmpty() && !covering.isEmpty() ? List.of(covering) : names;
    }

    private void part(MemoryType type, long start) {
        switch (type) {
            case StructType struct -> members(requireNonNull(members.get(struct)), start);
            case ArrayType array when isNumber(array.element()) -> numbers(array, start);
            case ArrayType array -> elements(array.element(), start, array.length());
            default -> field(start);
        }
    }

    private void members(Member[] sized, long start) {
        for (int i = reaching(sized, from - start); i < sized.length && sized[i].byteOffset() <= last - start; i++) {
            Member member = sized[i];
            if (member.byteOffset() + member.type().byteSize() > from - start) {
                int length = path.length();
                path.append('.').append(member.name());
                part(member.type(), start + member.byteOffset());
                path.setLength(length);
            }
        }
    }

    /// The position of the last member that begins at an offset or before it, or else of the first one.
    private static int reaching(Member[] sized, long byteOffset) {
        int low = 0;
        int high = sized.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (sized[middle].byteOffset() <= byteOffset) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private void elements(MemoryType element, long start, long count) {
        long byteSize = element.byteSize();
        long end = Math.min(count - 1, (last - start) / byteSize);
        for (long i = Math.max(0, from - start) / byteSize; i <= end; i++) {
            int length = path.length();
            path.append('[').append(i).append(']');
            part(element, start + i * byteSize);
            path.setLength(length);
        }
    }

    /// Numbers are one field together: those that begin in the range.
    private void numbers(ArrayType array, long start) {
        long byteSize = array.element().byteSize();
        long first = Math.ceilDiv(Math.max(0, from - start), byteSize);
        long end = Math.min(array.length() - 1, (last - start) / byteSize);
        if (first < end) {
            names.add(path + "[" + first + ".." + end + "]");
        } else if (first == end) {
            names.add(path + "[" + first + "]");
        } else {
            covering = path + "[" + end + "]";
        }
    }

    private void field(long start) {
        if (start >= from) {
            names.add(path.toString());
        } else {
            covering = path.toString();
        }
    }

    private static boolean isNumber(MemoryType type) {
        return type instanceof ValueType || type instanceof EnumType || type instanceof AddressType;
    }
}
