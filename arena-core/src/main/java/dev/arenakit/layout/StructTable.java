package dev.arenakit.layout;

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

/// A table of what stands where in a struct, in the manner of pahole.
final class StructTable {
    /// @param kind the type, or what is marked instead of one
    private record Row(long byteOffset, long byteSize, String kind, String name) {}

    private static final String HOLE = "*** hole ***";
    private static final String INDENT = "  ";

    /// Beyond any memory, and small enough for sums of a few without overflow.
    private static final long LARGEST = 1L << 56;

    private final List<Row> rows = new ArrayList<>();
    private final Holes own = new Holes();
    private final Holes inner = new Holes();

    private static final class Holes {
        private long count;
        private long byteSize;

        /// Unions may have more holes than there is memory: then the sum is the largest there is.
        void add(long times, long eachByteSize) {
            count = Math.min(count, Long.MAX_VALUE - times) + times;
            byteSize = Math.min(byteSize, Long.MAX_VALUE - times * eachByteSize) + times * eachByteSize;
        }

        @Override
        public String toString() {
            return count == 0 ? "none" : byteSize + " bytes in " + count + (count == 1 ? " place" : " places");
        }
    }

    private StructTable() {}

    static String of(StructType struct) {
        Definitions.of(struct); // refuses what is beyond the bounds of a text
        StructTable table = new StructTable();
        table.add(struct, 0, 1, "");
        return table.text(struct);
    }

    /// @param times how often the type stands there, where it is the element of an array
    private void add(MemoryType type, long start, long times, String indent) {
        if (type instanceof ArrayType array && array.byteSize() > 0) {
            add(array.element(), start, times * array.length(), indent);
        } else if (type instanceof StructType || type instanceof UnionType) {
            members(type, start, times, indent);
        }
    }

    private void members(MemoryType group, long start, long times, String indent) {
        long end = start;
        for (Member member : Definitions.membersOf(group)) {
            long byteOffset = start + member.byteOffset();
            if (group instanceof StructType) {
                hole(end, byteOffset, times, indent);
            }
            end = Math.max(end, start + member.limit());
            rows.add(new Row(byteOffset, member.type().byteSize(), indent + LayoutPrinter.word(member.type()),
                    member.name()));
            add(member.type(), byteOffset, times, indent + INDENT);
        }
        hole(end, start + group.byteSize(), times, indent);
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
        if (struct.members().isEmpty() || struct.byteSize() > LARGEST || struct.byteAlignment() > LARGEST) {
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

    /// The members by falling alignment, which leaves holes only behind those whose size is no multiple of their alignment, the
    /// odd ones: where one of them has left a hole, the first member that fits in comes next.
    ///
    /// @param oddLast whether the odd ones come behind all others, or among those of their alignment
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
            end = Types.alignUp(end, next.type().byteAlignment()) + next.type().byteSize();
        }
        return builder.build();
    }

    private static boolean isOdd(Member member) {
        return member.type().byteSize() % member.type().byteAlignment() != 0;
    }
}
