package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.catalog.CatalogEntry;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.catalog.CatalogScan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Changes a catalog at random, and checks that all that is read from it is correct and that missing records are
/// reported.
final class ImageCorruption {
    private static final int LINE = 64;
    private static final int PIECES = 6;
    private static final long CHUNK = 1 << 14;

    private final Path directory;
    private final Path base;
    private final Path catalog;
    private final byte[] original;
    private final int end;
    private final List<Path> files;
    private final Map<Allocation, Boolean> allocations;
    private int opened;
    private int reopened;
    private int falseSlots;

    ImageCorruption(Path directory) throws IOException {
        this.directory = directory;
        base = directory.resolve("memory");
        catalog = directory.resolve("memory.catalog");
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(CHUNK).build()) {
            make(arena, 0, PIECES / 2);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).catalog(CatalogLevel.FULL).reopen()) {
            make(arena, PIECES / 2, PIECES);
        }
        try (ArenaImage image = ArenaImage.open(base)) {
            allocations = new HashMap<>();
            image.allocations().forEach(allocation -> allocations.put(anonymous(allocation), allocation.isLive()));
            if (allocations.size() != PIECES * ImagePiece.THREADS
                    || image.integrity().problems().findAny().isPresent()) {
                throw new IllegalStateException("No sound image to begin with: " + allocations);
            }
        }
        original = Files.readAllBytes(catalog);
        end = (int) ByteBuffer.wrap(original).order(ByteOrder.LITTLE_ENDIAN).getLong(LINE);
        files = TestFileSystem.list(directory);
    }

    private static void make(InfiniteArena arena, int from, int to) {
        for (int n = from; n < to; n++) {
            for (int thread = 0; thread < ImagePiece.THREADS; thread++) {
                ImagePiece piece = new ImagePiece(thread, n);
                piece.write(piece.allocate(arena));
                if (piece.isFreed()) {
                    arena.names().free(piece.name().orElseThrow());
                } else if (piece.name().isPresent()) {
                    arena.names().seal(piece.name().get());
                }
            }
        }
    }

    /// The allocation without the values that depend on other records: its index and its state.
    static Allocation anonymous(Allocation of) {
        return new Allocation(0, of.name(), of.typeText(), of.file(), of.byteOffset(), of.byteSize(),
                of.partByteSize(), of.byteAlignment(), true, of.time(), of.thread(),
                of.elementCount(), of.storedCount());
    }

    /// The arguments are a directory and the number of changes. Prints the first failure, or how many images could be
    /// opened and reopened, and how many records passed their check by chance.
    public static void main(String[] arguments) throws IOException {
        ImageCorruption corruption = new ImageCorruption(Path.of(arguments[0]));
        int mutations = Integer.parseInt(arguments[1]);
        for (int seed = 0; seed < mutations; seed++) {
            corruption.write(corruption.change(new SplittableRandom(seed)));
            List<String> wrong = corruption.check(seed % 4 == 0);
            if (seed % 4 == 0) {
                wrong.addAll(corruption.reopen());
            }
            if (!wrong.isEmpty()) {
                System.out.println("seed=" + seed + ": " + wrong);
                return;
            }
        }
        System.out.println(corruption.opened + " " + corruption.reopened + " " + corruption.falseSlots);
    }

    /// Overwrites a file. Truncating it to 0 first would make some file systems write it to the device immediately.
    void write(byte[] changed) throws IOException {
        try (FileChannel channel = FileChannel.open(catalog, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(changed), 0);
            channel.truncate(changed.length);
        }
    }

    /// Reads all that can be read.
    ///
    /// @param wantsAll whether to read the contents of the allocations, too
    private List<String> check(boolean wantsAll) throws IOException {
        List<String> wrong = new ArrayList<>();
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            opened++;
            List<ImageIntegrity.Problem> problems = image.integrity().problems().toList();
            Map<Allocation, Boolean> found = new HashMap<>();
            for (Allocation allocation : image.allocations().toList()) {
                Allocation anonymous = anonymous(allocation);
                Boolean isLive = allocations.get(anonymous);
                if (isLive == null || found.put(anonymous, isLive) != null) {
                    if (allocation.name().isEmpty() && !problems.isEmpty()) {
                        // The check of a slot has 16 bits.
                        falseSlots++;
                    } else {
                        wrong.add("false " + allocation);
                    }
                } else if (isLive != allocation.isLive()
                        && problems.stream()
                                .noneMatch(problem -> problem.allocation().equals(Optional.of(allocation)))) {
                    wrong.add("other state, and no problem: " + allocation);
                }
                if (wantsAll) {
                    if (isLive != null && !image.integrity().damage(allocation).isEmpty()) {
                        wrong.add("false damage " + allocation);
                    }
                    image.type(allocation);
                    image.segment(allocation, arena);
                }
            }
            for (Allocation allocation : image.allocations().toList()) {
                // Each look-up costs as much as reading all allocations.
                if (allocation.hashCode() % 8 == 0 && allocation.isLive() && image.find(allocation.label()).isEmpty()) {
                    wrong.add("not found " + allocation);
                }
            }
            if (found.size() < allocations.size() && problems.isEmpty()) {
                wrong.add("missing, and no problem: " + (allocations.size() - found.size()));
            }
            if (!image.owners().stream().map(OwnerRecord::pid).toList().equals(ownersOfWholeCatalog())) {
                wrong.add("other owners than in a scan that checks all entries");
            }
            if (image.ownerIsAlive()) {
                wrong.add("owner is alive");
            }
        } catch (IOException _) {
            // An image without a valid header is refused.
        }
        return wrong;
    }

    private List<Long> ownersOfWholeCatalog() throws IOException {
        List<Long> owners = new ArrayList<>();
        try (CatalogReader reader = CatalogReader.open(ImageFiles.catalog(base))) {
            CatalogScan scan = CatalogScan.of(reader);
            for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
                if (entry instanceof CatalogEntry.Opened opened) {
                    owners.add(opened.pid());
                }
            }
        }
        return owners;
    }

    private List<String> reopen() throws IOException {
        List<String> wrong = new ArrayList<>();
        List<Allocation> survivors;
        try (ArenaImage image = ArenaImage.open(base)) {
            survivors = image.allocations().toList();
        } catch (IOException _) {
            survivors = List.of();
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            reopened++;
            for (int i = 0; i < 3; i++) {
                arena.names().allocate("new-" + i, JAVA_LONG, 300);
            }
            arena.allocate(100, 1);
            for (Allocation survivor : survivors) {
                if (survivor.isLive() && survivor.name().isPresent()) {
                    ImagePiece piece = ImagePiece.ofName(survivor.name().get());
                    if (arena.names().find(survivor.name().get()).filter(piece::isWritten).isEmpty()) {
                        wrong.add("not found after reopening " + survivor);
                    }
                }
            }
        } catch (UncheckedIOException _) {
            // The image is refused.
        }
        try (ArenaImage image = ArenaImage.open(base)) {
            image.integrity()
                    .problems()
                    .filter(problem -> problem.description().startsWith("Overlaps"))
                    .forEach(problem -> wrong.add(problem.toString()));
            List<Allocation> after = image.allocations().toList();
            if (!after.stream()
                    .map(ImageCorruption::anonymous)
                    .toList()
                    .containsAll(
                            survivors.stream().map(ImageCorruption::anonymous).toList())) {
                wrong.add("lost by reopening");
            }
        } catch (IOException _) {
            // The image is refused.
        }
        for (Path file : TestFileSystem.list(directory)) {
            if (!files.contains(file)) {
                Files.delete(file);
            }
        }
        return wrong;
    }

    byte[] change(SplittableRandom random) {
        byte[] bytes = original.clone();
        int at = random.nextInt(end);
        int length = 1 + random.nextInt(random.nextBoolean() ? 8 : 200);
        ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        switch (random.nextInt(12)) {
            case 0, 1 -> {
                for (int i = 0; i < 1 + length / 50; i++) {
                    bytes[random.nextInt(end)] ^= (byte) (1 << random.nextInt(8));
                }
            }
            case 2 -> {
                byte[] garbage = new byte[length];
                random.nextBytes(garbage);
                System.arraycopy(garbage, 0, bytes, at, length);
            }
            case 3 -> Arrays.fill(bytes, at, at + length, (byte) 0);
            // Clear whole lines, as if they had never been written.
            case 4 -> {
                int line = line(random);
                Arrays.fill(bytes, line, Math.min(end, line + LINE * (1 + length / 50)), (byte) 0);
            }
            case 5 -> System.arraycopy(original, line(random), bytes, line(random), LINE);
            case 6 -> System.arraycopy(original, line(random), bytes, LINE * 2, LINE * (1 + random.nextInt(4)));
            case 7 -> bytes = Arrays.copyOf(bytes, random.nextInt(end));
            case 8 -> {
                bytes = Arrays.copyOf(bytes, bytes.length + length);
                byte[] garbage = new byte[length];
                random.nextBytes(garbage);
                System.arraycopy(garbage, 0, bytes, bytes.length - length, length);
            }
            case 9 -> words.putLong(LINE, number(random));
            case 10 -> words.putInt(line(random) + 12, (int) number(random));
            default -> words.putInt(4 * random.nextInt(LINE / 4), (int) number(random));
        }
        return bytes;
    }

    private int line(SplittableRandom random) {
        return random.nextInt(end / LINE) * LINE;
    }

    private long number(SplittableRandom random) {
        return switch (random.nextInt(5)) {
            case 0 -> line(random);
            case 1 -> random.nextInt(300);
            case 2 -> Long.MAX_VALUE - random.nextInt(100);
            case 3 -> (long) Integer.MAX_VALUE * LINE;
            default -> random.nextLong();
        };
    }
}
