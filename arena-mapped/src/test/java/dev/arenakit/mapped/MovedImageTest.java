package dev.arenakit.mapped;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.catalog.BootId;
import dev.arenakit.mapped.internal.column.TableRows;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Tests images that another machine reads, which has another boot id.
class MovedImageTest extends InDirectory {
    private static final long HERE = BootId.current();
    private static final long ELSEWHERE = HERE + 1;
    private static final int FORCED = 2;
    private static final int STORED = 5;

    private final Path copy = directory.resolve("copy");

    record Event(long id) {}

    record Note(@Length(4) String text) {}

    /// The ways to copy an image by this library.
    enum Copying {
        COPY {
            @Override
            void copy(Path from, Path to) throws IOException {
                using(ArenaImage.open(from), image -> image.copyTo(to));
            }
        },
        REPAIR {
            @Override
            void copy(Path from, Path to) throws IOException {
                assertThat(ImageFiles.repair(from, to)).isEmpty();
            }
        };

        abstract void copy(Path from, Path to) throws IOException;
    }

    /// Leaves the files of a process that was killed.
    @BeforeEach
    void kill() throws IOException {
        assumeTrue(HERE != BootId.UNKNOWN, "needs the id of the boot");
        InfiniteArena arena = InfiniteArena.ofShared(base);
        GrowableTable<Event> log = arena.structures().table("log", Event.class);
        for (int i = 0; i < STORED; i++) {
            put(arena, i);
            log.append(new Event(i));
            if (i + 1 == FORCED) {
                arena.force();
            }
        }
        KilledOwner.kill(arena);
    }

    private static void put(InfiniteArena arena, int i) {
        arena.structures().longMap("longs").put(i, i);
        arena.structures().longTree("times").put(i, i);
        arena.structures().tree("names", String.class, Event.class).put("name " + i, new Event(i));
    }

    private static InfiniteArena open(Path image, long boot) {
        return InfiniteArena.builder(image).boot(boot).reopen();
    }

    private static List<Long> ids(GrowableTable<Event> log) {
        return log.stream().map(Event::id).toList();
    }

    private static List<String> problems(Path image, long boot) throws IOException {
        return read(ArenaImage.open(image, boot),
                opened -> opened.integrity()
                        .problems()
                        .filter(problem -> !problem.isNote())
                        .map(ImageIntegrity.Problem::description)
                        .toList());
    }

    @ParameterizedTest
    @EnumSource(Copying.class)
    void copy_ofAKilledProcess_isCompleteOnAnotherMachine(Copying copying) throws IOException {
        copying.copy(base, copy);
        assertThat(problems(copy, ELSEWHERE)).isEmpty();
        try (InfiniteArena arena = open(copy, ELSEWHERE)) {
            assertThat(ids(arena.structures().table("log", Event.class))).containsExactly(0L, 1L, 2L, 3L, 4L);
            assertComplete(arena, STORED);
            put(arena, STORED);
        }
        using(open(copy, ELSEWHERE + 1), arena -> assertComplete(arena, STORED + 1));
    }

    private static void assertComplete(InfiniteArena arena, int count) {
        assertThat(arena.structures().longMap("longs").size()).isEqualTo(count);
        assertThat(arena.structures().longTree("times").size()).isEqualTo(count);
        assertThat(arena.structures().tree("names", String.class, Event.class).size()).isEqualTo(count);
    }

    /// The header of the map was copied before the restarted owner changed the map.
    @Test
    void copy_whileItsOwnerIsRestarted_isNotTrusted() throws IOException {
        boolean[] isRestarted = {false};
        try (ArenaImage image = ArenaImage.open(base)) {
            Path longs = ImageFiles.data(copy, image.find("longs").orElseThrow().file());
            image.copyTo(copy, _ -> {
                if (!isRestarted[0] && longs.toFile().length() > 0) {
                    isRestarted[0] = true;
                    using(open(base, HERE), arena -> put(arena, STORED));
                }
            });
        }
        assertThat(isRestarted[0]).isTrue();
        try (InfiniteArena arena = open(copy, HERE)) {
            assertThatIllegalStateException().isThrownBy(() -> arena.structures().longMap("longs"))
                    .withMessageContaining("may be incomplete");
            arena.structures().repair("longs");
            assertThat(arena.structures().longMap("longs").size()).isGreaterThanOrEqualTo(STORED);
        }
    }

