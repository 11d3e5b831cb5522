package dev.arenakit.examples.shared;

import dev.arenakit.layout.RecordMapper;

/// The contents of a message of the examples.
record SharedOrder(long id, int quantity, double price) {
    static final RecordMapper<SharedOrder> ORDERS = RecordMapper.of(SharedOrder.class);

    static SharedOrder of(long id) {
        return new SharedOrder(id, 1 + (int) (id % 100), 9.5);
    }
}
