package dev.arenakit.tool;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/// Runs commands on images that are changed at random: each command ends, reports problems in lines, and writes nothing
/// but what it is told to. `-Dmutated.seed=N` repeats the case with that number.
@Tag("full")
class MutatedImageTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /// The exit code is 2 if no type is left that has the fields of a predicate.
    private static final Set<Integer> ANY = Set.of(0, 1, 2, 3);

    /// The engine takes longer to start than all other commands together.
    private static final int SQL_EVERY = 300;
    private static final String QUERIES = "select count(*), sum(id), min(symbol) from trades; from trades limit 3;"
            + " select side, count(*) from trades group by 1";
    private final Path directory;
    private final Path base;
    private final Path sound;
    private final Path copy;

    MutatedImageTest(@TempDir(factory = SharedMemory.class) Path parent) throws IOException {
        directory = Files.createDirectory(parent.resolve("images"));
        base = directory.resolve("changed");
        sound = directory.resolve("sound");
        copy = directory.resolve("copy");
    }

    /// This test takes some seconds, since it starts the engine of SQL.
    @Test
    void commands_changedImages_endWithoutTrace() throws IOException {
        Integer seed = Integer.getInteger("mutated.seed");
        if (seed == null) {
            run(0, 300);
        } else {
            run(seed, 1);
        }
    }

    /// This test takes some minutes.
    @Test
    @Tag("slow")
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void commands_hundredThousandChangedImages_endWithoutTrace() throws IOException {
        run(0, 100_000);
    }

    private void run(int first, int images) throws IOException {
        fill(base);
        fill(sound);
        String untyped = TestImage.label(base, 3);
        Set<String> places = places(base);
        List<Path> files = list(directory);
        MutatedImage image = new MutatedImage(base, 2);
        int problems = 0;
        for (int seed = first; seed < first + images; seed++) {
            image.change(seed);
            problems += check(seed, untyped, image.isForged() ? Set.of() : places);
            for (Path file : list(directory)) {
                if (!files.contains(file)) {
                    assertThat(file.getFileName().toString()).as("seed=%d", seed)
                            .matches("copy(-\\d+|\\.catalog|\\.lock)|changed(-\\d+|\\.lock)");
                    Files.delete(file);
                }
            }
        }
        assertThat(list(Objects.requireNonNull(directory.getParent()))).containsExactly(directory);
        assertThat(ToolRun.of("verify", "--data", sound.toString()).exitCode()).as("untouched image").isZero();
        if (images > 1) {
            assertThat(problems).as("commands that reported problems").isGreaterThan(images / 2);
        }
    }

    /// Runs one command.
    ///
    /// @param places the allocations that are there if no problem is found
    /// @return 1 if the command has found problems
    private int check(int seed, String untyped, Set<String> places) throws IOException {
        if (seed % SQL_EVERY == SQL_EVERY - 1) {
            return check(seed, "sql", base.toString(), QUERIES).exitCode() == 0 ? 0 : 1;
        }
        String[] args = switch (new SplittableRandom(~seed).nextInt(17)) {
            case 0 -> new String[]{"ls", base.toString()};
            case 1 -> new String[]{"ls", directory.toString(), "--json"};
            case 2 -> new String[]{"ls", base.toString(), "--sort", "disk"};
            case 3 -> new String[]{"show", base.toString(), "--limit", "3"};
            case 4 -> new String[]{"show", base.toString(), "tardes"};
            case 5 -> new String[]{"hexdump", "--in", base.toString(), "trades", untyped, "--annotate", "-n", "4K"};
            case 6 -> new String[]{"find", base.toString(), "--where", "id > 5 && price != 1", "--limit", "3"};
            case 7 -> new String[]{"find", base.toString(), "--bytes", "07 07 ?? 0?", "--count"};
            case 8 -> new String[]{"diff", sound.toString(), base.toString()};
            case 9 -> new String[]{"diff", base.toString(), sound.toString(), "--limit", "1"};
            case 10 -> new String[]{"purge", base.toString(), "--dry-run"};
            case 11 -> new String[]{"verify", "--data", base.toString()};
            case 12 -> new String[]{"repair", base.toString(), copy.toString()};
            case 13 -> new String[]{"copy", base.toString(), copy.toString()};
            case 14 -> new String[]{"seal", base.toString()};
            case 15 -> new String[]{};
            default -> new String[]{"verify", base.toString()};
        };
        if (args.length == 0) {
            return reopen(seed);
        }
        ToolRun run = check(seed, args);
        if (args[0].equals("verify") && run.exitCode() == 0 && !run.out().contains(": note: ")) {
            // Nothing covers the state of an entry, so that an allocation may seem to be freed.
            assertThat(places(base)).as("no problem, and yet lost: " + what(seed, args)).containsAll(places);
            assertThat(ToolRun.of("ls", base.toString()).exitCode()).as(what(seed, args)).isZero();
        }
        if (Set.of("repair", "copy").contains(args[0]) && run.exitCode() == 0) {
            check(seed, "verify", copy.toString());
        }
        return run.exitCode() == 0 ? 0 : 1;
    }

    private static ToolRun check(int seed, String... args) {
        ToolRun run = assertTimeoutPreemptively(PATIENCE, () -> ToolRun.of(args), () -> what(seed, args));
        assertThat(run.exitCode()).as(what(seed, args) + run.err()).isIn(ANY);
        assertThat(run.out() + run.err()).as(what(seed, args)).doesNotContain("\tat ", "Exception", "unexpected: ");
        if (run.exitCode() != 0) {
            assertThat(run.out() + run.err()).as(what(seed, args)).isNotBlank();
        }
        assertThat(run.err().lines()).as(what(seed, args)).allMatch(line -> line.startsWith("arena: "));
        return run;
    }

    /// Reopens the image, allocates, and attaches to it.
    ///
    /// @return 1 if the image is refused
    private int reopen(int seed) {
        return assertTimeoutPreemptively(PATIENCE, () -> {
            try (InfiniteArena arena = InfiniteArena.builder(base).reopen();
                    ArenaImage image = ArenaImage.attach(base)) {
                arena.names().allocate("new", JAVA_INT, 100).fill((byte) 1);
                assertThat(image.find("new")).isPresent();
                return 0;
            } catch (IOException | UncheckedIOException | CapacityExceededException _) {
                return 1;
            }
        }, () -> what(seed, "reopen"));
    }

    /// The places of all allocations.
    private static Set<String> places(Path of) throws IOException {
        try (ArenaImage image = ArenaImage.open(of)) {
            return image.allocations()
                    .map(it -> it.label() + " " + it.file() + " " + it.byteOffset() + " " + it.byteSize())
                    .collect(Collectors.toSet());
        }
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    private static String what(int seed, String... args) {
        return "seed=" + seed + ": " + String.join(" ", args) + "\n";
    }

    private static void fill(Path base) {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(1 << 14).build()) {
            MemorySegment trades = arena.names().allocate("trades", TestImage.TRADE, 100);
            for (int i = 0; i < 800; i++) {
                trades.setAtIndex(JAVA_INT, i, i * i);
            }
            arena.names().allocate("old", TestImage.TRADE, 10);
            arena.names().free("old");
            arena.names().allocate("prices", JAVA_DOUBLE, 1000).setAtIndex(JAVA_DOUBLE, 500, 2.5);
            arena.allocate(4000, 8).fill((byte) 1);
            arena.names().allocate("empty", TestImage.TRADE, 0);
            arena.names().allocate("more", JAVA_INT, 4000).fill((byte) 7);
            arena.names().seal("trades");
            arena.names().seal("more");
        }
    }

    /// An image whose files are changed at random: the catalog, the data, and the sizes of the files.
    static final class MutatedImage {
        private static final int LINE = 64;
        private static final long TEBIBYTE = 1L << 40;
        private static final int KINDS = 10;

        private final Path base;
        private final byte[] catalog;
        /// The end of the records in the catalog.
        private final int end;
        private final List<byte[]> data;
        private boolean isForged;

        /// @param base the base of a chunked image without a running owner
        MutatedImage(Path base, int files) throws IOException {
            this.base = base;
            catalog = Files.readAllBytes(base.resolveSibling(base.getFileName() + ".catalog"));
            end = (int) ByteBuffer.wrap(catalog).order(ByteOrder.LITTLE_ENDIAN).getLong(LINE);
            data = new ArrayList<>();
            for (int number = 0; number < files; number++) {
                data.add(Files.readAllBytes(data(number)));
            }
        }

        /// Whether the catalog has an entry that no owner has written and whose checksum is correct. It may have replaced
        /// another entry without a trace.
        boolean isForged() {
            return isForged;
        }

        private Path data(int number) {
            return base.resolveSibling(base.getFileName() + "-" + number);
        }

        /// Writes the files again, with other changes for each seed.
        void change(long seed) throws IOException {
            SplittableRandom random = new SplittableRandom(seed);
            byte[] changed = catalog.clone();
            isForged = false;
            for (int i = random.nextInt(4); i >= 0; i--) {
                changed = change(changed, random);
            }
            Path file = base.resolveSibling(base.getFileName() + ".catalog");
            write(file, changed);
            if (random.nextInt(16) == 0) {
                grow(file);
            }
            for (int number = 0; number < data.size(); number++) {
                byte[] bytes = data.get(number).clone();
                switch (random.nextInt(8)) {
                    case 0 -> Files.deleteIfExists(data(number));
                    case 1 -> write(data(number), Arrays.copyOf(bytes, random.nextInt(bytes.length)));
                    default -> {
                        bytes[random.nextInt(bytes.length)] ^= (byte) (1 + random.nextInt(255));
                        write(data(number), bytes);
                    }
                }
            }
        }

        private byte[] change(byte[] bytes, SplittableRandom random) {
            ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            int line = random.nextInt(end / LINE) * LINE;
            switch (random.nextInt(11)) {
                case 0 -> bytes[random.nextInt(end) % bytes.length] ^= (byte) (1 << random.nextInt(8));
                case 1 -> random.nextBytes(bytes);
                case 2 -> System.arraycopy(catalog, line, bytes, random.nextInt(bytes.length / LINE) * LINE,
                        LINE);
                case 3 -> words.putLong(line % (bytes.length - LINE) + 8 * random.nextInt(8), number(random));
                case 4 -> words.putInt(line % (bytes.length - LINE) + 4 * random.nextInt(16), (int) number(random));
                case 5 -> words.putLong(LINE, number(random));
                case 6 -> System.arraycopy(new byte[LINE], 0, bytes, line(bytes, random), LINE);
                case 7 -> swap(bytes, line(bytes, random), line(bytes, random));
                case 8 -> forge(words, line(bytes, random), random);
                case 9 -> {
                    return Arrays.copyOf(bytes, Math.max(4 * LINE, random.nextInt(end)));
                }
                default -> words.putInt(4 * random.nextInt(LINE / 4), (int) number(random));
            }
            return bytes;
        }

        private static int line(byte[] bytes, SplittableRandom random) {
            return random.nextInt(bytes.length / LINE) * LINE;
        }

        private static void swap(byte[] bytes, int line, int other) {
            byte[] kept = Arrays.copyOfRange(bytes, line, line + LINE);
            System.arraycopy(bytes, other, bytes, line, LINE);
            System.arraycopy(kept, 0, bytes, other, LINE);
        }

        /// Writes an entry of any kind, with random numbers and the checksum that belongs to them.
        private void forge(ByteBuffer bytes, int at, SplittableRandom random) {
            isForged = true;
            byte kind = (byte) random.nextInt(KINDS);
            bytes.putInt(at, at / LINE).putInt(at + 4, 1 + random.nextInt(3));
            bytes.put(at + 8, kind)
                    .put(at + 9, (byte) random.nextInt(64))
                    .putShort(at + 10, (short) random.nextInt(40));
            bytes.putInt(at + 12, random.nextInt(4) == 0 ? 10_000_000 : random.nextInt(4));
            for (int field = 16; field < 48; field += 8) {
                bytes.putLong(at + field, random.nextBoolean() ? number(random) : 64L * random.nextInt(300));
            }
            bytes.putLong(at + 48, 0);
            long hash = at / LINE;
            for (int field = 8; field < 56; field += 8) {
                hash = mix(hash, kind == 7 && field == 16 ? 0 : bytes.getLong(at + field));
            }
            bytes.putLong(at + 56, mix(mix(hash, 0), 0));
        }

        private static long mix(long hash, long word) {
            long mixed = (hash ^ word) + 0x9e37_79b9_7f4a_7c15L;
            mixed = (mixed ^ (mixed >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
            mixed = (mixed ^ (mixed >>> 27)) * 0x94d0_49bb_1331_11ebL;
            return mixed ^ (mixed >>> 31);
        }

        /// Adds a hole of a terabyte to a file.
        private static void grow(Path file) throws IOException {
            try (RandomAccessFile grown = new RandomAccessFile(file.toFile(), "rw")) {
                grown.setLength(TEBIBYTE);
            }
        }

        private static long number(SplittableRandom random) {
            return switch (random.nextInt(4)) {
                case 0 -> random.nextInt(100);
                case 1 -> Long.MAX_VALUE - random.nextInt(100);
                case 2 -> -random.nextInt(100);
                default -> random.nextLong();
            };
        }

        private static void write(Path file, byte[] bytes) throws IOException {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap(bytes), 0);
                channel.truncate(bytes.length);
            }
        }
    }
}
