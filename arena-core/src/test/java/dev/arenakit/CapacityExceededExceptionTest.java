package dev.arenakit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CapacityExceededExceptionTest {

    @Test
    void message_always_namesTheValuesAndTheRemedy() {
        CapacityExceededException e = new CapacityExceededException("Pool is full", 100, 90, 20, "raise maxByteSize");
        assertThat(e).hasMessage("Pool is full: limit=100, used=90, requested=20; raise maxByteSize");
        assertThat(e.limit()).isEqualTo(100);
        assertThat(e.used()).isEqualTo(90);
        assertThat(e.requested()).isEqualTo(20);
    }
}
