package dev.arenakit.mapped;

import dev.arenakit.layout.annotation.Length;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.table.EntryGroups;
import dev.arenakit.mapped.internal.table.TagGroups;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/// Tests maps of records whose bytes were changed at random: each call returns, or throws an exception that says so.
class ImageMapDamageTest extends InDirectory {
    private static final int KEYS = 300;
    private static final Value MISSING = new Value(Side.BUY, "missing", 0);

    private final RandomDamage damage = new RandomDamage();
    private int used;

    ImageMapDamageTest() throws IOException {
        super(TestFileSystem.SHARED_MEMORY);
    }

    enum Side {
        BUY, SELL
    }

    record Key(int number) {}

    record Value(Side side, @Length(20) String text, long number) {}

    /// The next table gets all slots.
    @Test
    void put_withASlotThatRefersBeyondTheMemory_saysSo() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            for (int number = 0; number < KEYS; number++) {
                map(arena).put(new Key(number), MISSING);
            }
        }
        try (DamagedImage image = new DamagedImage(base)) {
            long root = image.number(TagGroups.ROOT);
            long end = TagGroups.offset(root) + EntryGroups.byteSize(TagGroups.log(root));
            for (long group = TagGroups.offset(root); group < end; group += EntryGroups.GROUP_BYTE_SIZE) {
                long slot = EntryGroups.slot(group, 0);
                image.setNumber(slot, image.number(slot) | 1L << 40);
            }
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            ImageMap<Key, Value> map = map(arena);
            assertThatIllegalStateException().isThrownBy(() -> {
                for (int number = KEYS; number < 100 * KEYS; number++) {
                    map.put(new Key(number), MISSING);
                }
            }).withMessageContaining("damaged");
        }
    }

    /// The next entry is written where the free list says.
    @Test
    void put_withAFreeEntryInTheTable_saysSo() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            map(arena).put(new Key(-1), MISSING);
            map(arena).put(new Key(5), MISSING);
            map(arena).remove(new Key(5));
        }
        try (DamagedImage image = new DamagedImage(base)) {
            long group = TagGroups.offset(image.number(TagGroups.ROOT));
            while (EntryGroups.size(image.number(group)) == 0) {
                group += EntryGroups.GROUP_BYTE_SIZE;
            }
            image.setNumber(image.number(EntryGroups.FREE), group);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            ImageMap<Key, Value> map = map(arena);
            map.put(new Key(7), MISSING);
            assertThatIllegalStateException().isThrownBy(() -> map.put(new Key(-1), MISSING))
                    .withMessageContaining("damaged");
        }
    }

    /// Otherwise entries would be written until the end of the memory.
    @Test
    void put_withUnusedEntriesThatEndWithinAnEntry_doesNotUseThem() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            map(arena).put(new Key(1), MISSING);
        }
        try (DamagedImage image = new DamagedImage(base)) {
            image.setNumber(EntryGroups.UNUSED_END, image.number(EntryGroups.UNUSED_END) - Long.BYTES);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            ImageMap<Key, Value> map = map(arena);
            for (int number = 0; number < KEYS; number++) {
                map.put(new Key(number), new Value(Side.SELL, "", number));
            }
            map.forEach((key, value) -> assertThat(value).isEqualTo(new Value(Side.SELL, "", key.number)));
            assertThat(map.size()).isEqualTo(KEYS);
        }
    }

    /// Otherwise entries would be written over the slots.
    @Test
    void open_withATableInAnExtentOfEntries_isRefused() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            map(arena).put(new Key(1), MISSING);
        }
        long entries;
        try (DamagedImage image = new DamagedImage(base)) {
            entries = image.number(EntryGroups.UNUSED) & -StructureFormat.BYTE_SIZE;
            long root = image.number(TagGroups.ROOT);
            image.setNumber(TagGroups.ROOT, TagGroups.root(root, entries, TagGroups.log(root)));
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            assertThatIllegalStateException().isThrownBy(() -> map(arena))
                    .withMessageContaining("damaged")
                    .withMessageContaining("table=" + entries);
        }
    }

    @Test
    void use_withRandomBytes_returnsOrThrows() throws IOException {
        damage(1_000);
        assertThat(used).isPositive();
        assertThat(damage.refused()).isPositive();
    }

    @Test
    @Tag("slow")
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void use_withRandomBytesAHundredThousandTimes_returnsOrThrows() throws IOException {
        damage(100_000);
    }

    private void damage(int times) throws IOException {
        // The second image was killed: its free entries are listed again when it is opened.
        Path killed = directory.resolve("killed");
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            fill(map(arena));
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            map(arena).put(new Key(1), MISSING);
            try (ArenaImage image = ArenaImage.open(base)) {
                image.copyTo(killed);
            }
        }
        damage.repeat(base, killed, times, this::use);
    }

    private static ImageMap<Key, Value> map(InfiniteArena arena) {
        return arena.map("map", Key.class, Value.class);
    }

    private static void fill(ImageMap<Key, Value> map) {
        for (int i = 0; i < 2 * KEYS; i++) {
            map.put(new Key(i % KEYS), new Value(i % 2 == 0 ? Side.BUY : Side.SELL, "text " + i, i));
            map.remove(new Key(i * 7 % KEYS));
        }
    }

    private void use(Path base, int seed) throws IOException {
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            damage.attempt(() -> read(image.map("map", Key.class, Value.class, arena)));
        }
        InfiniteArena arena = InfiniteArena.builder(base).reopen();
        damage.attempt(() -> {
            ImageMap<Key, Value> map = map(arena);
            read(map);
            used++;
            damage.attempt(() -> change(map, seed));
            damage.attempt(() -> map.removeIf((key, _) -> key.number % 2 == 0));
            damage.attempt(() -> change(map, seed));
            damage.attempt(map::clear);
            damage.attempt(() -> change(map, seed));
        });
        damage.attempt(arena::close);
    }

    private void read(ImageMap<Key, Value> map) {
        damage.attempt(() -> map.forEach((_, _) -> {}));
        for (int number = 0; number < KEYS; number += 3) {
            Key key = new Key(number);
            damage.attempt(() -> map.get(key, MISSING));
            damage.attempt(() -> map.containsKey(key));
        }
    }

    private static void change(ImageMap<Key, Value> map, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 100; i++) {
            Key key = new Key(random.nextInt(2 * KEYS));
            if (random.nextBoolean()) {
                map.put(key, MISSING);
            } else {
                map.remove(key);
            }
        }
    }
}
