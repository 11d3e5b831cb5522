package dev.arenakit.bench.candidate.peer;

import java.util.Arrays;

/// Addresses of blocks, in the order in which they were added.
final class AddressList {
    private static final int INITIAL_CAPACITY = 16;

    private long[] addresses = new long[INITIAL_CAPACITY];
    private int count;

    void add(long address) {
        if (count == addresses.length) {
            addresses = Arrays.copyOf(addresses, 2 * count);
        }
        addresses[count++] = address;
    }

    boolean isEmpty() {
        return count == 0;
    }

    long removeLast() {
        return addresses[--count];
    }
}
