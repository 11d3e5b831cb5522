package dev.arenakit.mapped;

import dev.arenakit.dump.LayoutDump;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;

/// The example of [ArenaImage].
final class ArenaImageExample {
    private ArenaImageExample() {}

    static void show(Path base, Appendable out) throws IOException {
        // @start region="example"
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            Allocation orders = image.find("orders").orElseThrow();
            LayoutDump.of(image.type(orders).orElseThrow()).append(image.segment(orders, arena), out);
        }
        // @end
    }
}
