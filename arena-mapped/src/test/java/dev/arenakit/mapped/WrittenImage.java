package dev.arenakit.mapped;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// The checks of one image whose allocations are [ImagePiece]s, after its process was killed or the power was lost.
final class WrittenImage {
    private static final int ALLOCATIONS = 100;
    private static final byte MARK = 0x5a;

    private final Path base;
    private final ImageProgress.Known forced;
    private final int forcedSmall;
    private final ImageProgress.Known known;
    private final List<String> wrong = new ArrayList<>();

    /// @param forced      the progress before the last `force()` that has returned, or at the end of a killed process
    /// @param forcedSmall the number of small allocations at the same time
    /// @param known       the progress at the end
    WrittenImage(Path base, ImageProgress.Known forced, int forcedSmall, ImageProgress.Known known) {
        this.base = base;
        this.forced = forced;
        this.forcedSmall = forcedSmall;
        this.known = known;
    }

    /// Reads the image, reopens it, allocates, and reads it again.
    ///
    /// @param seed the seed of the sizes that are allocated
    /// @return what is wrong
    List<String> check(int seed) {
        try {
            checkRecords();
            reopen(new SplittableRandom(seed));
        } catch (IOException | UncheckedIOException e) {
            wrong.add("not read: " + e);
        }
        return wrong;
    }

    private void checkRecords() throws IOException {
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            List<Allocation> all = image.allocations().toList();
            Set<ImagePiece> found = new HashSet<>();
            BitSet small = new BitSet();
            for (Allocation allocation : all) {
                if (allocation.byteSize() == PowerLossChild.SMALL_BYTE_SIZE) {
                    addSmall(allocation, image, arena, small);
                    continue;
                }
                Optional<ImagePiece> piece = pieceOf(allocation).filter(known::mayBeAllocated);
                if (piece.isEmpty()) {
                    wrong.add("false record: " + allocation);
                } else {
                    check(piece.get(), allocation, image, arena);
                    expect(found.add(piece.get()), "recorded twice: " + allocation);
                }
            }
            for (int thread = 0; thread < ImagePiece.THREADS; thread++) {
                for (int n = 0; n < forced.allocated(thread); n++) {
                    expect(found.contains(new ImagePiece(thread, n)), "lost: " + thread + "-" + n);
                }
            }
            expect(small.nextClearBit(0) >= forcedSmall,
                    "lost: small " + small.nextClearBit(0) + " of " + forcedSmall);
            wrong.addAll(ImagePiece.overlaps(all));
        }
    }

    private static void addSmall(Allocation allocation, ArenaImage image, Arena arena, BitSet small) {
        try {
            int number = (int) image.segment(allocation, arena).get(JAVA_LONG_UNALIGNED, 0);
            small.set(Math.clamp(number, 0, Short.MAX_VALUE * 100));
        } catch (IOException _) {
            // It was not forced, and its file is not on the disk.
        }
    }

    private static Optional<ImagePiece> pieceOf(Allocation allocation) {
        try {
            ImagePiece piece = allocation.name()
                    .map(ImagePiece::ofName)
                    .orElseGet(() -> ImagePiece.ofSize(allocation.byteSize()));
            return Optional.of(piece).filter(made -> made.isRecordedBy(allocation));
        } catch (ArithmeticException | IndexOutOfBoundsException | NumberFormatException _) {
            return Optional.empty();
        }
    }

    private void check(ImagePiece piece, Allocation allocation, ArenaImage image, Arena arena) {
        expect(allocation.isLive() ? !forced.isFreed(piece) : known.mayBeFreed(piece), "state: " + allocation);
        if (forced.isWritten(piece) && (allocation.isLive() || !PowerLossChild.losesContents(piece))) {
            try {
                expect(piece.isWritten(image.segment(allocation, arena)), "contents: " + allocation);
            } catch (IOException e) {
                wrong.add("unreadable: " + e);
            }
        }
    }

    private void reopen(SplittableRandom random) throws IOException {
        InfiniteArena reopened;
        try {
            reopened = InfiniteArena.builder(base).reopen();
        } catch (UncheckedIOException e) {
            wrong.add("not reopened: " + e.getCause());
            return;
        }
        try (InfiniteArena arena = reopened) {
            int dirty = 0;
            for (int i = 0; i < ALLOCATIONS; i++) {
                int byteSize = 1 + random.nextInt(1 << (4 + random.nextInt(13)));
                MemorySegment memory = i % 10 == 0
                        ? arena.names().allocate("later-" + i, JAVA_BYTE, byteSize)
                        : arena.allocate(byteSize, 1L << random.nextInt(9));
                dirty += memory.mismatch(MemorySegment.ofArray(new byte[byteSize])) < 0 ? 0 : 1;
                memory.fill(MARK);
            }
            expect(dirty == 0, "not zeroed: " + dirty + " of " + ALLOCATIONS);
            forForcedNames((name, piece) -> {
                Optional<MemorySegment> memory = arena.names().find(name, piece.type().orElseThrow());
                expect(memory.isPresent() || known.mayBeFreed(piece), "not found: " + name);
                memory.ifPresent(found -> expect(piece.isWritten(found), "contents after reopening: " + name));
            });
        }
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            Map<String, Allocation> names = image.allocations()
                    .filter(allocation -> allocation.name().isPresent())
                    .collect(Collectors.toMap(allocation -> allocation.name().orElseThrow(),
                            allocation -> allocation,
                            (_, second) -> second));
            for (int i = 0; i < ALLOCATIONS; i += 10) {
                Allocation later = names.get("later-" + i);
                expect(later != null && image.segment(later, arena).get(JAVA_BYTE, later.byteSize() - 1) == MARK,
                        "lost after reopening: later-" + i);
            }
            forForcedNames((name, _) -> expect(names.containsKey(name), "lost after reopening: " + name));
        }
    }

    private void forForcedNames(NameConsumer consumer) {
        for (int thread = 0; thread < ImagePiece.THREADS; thread++) {
            for (int n = 0; n < forced.allocated(thread); n++) {
                ImagePiece piece = new ImagePiece(thread, n);
                if (piece.isNamed() && forced.isWritten(piece)) {
                    consumer.accept(piece.name().orElseThrow(), piece);
                }
            }
        }
    }

    private void expect(boolean condition, String otherwise) {
        if (!condition) {
            wrong.add(otherwise);
        }
    }

    /// Accepts a piece and its name.
    @FunctionalInterface
    private interface NameConsumer {
        void accept(String name, ImagePiece piece);
    }
}
