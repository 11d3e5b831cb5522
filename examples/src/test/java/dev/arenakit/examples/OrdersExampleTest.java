package dev.arenakit.examples;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OrdersExampleTest {
    @Test
    void run_keepsAMillionOrders() {
        Printed printed = new Printed();
        OrdersExample.run(printed.stream());
        assertThat(printed).hasToString("""
                """);
    }
}
