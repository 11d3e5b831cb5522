package dev.arenakit.mapped;

import dev.arenakit.collection.RingBuffer;
import dev.arenakit.collection.WaitStrategy;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// A process that sends messages to a ring in a file, or reads them, until it is killed.
///
/// Each producer has a number, which is the type of its messages. A message is the number of the message, repeated. A file
/// has a word for each producer: how many messages it has committed, or how many were read.
final class RingChild {
    static final int CAPACITY = 1 << 13;
    static final int PRODUCERS = 1 << 16;
    private static final VarHandle WORD = JAVA_LONG.varHandle().withInvokeExactBehavior();

    private RingChild() {}

    /// Does what its first argument says.
    ///
    /// @param arguments "produce", "read" or "full"; the directory; and the number of the producer
    public static void main(String[] arguments) throws IOException {
        ChildJvm.endWithParent();
        Path directory = Path.of(arguments[1]);
        if (arguments[0].equals("full")) {
            fill(ring(directory));
            return;
        }
        RingFile file = RingFile.openOrCreate(ring(directory), CAPACITY);
        if (arguments[0].equals("produce")) {
            produce(file.newProducer(), Integer.parseInt(arguments[2]), words(directory, "committed", Arena.global()));
        } else {
            read(file.newReader(), words(directory, "read", Arena.global()));
        }
    }

    static Path ring(Path directory) {
        return directory.resolve("ring");
    }

    static MemorySegment words(Path directory, String name, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(directory.resolve(name), StandardOpenOption.CREATE,
                StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) PRODUCERS * Long.BYTES, arena);
        }
    }

    static long word(MemorySegment words, int producer) {
        return (long) WORD.getAcquire(words, (long) producer * Long.BYTES);
    }

    /// Creates a ring for which the disk has no room, and a smaller one.
    private static void fill(Path path) throws IOException {
        try (RingFile file = RingFile.create(path, 1 << 20)) {
            System.out.println("created: " + file.path());
        } catch (DiskFullException _) {
            System.out.println("full, file=" + Files.exists(path));
        }
        try (RingFile file = RingFile.create(path, 1 << 16)) {
            System.out.println("capacity=" + file.capacity());
        }
    }

    private static void produce(RingBuffer ring, int producer, MemorySegment committed) {
        System.out.println("ready");
        for (long number = 0;; number++) {
            long byteSize = Long.BYTES * (1 + number * 7 % 40);
            long at = ring.claim(byteSize);
            while (at == RingBuffer.FULL) {
                LockSupport.parkNanos(20_000);
                at = ring.claim(byteSize);
            }
            for (long i = 0; i < byteSize; i += Long.BYTES) {
                ring.segment().set(JAVA_LONG, at + i, number);
            }
            if (number % 10 == 3) {
                // So that some producers are killed here.
                LockSupport.parkNanos(20_000);
            }
            if (number % 5 == 4) {
                ring.abort(at);
                // An aborted message is not sent again, and not expected.
            } else {
                ring.commit(at, producer);
            }
            WORD.setRelease(committed, (long) producer * Long.BYTES, number + 1);
        }
    }

    private static void read(RingBuffer ring, MemorySegment read) {
        System.out.println("ready");
        while (true) {
            ring.poll((producer, segment, offset, byteSize) -> {
                long next = word(read, producer);
                long number = check(segment, offset, byteSize);
                if (number > expected(next)) {
                    System.out.println("Lost: producer=" + producer + ", expected=" + next + ", read=" + number);
                    System.exit(1);
                }
                // Messages of a poll that was not completed are read again.
                if (number >= next) {
                    WORD.setRelease(read, (long) producer * Long.BYTES, number + 1);
                }
            }, 10, WaitStrategy.futex(), 1_000_000_000);
        }
    }

    /// The number of the first message from a number on that is not aborted.
    static long expected(long number) {
        return number % 5 == 4 ? number + 1 : number;
    }

    /// Checks that a message is whole.
    ///
    /// @return its number
    static long check(MemorySegment segment, long offset, long byteSize) {
        long number = segment.get(JAVA_LONG, offset);
        for (long i = 0; i < byteSize; i += Long.BYTES) {
            if (segment.get(JAVA_LONG, offset + i) != number) {
                throw new AssertionError("torn: number=" + number + ", other=" + segment.get(JAVA_LONG, offset + i));
            }
        }
        if (byteSize != Long.BYTES * (1 + number * 7 % 40)) {
            throw new AssertionError("another size: number=" + number + ", byteSize=" + byteSize);
        }
        return number;
    }
}
