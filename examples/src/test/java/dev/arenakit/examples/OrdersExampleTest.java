package dev.arenakit.examples;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("full")
class OrdersExampleTest {
    @Test
    void run_storesAMillionOrders() {
        CapturedOutput printed = new CapturedOutput();
        OrdersExample.run(printed.stream());
        assertThat(printed).hasToString("""
                1,000,000 orders in 40,000,000 bytes
                total of purchases: 19,919,476,255.25
                total of purchases after each price has risen by 0.25: 20,002,642,097.00
                largest order: Order[id=398799, quantity=997, price=110.0, side=SELL, symbol=ARNA99]
                order 99 had 100 pieces, now: Order[id=99, quantity=99, price=35.0, side=SELL, symbol=ARNA99]
                """);
    }
}
