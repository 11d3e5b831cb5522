package dev.arenakit.tool;

import dev.arenakit.collection.concurrent.RingBuffer;
import dev.arenakit.mapped.RingFile;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.US_ASCII;

/// A ring in a file with records in all states, or a process that sends and reads messages until it is killed.
final class TestRing implements AutoCloseable {
    static final int CAPACITY = 1024;
    /// The position of the first record that is not read.
    static final long HEAD = 928;
    private static final long TAIL = 128;
    private static final long INTENT_OF_FIRST_SLOT = 640 + 8;
    private static final int GAP = 96;

    final RingFile file;

    private TestRing(RingFile file) {
        this.file = file;
    }

    /// Makes a ring with a live producer, a reader, a claim of a producer that has ended, and a gap.
    static TestRing fill(Path path) throws IOException {
        RingFile file = RingFile.create(path, CAPACITY);
        RingBuffer producer = file.newProducer();
        RingBuffer reader = file.newReader();
        while (file.unreadByteSize() < HEAD) {
            send(producer, 0, "read");
        }
        reader.poll((_, _, _, _) -> {}, Integer.MAX_VALUE);
        send(producer, 7, "hello");
        // It does not fit before the end of the memory.
        send(producer, -2, "message ".repeat(12));
        producer.claim(50);
        RingFile ended = RingFile.open(path);
        ended.newProducer().claim(20);
        ended.close();
        producer.abort(producer.claim(4));
        send(producer, 9, "");
        MemorySegment segment = producer.segment();
        long tail = segment.get(JAVA_LONG, TAIL);
        segment.set(JAVA_LONG, INTENT_OF_FIRST_SLOT, tail);
        segment.set(JAVA_LONG, TAIL, tail + GAP);
        RingBuffer other = file.newProducer();
        send(other, 8, "\u0000last");
        return new TestRing(file);
    }

    static void send(RingBuffer ring, int type, String message) {
        byte[] bytes = message.getBytes(US_ASCII);
        if (!ring.write(type, MemorySegment.ofArray(bytes), 0, bytes.length)) {
            throw new IllegalStateException("Ring is full");
        }
    }

    @Override
    public void close() {
        file.close();
    }

    /// Starts a process that sends and reads messages. A message is its number, repeated, and its type is 5.
    static Process start(Path path) throws IOException {
        Process process = ChildJvm.granted().command(TestRing.class, path.toString()).start();
        if (process.getInputStream().read() != 'r') {
            process.destroyForcibly();
            throw new IOException("Writer has ended");
        }
        return process;
    }

    public static void main(String[] args) throws IOException {
        RingFile file = RingFile.create(Path.of(args[0]), 1 << 16);
        RingBuffer producer = file.newProducer();
        RingBuffer reader = file.newReader();
        System.out.println("ready");
        for (long number = 0;; number++) {
            long byteSize = Long.BYTES * (1 + number * 7 % 40);
            long at = producer.claim(byteSize);
            if (at == RingBuffer.FULL) {
                reader.poll((_, _, _, _) -> {}, 100);
                continue;
            }
            for (long i = 0; i < byteSize; i += Long.BYTES) {
                producer.segment().set(JAVA_LONG, at + i, number);
            }
            producer.commit(at, 5);
        }
    }
}
