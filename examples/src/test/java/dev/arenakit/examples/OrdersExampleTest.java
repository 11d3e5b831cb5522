package dev.arenakit.examples;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OrdersExampleTest {
    @Test
    void run_keepsAMillionOrders() {
        Printed printed = new Printed();
        OrdersExample.run(printed.stream());
        assertThat(printed).hasToString("""
                1,000,000 orders in 40,000,000 bytes
                bought for 19,919,476,255.25
                bought for 20,002,642,097.00 when the price of each has risen by 0.25
                largest: Order[id=398799, quantity=997, price=110.0, side=SELL, symbol=ARNA99]
                order 99 of 100 pieces, one is delivered: Order[id=99, quantity=99, price=35.0, side=SELL, symbol=ARNA99]
                """);
    }
}
