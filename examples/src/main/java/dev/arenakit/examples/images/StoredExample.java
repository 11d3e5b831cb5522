package dev.arenakit.examples.images;

import dev.arenakit.examples.process.TemporaryDirectory;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageTree;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.StructureRepair;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.nio.file.Path;

/// Stores a tree and a map, and reads the tree as another process does. `docs/stored-structures.md` describes it.
public final class StoredExample {
    private static final Order NONE = new Order(0, 0, 0, "");

    private StoredExample() {}

    record Order(long customer, int quantity, double price, @Length(16) String symbol) {}

    /// Runs the example.
    ///
    /// @param args the directory in which a directory for the image is created
    /// @throws IOException if files cannot be created there
    public static void main(String[] args) throws IOException {
        run(System.out, Path.of(args[0]));
    }

    static void run(PrintStream out, Path temporary) throws IOException {
        try (TemporaryDirectory created = TemporaryDirectory.in(temporary, "arenakit-stored-")) {
            Path base = created.path().resolve("shop");
            put(base);
            count(base);
            out.println(get(base));
            out.println(repair(base));
        }
    }

    private static void put(Path base) {
        try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
            ImageTree<Long, Order> orders = arena.structures().tree("orders", Long.class, Order.class); // or creates it
            orders.put(4711L, new Order(7, 100, 9.5, "ARNA"));
        }
    }

    private static void count(Path base) {
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            arena.structures().longMap("stock").put(4711, 100);
        }
    }

    private static Order get(Path base) throws IOException {
        try (ArenaImage image = ArenaImage.open(base); Arena memory = Arena.ofShared()) {
            ImageTree<Long, Order> orders = image.structures(memory).tree("orders", Long.class, Order.class);
            return orders.get(4711L, NONE); // a constant for missing keys
        }
    }

    private static StructureRepair repair(Path base) {
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            StructureRepair result = arena.structures().repair("stock"); // kept=9998, dropped=2
            return result;
        }
    }
}
