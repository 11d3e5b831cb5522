package dev.arenakit.internal.layout.text;

import dev.arenakit.internal.Sizes;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Prints a table of the members and holes of a struct with their offsets and sizes, similar to the output of pahole.
public final class LayoutTable {
    /// @param kind the type, or the mark of a hole
    private record Row(long byteOffset, long byteSize, String kind, String name) {}

    private static final String HOLE = "*** hole ***";
    private static final String INDENT = "  ";

    /// Larger than any memory, and small enough that the sum of several such numbers does not overflow.
    private static final long LARGEST = 1L << 56;

    private final List<Row> rows = new ArrayList<>();
    private final Holes own = new Holes();
    private final Holes inner = new Holes();

    private static final class Holes {
        private long count;
        private long byteSize;

        /// The sums saturate, since the holes of unions may exceed any memory.
        void add(long times, long eachByteSize) {
            count = Math.min(count, Long.MAX_VALUE - times) + times;
            byteSize = Math.min(byteSize, Long.MAX_VALUE - times * eachByteSize) + times * eachByteSize;
        }

        @Override
        public String toString() {
            return count == 0 ? "none" : byteSize + " bytes in " + count + (count == 1 ? " place" : " places");
        }
    }

    private LayoutTable() {}

    public static String of(StructType struct) {
        LayoutDefinitions.of(struct, _ -> false); // rejects a struct that is too large for a text
        LayoutTable table = new LayoutTable();
        table.add(struct, 0, 1, "");
        return table.text(struct);
    }

    /// @param times how many times the type occurs, as the element of an array
    private void add(MemoryType type, long start, long times, String indent) {
        if (type instanceof ArrayType array && array.byteSize() > 0) {
            add(array.element(), start, times * array.length(), indent);
        } else if (type instanceof StructType || type instanceof UnionType) {
            members(type, start, times, indent);
        }
    }

    private void members(MemoryType group, long start, long times, String indent) {
        long end = start;
        for (Member member : group.members()) {
            long byteOffset = start + member.byteOffset();
            if (group instanceof StructType) {
                hole(end, byteOffset, times, indent);
            }
            end = Math.max(end, start + member.limit());
            rows.add(new Row(byteOffset, member.type().byteSize(), indent + LayoutPrinter.typeName(member.type())
                    + bit(member.type()), member.name()));
            add(member.type(), byteOffset, times, indent + INDENT);
        }
        hole(end, start + group.byteSize(), times, indent);
    }

    private static String bit(MemoryType type) {
        return type instanceof BitFieldType bits && bits.bitOffset() > 0 ? " @bit(" + bits.bitOffset() + ")" : "";
    }

    private void hole(long from, long to, long times, String indent) {
        if (from < to) {
            rows.add(new Row(from, to - from, indent + HOLE, times == 1 ? "" : "(" + times + " times)"));
            (indent.isEmpty() ? own : inner).add(times, to - from);
        }
    }

    private String text(StructType struct) {
        StringBuilder text = new StringBuilder();
        text.append(struct.name().isEmpty() ? "struct" : "struct " + struct.name())
                .append(": size ")
                .append(struct.byteSize())
                .append(", alignment ")
                .append(struct.byteAlignment())
                .append("\n\n");
        int offsets = width("offset", rows.stream().map(row -> Long.toString(row.byteOffset())).toList());
        int sizes = width("size", rows.stream().map(row -> Long.toString(row.byteSize())).toList());
        int kinds = width("type", rows.stream().map(Row::kind).toList());
        String line = "%" + offsets + "s  %" + sizes + "s  %-" + kinds + "s  %s";
        text.append(String.format(Locale.ROOT, line, "offset", "size", "type", "name")).append('\n');
        for (Row row : rows) {
            text.append(String.format(Locale.ROOT, line, row.byteOffset(), row.byteSize(), row.kind(), row.name())
                    .stripTrailing()).append('\n');
        }
        text.append("\nHoles: ").append(own);
        if (inner.count > 0) {
            text.append("; inside of members: ").append(inner);
        }
        text.append(".\n");
        return text.append(advice(struct)).toString();
    }

    private static int width(String head, List<String> cells) {
        return cells.stream().mapToInt(String::length).reduce(head.length(), Math::max);
    }

    private static String advice(StructType struct) {
        boolean hasBits = struct.members().stream().anyMatch(member -> member.type() instanceof BitFieldType);
        if (hasBits || struct.members().isEmpty() || struct.byteSize() > LARGEST || struct.byteAlignment() > LARGEST) {
            return "";
        }
        long content = struct.members().stream().mapToLong(member -> member.type().byteSize()).sum();
        if (content == struct.byteSize()) {
            return "";
        }
        StructType better = Stream.of(true, false)
                .map(oddLast -> reordered(struct, oddLast))
                .min(Comparator.comparingLong(StructType::byteSize))
                .orElseThrow();
        if (better.byteSize() >= struct.byteSize()) {
            return "";
        }
        String names = better.members().stream().map(Member::name).collect(Collectors.joining(", "));
        boolean full = better.members().getLast().limit() == content;
        return (full ? "Without holes between its members: " : "With fewer holes: ") + names + "; size "
                + better.byteSize() + " instead of " + struct.byteSize() + ".\n";
    }

    /// Orders the members by decreasing alignment, so that holes occur only after odd members, whose size is not a
    /// multiple of their alignment. The first member that fits into such a hole comes next.
    ///
    /// @param oddLast whether the odd members come after all other members, or among the members with the same
    ///                alignment
    private static StructType reordered(StructType struct, boolean oddLast) {
        Comparator<Member> order = Comparator
                .comparing((Member member) -> oddLast && isOdd(member))
                .thenComparing(Comparator.comparingLong((Member member) -> member.type().byteAlignment()).reversed());
        SortedMap<Member, Deque<Member>> left = new TreeMap<>(order);
        struct.members().forEach(member -> left.computeIfAbsent(member, _ -> new ArrayDeque<>()).add(member));
        StructType.Builder builder = StructType.builder(struct.name()).byteAlignment(struct.byteAlignment());
        long end = 0;
        while (!left.isEmpty()) {
            long at = end;
            Member alike = left.keySet()
                    .stream()
                    .filter(member -> at % member.type().byteAlignment() == 0)
                    .findFirst()
                    .orElse(left.firstKey());
            Deque<Member> members = Objects.requireNonNull(left.get(alike));
            Member next = members.removeFirst();
            if (members.isEmpty()) {
                left.remove(alike);
            }
            builder.add(next.name(), next.type());
            end = Sizes.alignUpExact(end, next.type().byteAlignment()) + next.type().byteSize();
        }
        return builder.build();
    }

    private static boolean isOdd(Member member) {
        return member.type().byteSize() % member.type().byteAlignment() != 0;
    }
}
