package dev.arenakit.mapped;

import dev.arenakit.mapped.StoredEntries.Kind;
import dev.arenakit.mapped.StoredEntries.Structure;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.arenakit.mapped.StoredEntries.BOOT;
import static dev.arenakit.mapped.StoredEntries.COUNT;
import static dev.arenakit.mapped.StoredEntries.contents;
import static dev.arenakit.mapped.StoredEntries.entries;
import static dev.arenakit.mapped.StoredEntries.file;
import static dev.arenakit.mapped.StoredEntries.fill;
import static dev.arenakit.mapped.StoredEntries.killed;
import static dev.arenakit.mapped.StoredEntries.problems;
import static dev.arenakit.mapped.StoredEntries.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ImageEntriesDamageTest extends InDirectory {
    private static final int MUTATIONS = 60;

    ImageEntriesDamageTest() throws IOException {
        super(TestFileSystem.SHARED_MEMORY);
    }

    @Test
    void check_damagedMapOfLongs_isDescribed() throws IOException {
        fill(base, Kind.LONG_MAP, 1_000);
        long pair = firstPosition();
        assertThat(problemsWith(pair + 8, 4711)).singleElement()
                .asString()
                .matches("Check of a group is wrong: offset=0x[0-9a-f]+, index=0, keys=\\[[0-9, ]+]");
        assertThat(problemsWith(pair, 1L << 60)).hasSizeBetween(2, 4)
                .anySatisfy(problem -> assertThat(problem).startsWith("Entry "));
        assertThat(problemsWith(COUNT, 999)).containsExactly("Number of entries is wrong: recorded=999, found=1000");
        assertThat(problemsWith(COUNT + 8, -1)).containsExactly("Number of removed entries is wrong: erosion=-1");
        assertThat(problemsWith(128, -1)).singleElement().asString().startsWith("Structure is damaged: name=structure");
        assertThat(problemsWith(24, 5)).containsExactly("Header of a structure is damaged: name=structure");
        assertThat(problemsWith(0, 1)).containsExactly("Header of a structure is damaged: name=structure");
        assertThatThrownBy(() -> with(24, 5, ImageEntries::cursor)).isInstanceOf(IOException.class)
                .hasMessage("Header of a structure is damaged: name=structure");
    }

    @Test
    void check_damagedTree_isDescribed() throws IOException {
        fill(base, Kind.LONG_TREE, 1_000);
        assertThat(problemsWith(COUNT + 8, 999)).contains("Number of entries is wrong: recorded=999, found=1000");
        assertThat(problemsWith(128, 1L << 56 | 7000)).isNotEmpty();
        assertThat(problemsWith(4096 + 320, -1)).isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    @Tag("full")
    void mutations_any_areReadOrRefused(Kind kind) throws IOException {
        mutate(kind, MUTATIONS, 1);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    @Tag("slow")
    void mutations_many_areReadOrRefused(Kind kind) throws IOException {
        mutate(kind, 100_000, 2);
    }

    private void mutate(Kind kind, int count, long seed) throws IOException {
        Path copy = killed(base, kind, 300);
        Random random = new Random(seed);
        try (ArenaImage image = ArenaImage.open(copy, BOOT);
                RandomAccessFile file = new RandomAccessFile(file(copy), "rw")) {
            byte[] original = new byte[(int) file.length()];
            file.readFully(original);
            for (int i = 0; i < count; i++) {
                int[] places = new int[1 + random.nextInt(4)];
                for (int j = 0; j < places.length; j++) {
                    places[j] = random.nextInt(random.nextBoolean() ? 200 : original.length);
                    file.seek(places[j]);
                    file.write(random.nextBoolean() ? random.nextInt() : original[places[j]] ^ 1);
                }
                ImageEntries entries = entries(image);
                problems(entries);
                try {
                    assertThat(contents(entries).size()).isLessThanOrEqualTo(original.length / 16);
                    entries.count();
                } catch (IOException e) {
                    assertThat(e.getMessage()).containsAnyOf("damaged", "another version", "another kind");
                }
                for (int place : places) {
                    file.seek(place);
                    file.write(original[place]);
                }
            }
        }
    }

    private interface Use<T> {
        T use(ImageEntries entries) throws IOException;
    }

    private List<String> problemsWith(long byteOffset, long value) throws IOException {
        return with(byteOffset, value, StoredEntries::problems);
    }

    /// Uses the entries while a number of the structure has another value.
    private <T> T with(long byteOffset, long value, Use<T> use) throws IOException {
        long before = store(base, byteOffset, value);
        try (ArenaImage image = ArenaImage.open(base)) {
            return use.use(entries(image));
        } finally {
            store(base, byteOffset, before);
        }
    }

    private long firstPosition() throws IOException {
        try (ArenaImage image = ArenaImage.open(base)) {
            ImageEntries.Cursor cursor = entries(image).cursor();
            assertThat(cursor.next()).isTrue();
            return cursor.position(0);
        }
    }
}
