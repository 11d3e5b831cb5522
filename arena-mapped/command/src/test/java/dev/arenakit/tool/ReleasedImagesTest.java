package dev.arenakit.tool;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class ReleasedImagesTest {
    private final Path directory;

    ReleasedImagesTest(@TempDir(factory = SharedMemory.class) Path directory) {
        this.directory = directory.resolve("released");
    }

    @ParameterizedTest
    @MethodSource("dev.arenakit.tool.ReleasedImages#zips")
    void verify_imagesOfEachRelease_findsNothing(String zip) throws IOException {
        ReleasedImages.unzip(zip, directory);
        ToolRun run = ToolRun.of("verify", directory.toString()).succeeds();
        assertThat(run.out().lines()).isNotEmpty().allMatch(line -> line.contains(": no problem in "));
    }

    @Test
    void find_imageOfVersion0_1_0_isSearched() throws IOException {
        ReleasedImages.unzip("images-0.1.0.zip", directory);
        for (String name : new String[]{"plain", "chunked"}) {
            String base = directory.resolve(name).toString();
            for (String allocation : new String[]{"tree", "table"}) {
                ToolRun run = ToolRun.of("find", base, allocation, "--where",
                        allocation.equals("table") ? "number == 42" : "value.number == 42", "--count");
                assertThat(run.err()).isEmpty();
                assertThat(run.out()).as(allocation).isEqualTo("1\n");
            }
        }
    }
}
