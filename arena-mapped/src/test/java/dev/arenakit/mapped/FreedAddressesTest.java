package dev.arenakit.mapped;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.type.StructType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests that memory that grows gives back its files and its addresses when its name is freed.
class FreedAddressesTest extends InDirectory {
    /// More than a process has addresses for: each cycle reserves 256 GiB.
    private static final int CYCLES = 1_000;
    private static final int MANY_CYCLES = 10_000;

    record Row(long number) {}

    /// Makes a structure, and adds an entry. A table is empty in every second use.
    private static void use(NumberedStructure.Kind kind, InfiniteArena arena, int i) {
        NumberedStructure structure = kind.open(arena);
        assertThat(structure.size()).isZero();
        if (kind != NumberedStructure.Kind.TABLE || i % 2 == 0) {
            structure.put(0, i);
            assertThat(structure.contents()).containsExactly(Map.entry(0, (long) i));
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("full")
    void free_aThousandTimes_givesBackAddressesAndFiles(NumberedStructure.Kind kind) throws IOException {
        free(kind, CYCLES);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("slow")
    void free_tenThousandTimes_givesBackAddressesAndFiles(NumberedStructure.Kind kind) throws IOException {
        free(kind, MANY_CYCLES);
    }

    private void free(NumberedStructure.Kind kind, int cycles) throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.structures().longTree("other").put(1, 2);
            for (int i = 0; i < cycles; i++) {
                use(kind, arena, i);
                arena.names().free(TestTree.NAME);
            }
            arena.force();
            assertThat(arena.structures().longTree("other").get(1, -1)).isEqualTo(2);
            try (Stream<Path> files = Files.list(directory)) {
                assertThat(files.filter(file -> file.getFileName().toString().matches("memory-[0-9]+"))).hasSize(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void free_ofMemoryOfAPreviousOwner_givesBackItsFile(NumberedStructure.Kind kind) throws IOException {
        TestFileSystem.assumeHoles(directory);
        using(InfiniteArena.ofShared(base), arena -> use(kind, arena, 2));
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            arena.names().free(TestTree.NAME);
            use(kind, arena, 3);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            arena.names().free(TestTree.NAME);
            arena.force();
            try (Stream<Path> files = Files.list(directory)) {
                assertThat(files.filter(file -> file.getFileName().toString().matches("memory-[0-9]+"))).isEmpty();
            }
        }
    }

    @Test
    void anotherStructure_atAddressesThatAreUsedAgain_isNotReachedByEarlierSegments() {
        TestFileSystem.assumeHoles(directory);
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            GrowableTable<Row> freed = arena.structures().table("x", Row.class);
            freed.append(new Row(7));
            MemorySegment segment = freed.segment();
            arena.names().free("x");
            arena.force();
            GrowableTable<Row> next = arena.structures().table("x", Row.class);
            next.append(new Row(8));
            assertThat(next.segment().address()).isGreaterThan(segment.address() + segment.byteSize());
            assertThat(segment.get(JAVA_LONG, 0)).isZero();
            assertThatIllegalStateException().isThrownBy(() -> freed.append(new Row(9)));
            assertThatIllegalStateException().isThrownBy(() -> freed.get(0));
        }
    }

    @Test
    void table_ofMemoryWithoutACount_isRefused() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            StructType type = RecordMapper.of(Row.class).type();
            arena.names().growable("x", type, 10).grow(24);
            assertThatIllegalStateException().isThrownBy(() -> arena.structures().table("x", Row.class))
                    .withMessageContaining("name=x, byteSize=24");
            try (ArenaImage image = ArenaImage.attach(base); Arena reader = Arena.ofShared()) {
                assertThatExceptionOfType(IllegalStateException.class)
                        .isThrownBy(() -> image.structures(reader).table("x", Row.class))
                        .withMessageContaining("name=x, byteSize=24");
            }
            arena.names().growable("x", type, 1).elementCount(3);
            assertThat(arena.structures().table("x", Row.class).size()).isEqualTo(3);
        }
    }

    @Test
    @Tag("full")
    void free_besideSmallerMemory_givesBackAllOtherAddresses() {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            for (int i = 0; i < CYCLES; i++) {
                arena.structures().table("x", Row.class).append(new Row(i));
                arena.names().free("x");
                arena.names().growable("small " + i, RecordMapper.of(Row.class).type(), 10);
            }
        }
    }

    @Test
    void free_whoseSpaceCannotBeFreed_freesTheName() throws IOException {
        TestFileSystem.assumeHoles(directory);
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            for (String name : List.of("a", "b", "c", "d")) {
                arena.structures().table(name, Row.class).append(new Row(7));
            }
            Path replaced = directory.resolve("memory-0");
            Files.move(replaced, directory.resolve("moved"));
            Files.createFile(replaced);
            assertThatThrownBy(() -> List.of("a", "b", "c", "d").forEach(arena.names()::free))
                    .isInstanceOf(UncheckedIOException.class);
            assertThat(arena.names().list()).isEmpty();
            assertThat(arena.structures().table("d", Row.class).append(new Row(8))).isZero();
        }
    }
}
