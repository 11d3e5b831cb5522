package dev.arenakit.tool.hexdump;

import dev.arenakit.tool.ToolRun;
import dev.arenakit.tool.hexdump.HexdumpCase.Feature;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

@Tag("full")
class HexdumpComparisonTest {
    private final Path directory;

    HexdumpComparisonTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void hexdump_randomCases_printsWhatTheRealProgramPrints() throws IOException, InterruptedException {
        compare(130, 5);
    }

    /// This test takes some seconds: the real program runs 2,000 times.
    @Test
    @Tag("slow")
    void hexdump_thousandsOfRandomCases_printsWhatTheRealProgramPrints() throws IOException, InterruptedException {
        compare(2_000, 80);
    }

    private void compare(int count, int perFeature) throws IOException, InterruptedException {
        assumeTrue(HexdumpCases.isRealInstalled(), "hexdump of util-linux is not installed");
        List<HexdumpCase> cases = HexdumpCases.generate(directory, count);
        Map<Feature, Integer> counts = new EnumMap<>(Feature.class);
        for (HexdumpCase dump : cases) {
            String[] commandLine = dump.commandLine();
            ToolRun run = ToolRun.of(commandLine);
            assertThat(run.out()).as("%s", List.of(commandLine)).isEqualTo(dump.expected());
            assertThat(run.err()).isEmpty();
            dump.features().forEach(feature -> counts.merge(feature, 1, Integer::sum));
        }
        assertThat(counts).containsOnlyKeys(Feature.values());
        assertThat(counts.values()).as("%s", counts).allMatch(found -> found >= perFeature);
    }
}
