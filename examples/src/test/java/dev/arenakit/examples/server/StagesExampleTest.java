package dev.arenakit.examples.server;

import dev.arenakit.SlabPool;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Tag("full")
class StagesExampleTest {
    @Test
    void stages_onTwoExecutors_passMemoryOn() {
        try (SlabPool pool = SlabPool.create()) {
            assertThat(
                    StagesExample.upperCase(pool, Runnable::run, task -> Thread.ofVirtual().start(task), "text").join())
                    .isEqualTo("TEXT");
        } // Closing the pool would throw if an arena or a parcel were open.
    }

    @Test
    void stages_secondIsRejected_closeTheParcel() {
        try (SlabPool pool = SlabPool.create()) {
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> StagesExample.upperCase(pool, Runnable::run, task -> {
                        throw new RejectedExecutionException();
                    }, "text").join())
                    .withCauseInstanceOf(RejectedExecutionException.class);
        }
    }
}
