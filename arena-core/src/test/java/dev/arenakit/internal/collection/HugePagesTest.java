package dev.arenakit.internal.collection;

import dev.arenakit.MallocArena;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class HugePagesTest {
    private static final long HUGE_PAGE = 2 << 20;

    private final HugePages hugePages = new HugePages(MallocArena.class);

    @Test
    void allocate_smallTable_keepsItsAlignmentAndIsNotAdvised() {
        assumeTrue(Files.isReadable(Path.of("/proc/self/smaps"))
                && Files.exists(Path.of("/sys/kernel/mm/transparent_hugepage")),
                "This system has no transparent huge pages");
        try (MallocArena arena = MallocArena.ofConfined()) {
            assertThat(hugePages.alignment(arena, 2 * HUGE_PAGE - 1, 8)).isEqualTo(8);
            assertThat(hugePages.alignment(arena, 2 * HUGE_PAGE, 8)).isEqualTo(HUGE_PAGE);
        }
    }
}
