package dev.arenakit.examples;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.layout.IntField;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.ViewMapper;
import dev.arenakit.layout.annotation.Length;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.stream.LongStream;

/// Stores a million orders outside the heap, and accesses them as records and in place.
public final class OrdersExample {
    private static final long COUNT = 1_000_000;
    private static final RecordMapper<Order> ORDERS = RecordMapper.of(Order.class);
    private static final ViewMapper<Priced> PRICES = ViewMapper.of(Priced.class, ORDERS.type());
    private static final IntField QUANTITY = ORDERS.intField("quantity");

    /// The side of an order.
    enum Side {
        BUY, SELL
    }

    /// An order. Its struct takes 40 bytes outside the heap, which the garbage collector does not scan.
    record Order(long id, int quantity, double price, Side side, @Length(8) String symbol) {
        double amount() {
            return quantity * price;
        }
    }

    /// A view of an order in place, with the member that the example changes.
    interface Priced {
        double price();

        void price(double price);
    }

    private OrdersExample() {}

    /// Runs the example.
    ///
    /// @param args none
    public static void main(String[] args) {
        run(System.out);
    }

    static void run(PrintStream out) {
        try (SlabPool pool = SlabPool.create(); SlabArena arena = pool.openConfined()) {
            MemorySegment orders = ORDERS.allocate(arena, COUNT);
            for (long i = 0; i < COUNT; i++) {
                ORDERS.setAtIndex(orders, i, order(i));
            }
            out.printf(Locale.ROOT, "%,d orders in %,d bytes%n", COUNT, orders.byteSize());
            out.printf(Locale.ROOT, "total of purchases: %,.2f%n", bought(orders));

            for (long i = 0; i < COUNT; i++) {
                Priced order = PRICES.viewAtIndex(orders, i);
                order.price(order.price() + 0.25);
            }
            out.printf(Locale.ROOT, "total of purchases after each price has risen by 0.25: %,.2f%n", bought(orders));

            Order largest = ORDERS.stream(orders)
                    .reduce((one, other) -> one.amount() >= other.amount() ? one : other)
                    .orElseThrow();
            out.println("largest order: " + largest);

            long found = LongStream.range(0, COUNT)
                    .filter(i -> ORDERS.getAtIndex(orders, i).symbol().equals("ARNA99"))
                    .findFirst()
                    .orElseThrow();
            int before = QUANTITY.getAndAddAtIndex(orders, found, -1);
            out.println(
                    "order " + found + " had " + before + " pieces, now: " + ORDERS.getAtIndex(orders, found));
        }
    }

    /// Adds up purchases. The records do not escape, so that the JIT need not allocate them; their strings are
    /// allocated.
    private static double bought(MemorySegment orders) {
        double sum = 0;
        for (long i = 0; i < COUNT; i++) {
            Order order = ORDERS.getAtIndex(orders, i);
            if (order.side() == Side.BUY) {
                sum += order.amount();
            }
        }
        return sum;
    }

    private static Order order(long i) {
        return new Order(i, 1 + (int) (i % 997), 10 + i % 400 / 4.0, i % 3 == 0 ? Side.SELL : Side.BUY,
                "ARNA" + i % 100);
    }
}
