package dev.arenakit.layout;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

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
        private int count;
        private long byteSize;

        @Override
        public String toString() {
            return count == 0 ? "none" : byteSize + " bytes in " + count + (count == 1 ? " place" : " places");
        }
    }

    private StructTable() {}

    static String of(StructType struct) {
        Definitions.of(struct); // refuses what is beyond the bounds of a text
        StructTable table = new StructTable();
        table.add(struct, 0, "");
        return table.text(struct);
    }

    private void add(MemoryType group, long start, String indent) {
        long end = start;
        for (Member member : Definitions.membersOf(group)) {
            long byteOffset = start + member.byteOffset();
            if (group instanceof StructType) {
                hole(end, byteOffset, indent);
                end = start + member.limit();
            }
            rows.add(new Row(byteOffset, member.type().byteSize(), indent + LayoutPrinter.word(member.type()),
                    member.name()));
            add(member.type(), byteOffset, indent + INDENT);
        }
        if (group instanceof StructType) {
            hole(end, start + group.byteSize(), indent);
        }
    }

    private void hole(long from, long to, String indent) {
        if (from < to) {
            rows.add(new Row(from, to - from, indent + HOLE, ""));
            Holes counted = indent.isEmpty() ? own : inner;
            counted.count++;
            counted.byteSize += to - from;
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
        StructType better = reordered(struct);
        if (content == struct.byteSize() || better.byteSize() >= struct.byteSize()) {
            return "";
        }
        String names = better.members().stream().map(Member::name).collect(Collectors.joining(", "));
        boolean full = better.members().getLast().limit() == content;
        return (full ? "Without holes between its members: " : "With fewer holes: ") + names + "; size "
                + better.byteSize() + " instead of " + struct.byteSize() + ".\n";
    }

    /// The members by falling alignment, which leaves holes only behind those whose size is no multiple of their alignment:
    /// where one of them has left a hole, the largest member that fits in comes next.
    private static StructType reordered(StructType struct) {
        List<Member> left = new ArrayList<>(struct.members());
        left.sort(Comparator.comparing(StructTable::isOdd)
                .thenComparing(Comparator.comparingLong((Member member) -> member.type().byteAlignment()).reversed()));
        StructType.Builder builder = StructType.builder(struct.name()).byteAlignment(struct.byteAlignment());
        long end = 0;
        while (!left.isEmpty()) {
            long at = end;
            Member next = left.stream()
                    .filter(member -> at % member.type().byteAlignment() == 0)
                    .findFirst()
                    .orElse(left.getFirst());
            left.remove(next);
            builder.add(next.name(), next.type());
            end = Types.alignUp(end, next.type().byteAlignment()) + next.type().byteSize();
        }
        return builder.build();
    }

    private static boolean isOdd(Member member) {
        return member.type().byteSize() % member.type().byteAlignment() != 0;
    }
}
