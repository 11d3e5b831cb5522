package dev.arenakit.internal.collection.bytes;

import dev.arenakit.internal.collection.TableMemory;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

/// The oldest entry is found at once, whatever was removed before it.
class EntryWalkTest {
    private static byte[] key(int number) {
        return Integer.toString(number).getBytes(StandardCharsets.UTF_8);
    }

    private static void add(BytesIndex index, byte[] key) {
        long hash = index.hash(key, 0, key.length);
        long absent = index.find(hash, key, 0, key.length);
        long entry = index.reserve(key, 0, key.length, 0);
        index.heap.segment.set(JAVA_LONG_UNALIGNED, entry + EntryHeap.Format.LONG_VALUE.valueOffset(), 1);
        index.add(hash, absent, entry);
    }

    private static void replace(BytesIndex index, byte[] key) {
        long entry = index.reserve(key, 0, key.length, 0);
        index.replace(index.hash(key, 0, key.length), key, 0, key.length, entry);
    }

    @Test
    void moveNext_afterRemovals_startsAtTheOldestEntry() {
        Random random = new Random(1);
        Deque<Integer> live = new ArrayDeque<>();
        TableMemory memory = TableMemory.owning(Arena::ofConfined);
        BytesIndex index = new BytesIndex(memory, "BytesLongMap", EntryHeap.Format.LONG_VALUE, 0, 0);
        for (int i = 0; i < 5_000; i++) {
            switch (random.nextInt(i / 500 % 2 == 0 ? 5 : 3)) {
                case 0 -> remove(index, live.pollFirst());
                case 1 -> remove(index, live.pollLast());
                case 2 -> {
                    if (!live.isEmpty()) {
                        int oldest = live.removeFirst();
                        replace(index, key(oldest));
                        live.addLast(oldest);
                    }
                }
                default -> {
                    add(index, key(i));
                    live.addLast(i);
                }
            }
            EntryWalk walk = new EntryWalk(index);
            long start = walk.next;
            assertThat(walk.moveNext()).isEqualTo(!live.isEmpty());
            if (!live.isEmpty()) {
                assertThat(walk.entry()).isEqualTo(start);
                assertThat(walk.keyArray()).isEqualTo(key(live.getFirst()));
            }
        }
        index.close();
    }

    private static void remove(BytesIndex index, Integer number) {
        if (number != null) {
            byte[] key = key(number);
            assertThat(index.remove(key, 0, key.length)).isTrue();
        }
    }
}
