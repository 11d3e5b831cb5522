package dev.arenakit.mapped;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// One of the allocations that writers in a child process make: the n-th of a thread. The parent knows them in advance.
/// Allocations without a name are identified by their size.
record ImagePiece(int thread, int n) {
    static final int THREADS = 4;
    private static final int LEAST_SIZE = 16;
    private static final List<StructType> SHAPES = IntStream.range(0, 16).mapToObj(ImagePiece::shape).toList();
    private static final List<String> TEXTS = SHAPES.stream().map(LayoutText::print).toList();
    /// The number of bytes written at each end of a piece, so that a large piece costs no more than a small one.
    private static final int MARKED = 48;

    /// The piece without a name that has the given size.
    static ImagePiece ofSize(long byteSize) {
        int id = Math.toIntExact(byteSize - LEAST_SIZE);
        return new ImagePiece(id % THREADS, id / THREADS);
    }

    /// The piece with the given name.
    static ImagePiece ofName(String name) {
        String[] parts = name.split("-", 3);
        return new ImagePiece(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
    }

    private int id() {
        return n * THREADS + thread;
    }

    private int random(int bound) {
        return Math.floorMod(Integer.reverseBytes((id() + 1) * 0x9e3779b1), bound);
    }

    boolean isNamed() {
        return random(3) != 0;
    }

    /// Whether it is freed after it was written.
    boolean isFreed() {
        return isNamed() && random(7) == 0;
    }

    /// The name, whose text takes from one to ten lines in the catalog.
    Optional<String> name() {
        return isNamed()
                ? Optional.of(thread + "-" + n + "-" + "long".repeat(random(2) * random(120)))
                : Optional.empty();
    }

    /// A type, whose text has some hundred bytes.
    Optional<StructType> type() {
        if (!isNamed()) {
            return Optional.empty();
        }
        return Optional.of(SHAPES.get(shape()));
    }

    private int shape() {
        return random(SHAPES.size());
    }

    private static StructType shape(int number) {
        int members = 3 + number * number / 6;
        return new StructType("Shape" + number,
                IntStream.range(0, members)
                        .mapToObj(i -> new Member("member" + i, 8L * i, MemoryType.of(ValueLayout.JAVA_LONG)))
                        .toList(),
                8L * members, 8);
    }

    int count() {
        return 1 + random(5);
    }

    long byteSize() {
        return type().map(type -> type.byteSize() * count()).orElse((long) LEAST_SIZE + id());
    }

    long byteAlignment() {
        return isNamed() ? 8 : 1L << random(7);
    }

    MemorySegment allocate(InfiniteArena arena) {
        return isNamed()
                ? arena.names().allocate(name().orElseThrow(), type().orElseThrow(), count())
                : arena.allocate(byteSize(), byteAlignment());
    }

    void write(MemorySegment memory) {
        for (long at = 0; at < memory.byteSize(); at = next(at)) {
            memory.set(JAVA_BYTE, at, mark(at));
        }
    }

    /// Whether memory contains the bytes of [#write].
    boolean isWritten(MemorySegment memory) {
        for (long at = 0; at < memory.byteSize(); at = next(at)) {
            if (memory.get(JAVA_BYTE, at) != mark(at)) {
                return false;
            }
        }
        return memory.byteSize() == byteSize();
    }

    private long next(long at) {
        return at + 1 == MARKED ? Math.max(MARKED, byteSize() - MARKED) : at + 1;
    }

    private byte mark(long at) {
        return (byte) (id() * 31L + at * 7 + 1);
    }

    /// Whether a record describes this piece.
    boolean isRecordedBy(Allocation allocation) {
        return allocation.name().equals(name()) && allocation.byteSize() == byteSize()
                && allocation.byteAlignment() == byteAlignment()
                && allocation.byteOffset() % byteAlignment() == 0
                && allocation.typeText().equals(isNamed() ? Optional.of(TEXTS.get(shape())) : Optional.empty());
    }

    /// What is wrong with allocations of a file that overlap.
    static List<String> overlaps(List<Allocation> all) {
        List<String> wrong = new ArrayList<>();
        all.stream().collect(Collectors.groupingBy(Allocation::file)).values().forEach(inFile -> {
            inFile.sort(Comparator.comparingLong(Allocation::byteOffset));
            for (int i = 1; i < inFile.size(); i++) {
                Allocation before = inFile.get(i - 1);
                if (before.byteOffset() + before.byteSize() > inFile.get(i).byteOffset()) {
                    wrong.add("overlap " + before + " " + inFile.get(i));
                }
            }
        });
        return wrong;
    }
}
