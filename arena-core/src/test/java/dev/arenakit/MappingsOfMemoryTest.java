package dev.arenakit;

import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("full")
class MappingsOfMemoryTest {

    /// In a JVM of its own, which dies if it runs out of mappings.
    @ParameterizedTest
    @CsvSource({"FreeListArena, 100", "DebugArena, 101"})
    @EnabledOnOs(OS.LINUX)
    void open_ofArenasWithoutEnd_isRefusedAtHalfOfTheLimitOfTheSystem(String kind, int arenas)
            throws IOException {
        long limit = Long.parseLong(Files.readAllLines(Path.of("/proc/sys/vm/max_map_count")).getFirst()) / 2;
        assertThat(ChildJvm.onClassPath("--enable-native-access=ALL-UNNAMED").run(MappingLimitSession.class, kind))
                .isEqualTo(new ChildJvm.Result(0, """
                        Too many mappings of memory in this process: limit=%d, used=%d, requested=1; close arenas, \
                        use one arena instead of many small ones, or raise vm.max_map_count: half of it is the limit
                        refused after %d
                        refused after %d
                        given back
                        """.formatted(limit, limit, arenas, arenas)));
    }
}
