package dev.arenakit.examples.shared;

import dev.arenakit.layout.RecordMapper;

/// The contents of a message of the examples.
record Order(long id, int quantity, double price) {
    static final RecordMapper<Order> ORDERS = RecordMapper.of(Order.class);

    static Order of(long id) {
        return new Order(id, 1 + (int) (id % 100), 9.5);
    }
}
