package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Puts pairs into a map whose disk is full.
class ImageLongMapFullDiskTest extends InDirectory {
    ImageLongMapFullDiskTest() {
        super(TestFileSystem.BUILD);
    }

    @Test
    void put_wheneverTheDiskIsFull_isRefusedWithoutAChange() throws Exception {
        Path disk = directory.resolve("disk");
        assertThat(SmallDisk.run("size=16m", disk, command("sparse", disk))).containsExactly("done");
    }

    @Test
    @Tag("full")
    void put_inAReservedArenaWheneverTheDiskIsFull_isRefusedWithoutAChange() throws Exception {
        try (LoopDisk disk = LoopDisk.mount(directory, 16L << 20, "-b", "1024")) {
            assertThat(ChildJvm.run(command("reserved", disk.root()))).isEqualTo("done\n");
            assertThat(disk.check()).isEmpty();
        }
    }

    private static ProcessBuilder command(String scenario, Path disk) {
        return ChildJvm.granted().command(Filler.class, scenario, disk.toString());
    }

    /// Puts pairs. The disk is full each time, until the map needs memory.
    static final class Filler {
        private static final int PAIRS = 20_000;

        private final NumberedStructure map;
        private final Map<Integer, Long> model = new HashMap<>();
        private int next;

        private Filler(NumberedStructure map) {
            this.map = map;
        }

        public static void main(String[] arguments) throws IOException {
            Path directory = Path.of(arguments[1]);
            InfiniteArena.Builder builder = InfiniteArena.builder(directory.resolve("memory"));
            int refused = 0;
            try (InfiniteArena arena = (arguments[0].equals("reserved") ? builder.reserved() : builder).build()) {
                Filler filler = new Filler(NumberedStructure.Kind.LONG_MAP.open(arena));
                while (filler.model.size() < PAIRS) {
                    Path full = FullDiskChild.fillRest(directory);
                    filler.putUntilRefused();
                    filler.useWithoutGrowth();
                    Files.delete(full);
                    // The first key gets the slot that was freed, and the second key makes the map grow.
                    filler.put();
                    filler.put();
                    refused++;
                }
                filler.check();
            }
            FullDiskChild.expect(refused > 5, "refused=" + refused);
            try (InfiniteArena arena = InfiniteArena.builder(directory.resolve("memory")).reopen()) {
                FullDiskChild.expect(NumberedStructure.Kind.LONG_MAP.open(arena).size() >= PAIRS, "size");
            }
            System.out.println("done");
        }

        private void putUntilRefused() {
            try {
                while (true) {
                    put();
                }
            } catch (DiskFullException _) {
                check();
            }
        }

        /// A removed pair makes room for another key.
        private void useWithoutGrowth() {
            int removed = next - 1;
            map.remove(removed);
            model.remove(removed);
            int replaced = next - 2;
            map.put(replaced, -1);
            model.put(replaced, -1L);
            check();
        }

        private void put() {
            map.put(next, next);
            model.put(next, (long) next);
            next++;
        }

        private void check() {
            FullDiskChild.expect(map.size() == model.size(), "size " + map.size() + " instead of " + model.size());
            FullDiskChild.expect(map.contents().equals(model), "contents");
        }
    }
}
