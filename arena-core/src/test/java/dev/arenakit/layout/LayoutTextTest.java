package dev.arenakit.layout;

import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Text of structs, there and back.
class LayoutTextTest {
    @Test
    void parse_ofWhatWasPrinted_isEqual() {
        for (int seed = 0; seed < 2000; seed++) {
            StructType struct = RandomTypes.any(new Random(seed), "S");
            String text = LayoutText.print(struct);
            assertThat(LayoutText.parse(text)).as("seed %s%n%s", seed, text).isEqualTo(struct);
        }
    }
}
