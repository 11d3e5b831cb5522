package dev.arenakit.examples;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class WordCountExampleTest {
    /// The example fails if its two maps differ. A part of the sources suffices to show that it works.
    @Test
    void main_ofSourcesOfTheJdk_countsTheSameInBothMaps() throws Exception {
        Path sources = Path.of(System.getProperty("java.home"), "lib", "src.zip");
        assumeTrue(Files.exists(sources), "needs the sources of the JDK: " + sources);

        CapturedOutput output = new CapturedOutput();
        WordCountExample.run(sources, "java.base/java/util/", output.stream());

        assertThat(output.toString()).containsPattern("\\d{6,} words, \\d{4,} different: the \\d+, ")
                .containsPattern("BytesLongMap +\\d+ ms +\\d+ KiB +[0-9.]+ bytes for a word")
                // Tests that run at the same time use the same heap.
                .containsPattern("HashMap +\\d+ ms +-?\\d+ KiB +-?[0-9.]+ bytes for a word");
    }
}
