package dev.arenakit.examples.structures;

import dev.arenakit.MallocArena;
import dev.arenakit.collection.BytesLongMap;
import dev.arenakit.collection.LongLongMap;
import dev.arenakit.collection.RecordMap;
import dev.arenakit.layout.LongField;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.ViewMapper;
import dev.arenakit.layout.annotation.Members;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// Uses maps outside the heap, whose keys are numbers, bytes and records.
final class StructuresExample {
    private static final RecordMapper<Key> KEYS = RecordMapper.of(Key.class);
    private static final RecordMapper<Position> POSITIONS = RecordMapper.of(Position.class);
    private static final ViewMapper<PositionView> VIEWS = ViewMapper.of(PositionView.class);
    private static final LongField QUANTITY = POSITIONS.longField("quantity");

    record Key(int account, int article) {}

    record Position(long quantity, double price) {}

    @Members({"quantity", "price"})
    interface PositionView {
        long quantity();

        void quantity(long quantity);

        double price();

        void price(double price);
    }

    private StructuresExample() {}

    /// Runs the example.
    ///
    /// @param args none
    public static void main(String[] args) {
        run(System.out);
    }

    static void run(PrintStream out) {
        numbers(out);
        words(out, "error 7\nwarning 3\nerror 9\n".getBytes(StandardCharsets.UTF_8));
        records(out);
    }

    private static void numbers(PrintStream out) {
        try (LongLongMap stock = LongLongMap.owning(MallocArena::ofConfined)) {
            stock.put(4711, 10);
            stock.addTo(4711, -3);
            for (LongLongMap.Cursor cursor = stock.cursor(); cursor.moveNext();) {
                out.println(cursor.key() + ": " + cursor.value());
            }
        }
    }

    /// Counts the first words of all lines.
    private static void words(PrintStream out, byte[] text) {
        try (BytesLongMap counts = BytesLongMap.owning(MallocArena::ofConfined)) {
            for (int from = 0; from < text.length; from = end(text, from, '\n') + 1) {
                counts.addTo(text, from, end(text, from, ' ') - from, 1); // a range of a byte[]
            }
            out.println("error: " + counts.get("error", 0));
        }
    }

    private static int end(byte[] text, int from, char delimiter) {
        int to = from;
        while (text[to] != delimiter) {
            to++;
        }
        return to;
    }

    private static void records(PrintStream out) {
        try (RecordMap<Key, Position> map = RecordMap.owning(MallocArena::ofConfined, KEYS, POSITIONS)) {
            map.put(new Key(1, 42), new Position(3, 9.5));
            map.view(VIEWS, new Key(1, 42)).price(9.6); // no Position is created
            map.addTo(QUANTITY, new Key(1, 42), 1);
            out.println(map.get(new Key(1, 42), new Position(0, 0)));
        }
    }
}
