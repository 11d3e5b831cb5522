package dev.arenakit.examples.shared;

/// Checks that the orders of each producer arrive once, and in their order.
final class Received {
    private final long[] next;

    Received(int producers) {
        next = new long[producers];
    }

    void add(int producer, SharedOrder order) {
        if (!order.equals(SharedOrder.of(next[producer]))) {
            throw new IllegalStateException("Order is not the next one: producer=" + producer + ", next="
                    + next[producer] + ", order=" + order);
        }
        next[producer]++;
    }

    long total() {
        long sum = 0;
        for (long count : next) {
            sum += count;
        }
        return sum;
    }
}
