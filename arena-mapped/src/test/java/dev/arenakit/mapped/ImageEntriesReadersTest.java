package dev.arenakit.mapped;

import dev.arenakit.mapped.StoredEntries.Kind;
import dev.arenakit.mapped.StoredEntries.Structure;
import java.io.IOException;
import java.util.NavigableSet;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.arenakit.mapped.StoredEntries.contents;
import static dev.arenakit.mapped.StoredEntries.entries;
import static dev.arenakit.mapped.StoredEntries.model;
import static org.assertj.core.api.Assertions.assertThat;

class ImageEntriesReadersTest extends InDirectory {
    ImageEntriesReadersTest() throws IOException {
        super(TestFileSystem.SHARED_MEMORY);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void read_besideAWriter_passesWholeEntries(Kind kind) throws Exception {
        read(kind, 50);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    @Tag("slow")
    void read_longBesideAWriter_passesWholeEntries(Kind kind) throws Exception {
        read(kind, 50_000);
    }

    /// Reads entries while another thread adds, replaces and removes them.
    private void read(Kind kind, int rounds) throws Exception {
        AtomicBoolean isDone = new AtomicBoolean();
        NavigableSet<String> model = model(kind, 500);
        try (InfiniteArena arena = InfiniteArena.ofShared(base); ArenaImage image = ArenaImage.open(base)) {
            Structure structure = kind.open(arena);
            Thread writer = Thread.ofPlatform().start(() -> {
                Random random = new Random(1);
                while (!isDone.get()) {
                    long key = random.nextInt(500);
                    if (random.nextInt(3) > 0) {
                        structure.put().accept(key);
                    } else {
                        structure.remove().accept(key);
                    }
                }
            });
            try {
                for (int i = 0; i < rounds; i++) {
                    try {
                        assertThat(model.containsAll(contents(entries(image)))).isTrue();
                    } catch (IOException e) {
                        assertThat(e).hasMessageContaining("while it was read");
                    }
                }
            } finally {
                isDone.set(true);
                writer.join();
            }
        }
    }
}
