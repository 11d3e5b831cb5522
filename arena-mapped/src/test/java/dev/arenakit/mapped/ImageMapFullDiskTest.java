package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests a map of records on a disk that is full whenever the map grows.
class ImageMapFullDiskTest extends InDirectory {
    ImageMapFullDiskTest() throws IOException {
        super(TestFileSystem.BUILD);
    }

    record Key(long number) {}

    record Value(long number, long other, long third) {}

    @Test
    void put_wheneverTheDiskIsFull_isRefusedWithoutAChange() throws Exception {
        Path disk = directory.resolve("disk");
        assertThat(SmallDisk.run("size=16m", disk, command("sparse", disk))).containsExactly("done");
    }

    @Test
    void put_inAReservedArenaWheneverTheDiskIsFull_isRefusedWithoutAChange() throws Exception {
        try (LoopDisk disk = LoopDisk.mount(directory, 16L << 20, "-b", "1024")) {
            assertThat(ChildJvm.run(command("reserved", disk.root()))).isEqualTo("done\n");
            assertThat(disk.check()).isEmpty();
        }
    }

    private static ProcessBuilder command(String scenario, Path disk) {
        return ChildJvm.granted().command(Filler.class, scenario, disk.toString());
    }

    /// Puts entries. The disk is full each time, until the map needs memory.
    static final class Filler {
        private final Map<Key, Value> model = new HashMap<>();
        private final ImageMap<Key, Value> map;
        private long next;

        private Filler(ImageMap<Key, Value> map) {
            this.map = map;
        }

        public static void main(String[] arguments) throws IOException {
            Path directory = Path.of(arguments[1]);
            InfiniteArena.Builder builder = InfiniteArena.builder(directory.resolve("memory"));
            int refused = 0;
            try (InfiniteArena arena = (arguments[0].equals("reserved") ? builder.reserved() : builder).build()) {
                Filler filler = new Filler(arena.map("map", Key.class, Value.class));
                while (filler.model.size() < 20_000) {
                    Path full = FullDiskChild.fillRest(directory);
                    filler.putUntilRefused();
                    filler.useWithoutGrowth();
                    Files.delete(full);
                    // The first key gets the entry that the replacement has freed, and the second key makes the map grow.
                    filler.put(filler.next++);
                    filler.put(filler.next++);
                    refused++;
                }
                filler.check();
            }
            FullDiskChild.expect(refused > 10, "refused=" + refused);
            try (InfiniteArena arena = InfiniteArena.builder(directory.resolve("memory")).reopen()) {
                FullDiskChild.expect(arena.map("map", Key.class, Value.class).size() >= 20_000, "size");
            }
            System.out.println("done");
        }

        private void putUntilRefused() {
            try {
                while (true) {
                    put(next);
                    next++;
                }
            } catch (DiskFullException _) {
                FullDiskChild.expect(!map.containsKey(new Key(next)), "key was added");
                check();
            }
        }

        /// A removed entry makes room for the new value of another key.
        private void useWithoutGrowth() {
            if (model.size() < 2) {
                return;
            }
            Key replaced = new Key(next - 1);
            Key removed = model.keySet().stream().filter(key -> !key.equals(replaced)).findFirst().orElseThrow();
            FullDiskChild.expect(map.remove(removed), "was absent");
            model.remove(removed);
            Value value = new Value(-1, next, 0);
            FullDiskChild.expect(!map.put(replaced, value), "was absent");
            FullDiskChild.expect(model.put(replaced, value) != null, "was absent in the model");
            check();
        }

        private void put(long number) {
            Value value = new Value(number, -number, model.size());
            FullDiskChild.expect(map.put(new Key(number), value), "was present: " + number);
            model.put(new Key(number), value);
        }

        private void check() {
            FullDiskChild.expect(map.size() == model.size(), "size " + map.size() + " instead of " + model.size());
            FullDiskChild.expect(ImageMapTest.contents(map).equals(model), "contents");
        }
    }
}
