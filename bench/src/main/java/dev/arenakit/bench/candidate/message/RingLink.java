package dev.arenakit.bench.candidate.message;

import dev.arenakit.collection.concurrent.RingBuffer;
import dev.arenakit.collection.concurrent.WaitStrategy;
import dev.arenakit.mapped.RingFile;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.BooleanSupplier;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// A ring of this library for each direction.
final class RingLink implements MessageLink {
    private static final int CAPACITY = 1 << 12;
    private static final int TYPE = 7;
    /// The time after which the reader looks whether the other end is alive.
    private static final long LOOK_NANOS = 100_000_000;

    private final RingBuffer sent;
    private final RingBuffer received;
    private final WaitStrategy strategy;
    private final BooleanSupplier isConnected;
    private final Runnable closing;
    private final RingBuffer.MessageHandler handler = this::take;
    private long message;

    private RingLink(RingBuffer sent, RingBuffer received, WaitStrategy strategy, BooleanSupplier isConnected,
            Runnable closing) {
        this.sent = sent;
        this.received = received;
        this.strategy = strategy;
        this.isConnected = isConnected;
        this.closing = closing;
    }

    static RingLink open(Path directory, LinkEnd end, boolean isProcess, WaitStrategy strategy,
            BooleanSupplier isConnected) throws IOException {
        if (isProcess) {
            RingFile sent = RingFile.openOrCreate(end.sent(directory), CAPACITY);
            RingFile received = RingFile.openOrCreate(end.received(directory), CAPACITY);
            return new RingLink(sent.newProducer(), received.newReader(), strategy, isConnected, () -> {
                sent.close();
                received.close();
            });
        }
        Arena arena = Arena.ofShared();
        return new RingLink(RingBuffer.spsc(map(end.sent(directory), arena)),
                RingBuffer.spsc(map(end.received(directory), arena)), strategy, isConnected, arena::close);
    }

    private static MemorySegment map(Path file, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, RingBuffer.byteSize(CAPACITY), arena);
        }
    }

    @Override
    public void send(long number) {
        long at = sent.claim(Long.BYTES);
        if (at == RingBuffer.FULL) {
            throw new IllegalStateException("Ring is full, although it has one message at most: ring=" + sent);
        }
        sent.segment().set(JAVA_LONG, at, number);
        sent.commit(at, TYPE);
    }

    @Override
    public long receive() throws IOException {
        while (received.poll(handler, 1, strategy, LOOK_NANOS) == 0) {
            if (!isConnected.getAsBoolean()) {
                throw new EOFException("The other end of a ring has ended: ring=" + received);
            }
        }
        return message;
    }

    private void take(int type, MemorySegment segment, long offset, long byteSize) {
        message = segment.get(JAVA_LONG, offset);
    }

    @Override
    public void close() {
        closing.run();
    }
}
