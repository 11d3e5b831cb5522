package dev.arenakit.sql.internal;

import dev.arenakit.mapped.Allocation;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests of the names of tables.
class ImageSchemaTest {
    @Test
    void name_withANul_isTheNumberOfTheAllocation() {
        assertThat(ImageSchema.name(allocation(6, "points"))).isEqualTo("points");
        assertThat(ImageSchema.name(allocation(7, "a\0b"))).isEqualTo("#7");
    }

    private static Allocation allocation(long number, String name) {
        return new Allocation(number, Optional.of(name), Optional.empty(), 0, 0, 8, 0, 4, true, Optional.empty(),
                OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
    }
}
