package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests catalogs that were changed at random. All that is read from them is correct, and missing records are reported.
/// The test runs in a process with so little memory that using a damaged size ends it.
@Tag("full")
class ImageCorruptionTest extends InDirectory {

    @Test
    void open_changedAtRandom_readsCorrectlyOrReportsDamage() throws Exception {
        change(200);
    }

    @Test
    @Tag("slow")
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void open_changedAHundredThousandTimes_readsCorrectlyOrReportsDamage() throws Exception {
        change(100_000);
    }

    private void change(int mutations) throws Exception {
        String output = ChildJvm
                .run(ChildJvm.denied().command(ImageCorruption.class, directory.toString(), "" + mutations));

        assertThat(output).matches("\\d+ \\d+ \\d+\\R");
        String[] counts = output.trim().split(" ", 3);
        assertThat(Integer.parseInt(counts[0])).as("opened").isBetween(mutations / 2, mutations - 1);
        assertThat(Integer.parseInt(counts[1])).as("reopened").isBetween(mutations / 16, mutations / 4 - 1);
        assertThat(Integer.parseInt(counts[2])).as("passed by chance").isLessThanOrEqualTo(mutations / 20_000);
    }
}
