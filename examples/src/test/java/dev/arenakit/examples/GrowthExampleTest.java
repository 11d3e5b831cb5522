package dev.arenakit.examples;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class GrowthExampleTest {
    @Test
    void run_printsTheMemoryThatEachLifetimeHolds(@TempDir Path directory) throws IOException {
        CapturedOutput printed = new CapturedOutput();
        GrowthExample.run(printed.stream(), directory);
        assertThat(printed).hasToString(
                """
                        1,000,000 longs are added one by one to an array whose initial capacity is 1,000.

                          memory from       lifetimes              tables  held at the end
                          Arena.ofConfined  one for all tables         11         15.6 MiB
                          Arena.ofConfined  one for each table         11          7.8 MiB
                          MallocArena       one for all tables         11         15.6 MiB
                          MallocArena       one for each table         11          7.8 MiB
                          SlabArena         one for all tables         11         15.6 MiB
                          SlabArena         one for each table         11          7.8 MiB
                          InfiniteArena     one for all tables         11         15.6 MiB
                          InfiniteArena     one for each table         11          7.8 MiB
                          InfiniteArena     one that grows              1          7.8 MiB

                        The last table then grows to 1.0 TiB, and no value is copied: moved=false, last value=999,998,000,001.
                        It is a sparse file: only pages that hold a value take space on the disk.
                        """);
        assertThat(directory).isEmptyDirectory();
    }
}
