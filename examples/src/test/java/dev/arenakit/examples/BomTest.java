package dev.arenakit.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests that `arena-bom` lists what is published.
class BomTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern MODULE = Pattern.compile("<module>(.*)</module>");
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(arena-.*)</artifactId>");

    @Test
    void bom_listsEachPublishedArtifact() throws IOException {
        List<String> published = MODULE.matcher(pom(ROOT))
                .results()
                .map(module -> pom(ROOT.resolve(module.group(1))))
                .filter(pom -> pom.contains("<unpublished>false</unpublished>"))
                .map(pom -> artifacts(pom).findFirst().orElseThrow())
                .toList();
        List<String> listed = artifacts(pom(ROOT.resolve("arena-core/bom"))).toList();
        assertThat(published).contains("arena-core", "arena-mapped").containsExactlyInAnyOrderElementsOf(listed);
    }

    private static Stream<String> artifacts(String pom) {
        return ARTIFACT.matcher(pom).results().map(artifact -> Objects.requireNonNull(artifact.group(1)));
    }

    private static String pom(Path directory) {
        try {
            return Files.readString(directory.resolve("pom.xml"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
