package dev.arenakit.collection.concurrent;

import dev.arenakit.collection.OperationModel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

/// Compares rings with a model of their positions and messages, under random operations in one thread.
class RingModelTest {
    private static final int RECORD = 16;

    enum Action {
        WRITE, CLAIM, COMMIT, ABORT, POLL, UNBLOCK, REOPEN
    }

    record Operation(Action action, int size, int choice) {}

    /// A record of the model: a message, or a record that the reader skips.
    private static final class Message {
        final int type;
        final int size;
        final long length;
        boolean isOpen;
        boolean isSkipped;
        long offset;

        Message(int type, int size, long length) {
            this.type = type;
            this.size = size;
            this.length = length;
        }

        byte content(long index) {
            return (byte) (type + index * 31);
        }
    }

    private static final class Subject implements OperationModel.Subject<Operation> {
        private final Arena arena = Arena.ofConfined();
        private final MemorySegment memory;
        private final boolean hasManyProducers;
        private final int capacity;
        private RingBuffer ring;

        private final Deque<Message> unread = new ArrayDeque<>();
        private final List<Message> open = new ArrayList<>();
        private long head;
        private long tail;
        private int types;

        Subject(boolean hasManyProducers, int capacity) {
            this.hasManyProducers = hasManyProducers;
            this.capacity = capacity;
            memory = arena.allocate(RingBuffer.byteSize(capacity), Long.BYTES);
            // A ring does not depend on what is in the memory of its records.
            memory.asSlice(memory.byteSize() - capacity).fill((byte) 0x5a);
            ring = open();
        }

        private RingBuffer open() {
            return hasManyProducers ? RingBuffer.mpsc(memory) : RingBuffer.spsc(memory);
        }

        @Override
        public void apply(Operation operation) {
            int size = (int) Math.min(operation.size, ring.maxMessageByteSize());
            switch (operation.action) {
                case WRITE -> write(size);
                case CLAIM -> claim(size);
                case COMMIT -> end(operation.choice, false);
                case ABORT -> end(operation.choice, true);
                case POLL -> poll(operation.choice % 8);
                case UNBLOCK -> unblock();
                case REOPEN -> ring = open();
            }
            assertThat(ring.unreadByteSize()).isEqualTo(tail - head);
            assertThat(ring.isEmpty()).isEqualTo(unread.isEmpty());
        }

        private void write(int size) {
            Message message = next(size);
            try (Arena source = Arena.ofConfined()) {
                MemorySegment bytes = source.allocate(size + 3L);
                fill(bytes, 3, message);
                assertThat(ring.write(message.type, bytes, 3, size)).isEqualTo(added(message));
            }
        }

        private void claim(int size) {
            Message message = next(size);
            message.offset = ring.claim(size);
            if (added(message)) {
                assertThat(message.offset % Long.BYTES).isZero();
                message.isOpen = true;
                open.add(message);
            } else {
                assertThat(message.offset).isEqualTo(RingBuffer.FULL);
            }
        }

        private void end(int choice, boolean isAborted) {
            if (open.isEmpty()) {
                return;
            }
            Message message = open.remove(choice % open.size());
            message.isOpen = false;
            message.isSkipped = isAborted;
            if (isAborted) {
                ring.abort(message.offset);
            } else {
                fill(ring.segment(), message.offset, message);
                ring.commit(message.offset, message.type);
            }
        }

        private void poll(int limit) {
            List<Message> expected = new ArrayList<>();
            while (expected.size() < limit && !unread.isEmpty() && !unread.peek().isOpen) {
                Message read = unread.remove();
                head += read.length;
                if (!read.isSkipped) {
                    expected.add(read);
                }
            }
            // The record that follows the last message of a full batch is not looked at.
            int count = ring.poll((type, segment, offset, byteSize) -> {
                Message message = expected.removeFirst();
                assertThat(type).isEqualTo(message.type);
                assertThat(byteSize).isEqualTo(message.size);
                for (long i = 0; i < byteSize; i++) {
                    if (segment.get(JAVA_BYTE, offset + i) != message.content(i)) {
                        throw new AssertionError("Torn: type=" + type + ", byte=" + i);
                    }
                }
            }, limit);
            assertThat(expected).isEmpty();
            assertThat(count).isLessThanOrEqualTo(limit);
        }

        private void unblock() {
            Message first = unread.peek();
            boolean isBlocked = first != null && first.isOpen;
            assertThat(ring.unblock()).isEqualTo(isBlocked);
            if (first != null && isBlocked) {
                open.remove(first);
                first.isOpen = false;
                first.isSkipped = true;
            }
        }

        private Message next(int size) {
            types++;
            return new Message(types * 0x1234567, size, RECORD + (size + RECORD - 1) / RECORD * RECORD);
        }

        /// Adds a message, and the rest before the end of the memory if it does not fit there.
        private boolean added(Message message) {
            long rest = capacity - tail % capacity;
            long padding = message.length > rest ? rest : 0;
            if (tail + padding + message.length - head > capacity) {
                return false;
            }
            if (padding > 0) {
                Message skipped = new Message(0, 0, padding);
                skipped.isSkipped = true;
                unread.add(skipped);
            }
            unread.add(message);
            tail += padding + message.length;
            return true;
        }

        private static void fill(MemorySegment segment, long offset, Message message) {
            for (long i = 0; i < message.size; i++) {
                segment.set(JAVA_BYTE, offset + i, message.content(i));
            }
        }

        @Override
        public void check() {
            while (!open.isEmpty()) {
                end(open.size() / 2, false);
            }
            poll(Integer.MAX_VALUE);
            assertThat(ring.isEmpty()).isTrue();
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    @Test
    void operations_atRandom_agreeWithTheModel() {
        for (int seed = 0; seed < 32; seed++) {
            boolean hasManyProducers = seed % 2 == 0;
            int capacity = 64 << seed % 8;
            int largest = seed % 3 == 0 ? 20 : capacity;
            new OperationModel<>(() -> new Subject(hasManyProducers, capacity)).run(seed, 1_000, random -> {
                int choice = random.nextInt(100);
                Action action = choice < 4 ? Action.UNBLOCK : choice < 6 ? Action.REOPEN : Action.values()[choice % 5];
                return new Operation(action, random.nextInt(largest), random.nextInt(1 << 20));
            });
        }
    }
}
