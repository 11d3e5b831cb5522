package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Scenarios on a small disk, which they fill. They print what is wrong, and the last line is `done`.
final class FullDiskChild {
    private static final int THREADS = 2;

    private FullDiskChild() {}

    /// The kinds of arenas, as the second argument names them.
    static InfiniteArenaBuilder builder(Path directory, String kind) {
        InfiniteArenaBuilder builder = InfiniteArena.builder(directory.resolve("memory")).reserved();
        if (kind.contains("chunked")) {
            // Smaller than the disk, so that the arena makes several chunks.
            builder.chunked(kind.contains("small") ? 3L << 20 : 1L << 40);
        }
        if (kind.contains("confined")) {
            builder.confined();
        }
        return builder;
    }

    /// Fills the disk while freed allocations wait for their space to be freed. An allocation frees it.
    private static void freed(Path directory) throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(directory.resolve("memory")).chunked(64 << 20).build()) {
            MemorySegment large = arena.allocate(4 << 20, 1).fill((byte) 7);
            arena.free(large);
            Path filler = directory.resolve("filler");
            try (OutputStream output = Files.newOutputStream(filler)) {
                byte[] bytes = new byte[4096];
                while (true) {
                    output.write(bytes);
                }
            } catch (IOException _) {
                // The disk is full.
            }
            // The catalog must grow.
            for (int i = 0; i < 10_000; i++) {
                arena.names().allocate(Integer.toString(i), JAVA_BYTE, 8);
            }
            if (large.get(JAVA_BYTE, 0) != 0) {
                throw new AssertionError("nothing was freed");
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        ChildJvm.endWithParent();
        Path directory = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "fill" -> fill(directory, arguments[2]);
            case "reopen" -> reopen(directory);
            case "existing" -> existing(directory);
            case "prefault" -> prefault(directory);
            case "freed" -> freed(directory);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        System.out.println("done");
    }

    /// Allocates all of the disk, fills what is left by other means, and only then stores to every byte.
    private static void fill(Path directory, String kind) throws Exception {
        try (InfiniteArena arena = builder(directory, kind).build()) {
            List<MemorySegment> segments = new ArrayList<>(allocateAll(arena, kind));
            long free = directory.toFile().getUsableSpace();
            expect(free < (kind.contains("chunked") ? 2 << 20 : 64 << 10), "free=" + free);
            Path filler = fillRest(directory);
            expectFull(() -> arena.allocate(1 << 20, 1));
            segments.forEach(FullDiskChild::write);
            segments.forEach(segment -> expect(isWritten(segment), "bytes of " + segment));
            arena.force();
            long size = Files.size(filler);
            Files.delete(filler);
            if (size > 64 << 10 && !kind.contains("chunked")) {
                write(arena.allocate(1 << 10, 1));
            }
        }
    }

    /// Prefaults more than the disk holds.
    private static void prefault(Path directory) {
        try (InfiniteArena arena = InfiniteArena.ofShared(directory.resolve("memory"))) {
            MemorySegment small = arena.allocate(1 << 20, 1);
            arena.pages().prefault(small);
            MemorySegment large = arena.allocate(1 << 30, 1);
            expectFull(() -> arena.pages().prefault(large));
            write(small);
            arena.free(large);
            expect(directory.toFile().getUsableSpace() > 10 << 20, "space of a freed allocation");
            MemorySegment next = arena.allocate(1 << 20, 1);
            arena.pages().prefault(next);
            write(next);
        }
    }

    private static List<MemorySegment> allocateAll(InfiniteArena arena, String kind) throws InterruptedException {
        if (kind.contains("confined")) {
            return allocateAll(arena, new Random(42));
        }
        ConcurrentLinkedQueue<MemorySegment> all = new ConcurrentLinkedQueue<>();
        List<Thread> threads = Stream.iterate(0, i -> i + 1)
                .limit(THREADS)
                .map(seed -> Thread.ofPlatform().start(() -> all.addAll(allocateAll(arena, new Random(seed)))))
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        return List.copyOf(all);
    }

    /// Allocates memory of ever smaller sizes until the disk refuses a page.
    private static List<MemorySegment> allocateAll(InfiniteArena arena, Random random) {
        List<MemorySegment> segments = new ArrayList<>();
        for (int largest = 1 << 20; largest >= 16; largest /= 2) {
            try {
                while (segments.size() < 100_000) {
                    segments.add(arena.allocate(1 + random.nextInt(largest), 1L << random.nextInt(10)));
                }
            } catch (DiskFullException e) {
                expect(String.valueOf(e.getMessage()).contains("free space"), String.valueOf(e.getMessage()));
            }
        }
        return segments;
    }

    /// Fills a free range that a previous owner has left, and then the disk.
    private static void reopen(Path directory) throws IOException {
        Path base = directory.resolve("memory");
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().confined().build()) {
            write(arena.allocate(100, 1));
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).confined().reserved().reopen()) {
            List<MemorySegment> segments = allocateAll(arena, new Random(42));
            fillRest(directory);
            segments.forEach(FullDiskChild::write);
            expect(!Files.exists(ImageFiles.data(base, 1)), "a second chunk");
        }
    }

    /// Reserves an allocation that a sparse arena has made.
    private static void existing(Path directory) throws IOException {
        Path base = directory.resolve("memory");
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            arena.names().allocate("small", JAVA_BYTE, 2 << 20).set(JAVA_BYTE, 5, (byte) 5);
            arena.names().allocate("large", JAVA_BYTE, 1L << 30).set(JAVA_BYTE, 7, (byte) 7);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reserved().reopen()) {
            long free = directory.toFile().getUsableSpace();
            expectFull(() -> arena.names().get("large"));
            expect(free == directory.toFile().getUsableSpace(), "space of a refused allocation");
            MemorySegment small = arena.names().get("small");
            Path filler = fillRest(directory);
            expect(small.get(JAVA_BYTE, 5) == 5, "data");
            write(small);
            Files.delete(filler);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reserved().reopen()) {
            expect(isWritten(arena.names().get("small")), "bytes");
        }
    }

    private static void write(MemorySegment segment) {
        for (long i = 0; i < segment.byteSize(); i++) {
            segment.set(JAVA_BYTE, i, pattern(i, segment.byteSize()));
        }
    }

    /// Whether a segment contains what the scenarios write.
    private static boolean isWritten(MemorySegment segment) {
        for (long i = 0; i < segment.byteSize(); i++) {
            if (segment.get(JAVA_BYTE, i) != pattern(i, segment.byteSize())) {
                return false;
            }
        }
        return true;
    }

    private static byte pattern(long offset, long byteSize) {
        return (byte) ((offset * 31 + byteSize) | 1);
    }

    /// The number of allocations of an image. All of them contain the bytes that the scenarios write.
    static long checkWritten(Path base) throws IOException {
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            List<Allocation> all = image.allocations().toList();
            all.forEach(each -> expect(isWritten(segment(image, each, arena)), "bytes of " + each));
            expect(image.integrity().problems().findAny().isEmpty(), "problems of the image");
            return all.size();
        }
    }

    private static MemorySegment segment(ArenaImage image, Allocation allocation, Arena arena) {
        try {
            return image.segment(allocation, arena);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path fillRest(Path directory) throws IOException {
        Path filler = directory.resolve("filler");
        try (OutputStream out = Files.newOutputStream(filler)) {
            for (int size = 1 << 16; size > 0; size /= 2) {
                try {
                    while (true) {
                        out.write(new byte[size]);
                        out.flush();
                    }
                } catch (IOException _) {
                    // The disk has no room for so many bytes.
                }
            }
        }
        return filler;
    }

    static void expectFull(Runnable action) {
        try {
            action.run();
        } catch (DiskFullException _) {
            return;
        }
        expect(false, "no DiskFullException");
    }

    static void expect(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }
}