    @ParameterizedTest
    @EnumSource(Copying.class)
    void copy_ofASealedStructure_isNotDamaged(Copying copying) throws IOException {
        InfiniteArena owner = open(base, HERE);
        put(owner, STORED);
        owner.names().seal("longs");
        KilledOwner.kill(owner);
        copying.copy(base, copy);
        try (ArenaImage image = ArenaImage.open(copy)) {
            Allocation longs = image.find("longs").orElseThrow();
            assertThat(image.integrity().seal(longs)).isPresent();
            assertThat(image.integrity().damage(longs)).isEmpty();
            try (RandomAccessFile file = new RandomAccessFile(image.file(longs.file()).toFile(), "rw")) {
                file.seek(80);
                file.write(1);
            }
            assertThat(image.integrity().damage(longs)).isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void copy_truncatedStructure_isNotComplete(boolean isRepaired) throws IOException {
        try (ArenaImage image = ArenaImage.open(base)) {
            Path longs = image.file(image.find("longs").orElseThrow().file());
            try (RandomAccessFile file = new RandomAccessFile(longs.toFile(), "rw")) {
                file.setLength(file.length() - 4096);
            }
            if (!isRepaired) {
                image.copyTo(copy);
            }
        }
        if (isRepaired) {
            assertThat(ImageFiles.repair(base, copy)).anyMatch(ImageFiles.Repair::isLoss);
        }
        using(open(copy, ELSEWHERE),
                arena -> assertThatIllegalStateException().isThrownBy(() -> arena.structures().longMap("longs"))
                        .withMessageContaining("may be incomplete"));
    }

    /// The first change of the copy is lost with the power, and nothing that the copy had.
    @Test
    void copy_treeOfAKilledProcess_isTheForcedTree() throws IOException {
        Copying.COPY.copy(base, copy);
        InfiniteArena owner = open(copy, ELSEWHERE);
        put(owner, STORED);
        KilledOwner.kill(owner);
        try (InfiniteArena arena = open(copy, ELSEWHERE + 1)) {
            assertThat(arena.structures().longTree("times").size()).isEqualTo(STORED);
            assertThatIllegalStateException().isThrownBy(() -> arena.structures().longMap("longs"))
                    .withMessageContaining("when the machine failed, or the image was moved");
        }
    }

    @Test
    void copy_onAnotherMachine_keepsTheStoredNumber() throws IOException {
        using(ArenaImage.open(base, ELSEWHERE), image -> image.copyTo(copy));
        assertThat(problems(copy, ELSEWHERE)).anyMatch(problem -> problem.contains("stored=5, forced=2"));
        using(open(copy, ELSEWHERE),
                arena -> assertThat(arena.structures().table("log", Event.class).size()).isEqualTo(FORCED));
    }

    @Test
    void close_rowsThatWereNotForced_areForced() throws IOException {
        using(open(base, HERE), arena -> arena.structures().table("log", Event.class).append(new Event(STORED)));
        using(open(base, ELSEWHERE),
                arena -> assertThat(arena.structures().table("log", Event.class).size()).isEqualTo(STORED + 1));
        assertThat(problems(base, ELSEWHERE + 1)).noneMatch(problem -> problem.contains("forced="));
    }

    @Test
    void problems_movedImage_areNoNotes() throws IOException {
        assertThat(problems(base, HERE)).isEmpty();
        try (ArenaImage image = ArenaImage.open(base, ELSEWHERE)) {
            assertThat(image.integrity().problems().filter(problem -> !problem.isNote())).singleElement()
                    .matches(problem -> problem.allocation().orElseThrow().label().equals("log"))
                    .extracting(ImageIntegrity.Problem::description)
                    .asString()
                    .contains("stored=5, forced=2", "arena copy", "acceptUnforced");
            assertThat(image.find("log").orElseThrow().storedCount()).hasValue(STORED);
            assertThat(image.find("log").orElseThrow().elementCount()).hasValue(FORCED);
        }
    }

    @Test
    void table_movedImage_keepsTheRows() throws IOException {
        for (int i = 0; i < 2; i++) {
            try (InfiniteArena arena = open(base, ELSEWHERE)) {
                GrowableTable<Event> log = arena.structures().table("log", Event.class);
                arena.structures().table("log", Event.class);
                assertThat(log.size()).isEqualTo(FORCED);
                assertThat(log.get(1)).isEqualTo(new Event(1));
                arena.force();
            }
        }
        assertThat(problems(base, ELSEWHERE)).anyMatch(problem -> problem.contains("stored=5, forced=2"));
    }

    @Test
    void acceptUnforced_movedImage_countsAllRows() throws IOException {
        try (InfiniteArena arena = open(base, ELSEWHERE)) {
            GrowableTable<Event> log = arena.structures().table("log", Event.class);
            assertThat(log.acceptUnforced()).isEqualTo(STORED);
            assertThat(ids(log)).containsExactly(0L, 1L, 2L, 3L, 4L);
            assertThat(log.append(new Event(5))).isEqualTo(STORED);
            assertThat(log.acceptUnforced()).isEqualTo(STORED + 1);
        }
        using(open(base, ELSEWHERE + 1),
                arena -> assertThat(arena.structures().table("log", Event.class).size()).isEqualTo(STORED + 1));
    }

    @Test
    void append_movedImage_replacesRowsThatWereNotForced() throws IOException {
        try (InfiniteArena arena = open(base, ELSEWHERE)) {
            GrowableTable<Event> log = arena.structures().table("log", Event.class);
            assertThat(log.append(new Event(77))).isEqualTo(FORCED);
            assertThat(log.acceptUnforced()).isEqualTo(FORCED + 1);
            assertThat(ids(log)).containsExactly(0L, 1L, 77L);
        }
        assertThat(problems(base, ELSEWHERE)).noneMatch(problem -> problem.contains("forced="));
    }

    @Test
    void append_movedImageAndARowThatDoesNotFit_keepsRowsThatWereNotForced() throws IOException {
        Path notes = directory.resolve("notes");
        InfiniteArena owner = InfiniteArena.ofShared(notes);
        owner.structures().table("notes", Note.class).appendAll(List.of(new Note("a"), new Note("b")));
        KilledOwner.kill(owner);
        Note refused = new Note("too long");
        try (InfiniteArena arena = open(notes, ELSEWHERE)) {
            GrowableTable<Note> table = arena.structures().table("notes", Note.class);
            assertThatIllegalArgumentException().isThrownBy(() -> table.append(refused));
            assertThatIllegalArgumentException().isThrownBy(() -> table.appendAll(List.of(refused)));
        }
        try (InfiniteArena arena = open(notes, ELSEWHERE)) {
            GrowableTable<Note> table = arena.structures().table("notes", Note.class);
            assertThat(table.acceptUnforced()).isEqualTo(2);
            assertThat(table.stream()).containsExactly(new Note("a"), new Note("b"));
        }
    }

    /// SQL and Spark read no rows that can be lost without a warning.
    @Test
    void tableRows_nothingWasForced_areNone() throws IOException {
        Path notes = directory.resolve("notes");
        InfiniteArena owner = InfiniteArena.ofShared(notes);
        owner.structures().table("notes", Note.class).append(new Note("a"));
        KilledOwner.kill(owner);
        StructType type = RecordMapper.of(Note.class).type();
        using(ArenaImage.open(notes, ELSEWHERE),
                image -> assertThat(TableRows.of(image.find("notes").orElseThrow(), type))
                        .isEqualTo(new TableRows(List.of(), true)));
        using(ArenaImage.open(notes, HERE),
                image -> assertThat(TableRows.of(image.find("notes").orElseThrow(), type).parts()).singleElement()
                        .extracting(AllocationPart::byteSize)
                        .isEqualTo(type.byteSize()));
    }

    /// The later entries of a tree are lost, unless the image is copied where its owner was killed.
    @Test
    @Tag("full")
    void open_movedImage_warnsOfWhatDoesNotCount() throws Exception {
        Process child = new ProcessBuilder(ChildJvm.granted().command(Child.class, base.toString()).command())
                .redirectErrorStream(true)
                .start();
        String output = new String(child.getInputStream().readAllBytes(), UTF_8);
        assertThat(child.waitFor()).as(output).isZero();
        assertThat(output.lines().filter(line -> line.startsWith("WARNING: "))).satisfiesExactly(
                reading -> assertThat(reading).contains("name=log, ", "stored=5, forced=2"),
                rows -> assertThat(rows).contains("the image was moved", "name=log, ", "stored=5, forced=2",
                        "acceptUnforced"),
                tree -> assertThat(tree).contains("the image was moved", "name=times, ", "stored=5, forced=2"));
        assertThat(output.lines().filter(line -> line.matches("\\d .*"))).containsExactly("2 rows", "5 rows", "2 keys",
                "6 rows");
    }

    /// Opens the image on another machine.
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) throws IOException {
            Path image = Path.of(arguments[0]);
            try (ArenaImage opened = ArenaImage.open(image, ELSEWHERE); Arena arena = Arena.ofConfined()) {
                System.out.println(opened.structures(arena).table("log", Event.class).size() + " rows");
            }
            try (InfiniteArena arena = open(image, ELSEWHERE)) {
                arena.structures().table("log", Event.class);
                System.out.println(arena.structures().table("log", Event.class).acceptUnforced() + " rows");
                System.out.println(arena.structures().longTree("times").size() + " keys");
            }
            try (InfiniteArena arena = open(image, ELSEWHERE + 1)) {
                GrowableTable<Event> log = arena.structures().table("log", Event.class);
                log.append(new Event(STORED));
                arena.structures().longTree("times").put(1, 2);
                System.out.println(log.size() + " rows");
            }
        }
    }
}
