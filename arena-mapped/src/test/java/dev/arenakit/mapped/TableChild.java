package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.stream.LongStream;

/// A process that appends rows to a table until it is killed, or reads them beside a writer.
final class TableChild {
    private TableChild() {}

    public static void main(String[] arguments) throws IOException {
        ChildJvm.endWithParent();
        Path base = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "append" -> append(base, 1);
            case "appendAll" -> append(base, 100);
            case "read" -> read(base, Long.parseLong(arguments[2]));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /// Prints the number of rows after each call that has returned.
    private static void append(Path base, int batch) {
        InfiniteArena arena = InfiniteArena.builder(base).openOrCreate();
        GrowableTable<TableRow> table = arena.table("rows", TableRow.class);
        while (true) {
            long size = table.size();
            if (batch == 1) {
                table.append(TableRow.of(size));
            } else {
                table.appendAll(LongStream.range(size, size + batch).mapToObj(TableRow::of).toList());
            }
            System.out.println(size + batch);
        }
    }

    /// Reads all rows that appear until there are as many as requested, and prints how often it has seen new rows.
    private static void read(Path base, long count) throws IOException {
        try (ArenaImage image = ArenaImage.open(base);
                Arena arena = Arena.ofConfined()) {
            GrowableTable<TableRow> table = image.table("rows", TableRow.class, arena);
            System.out.println("reading");
            long read = 0;
            long changes = 0;
            while (read < count) {
                long size = table.size();
                changes += size > read ? 1 : 0;
                for (; read < size; read++) {
                    if (!table.get(read).equals(TableRow.of(read))) {
                        throw new AssertionError("row " + read + ": " + table.get(read));
                    }
                }
            }
            System.out.println(changes);
        }
    }
}
