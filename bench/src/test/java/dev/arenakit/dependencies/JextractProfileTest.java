package dev.arenakit.dependencies;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// The messages of Maven if jextract is missing. Each test starts Maven, which takes a second or more.
@EnabledIfSystemProperty(named = "maven.home", matches = ".+", disabledReason = "runs Maven")
class JextractProfileTest {
    private static final String REMEDY = "pass -Djextract.executable=/absolute/path/of/bin/jextract";

    @TempDir
    Path directory;

    @Test
    void profile_withoutTheTool_failsAtOnceAndNamesTheProperty() throws Exception {
        assertThat(validate("-Pjextract")).contains(REMEDY);
    }

    @Test
    void property_withADirectory_activatesTheProfileAndIsNamed() throws Exception {
        assertThat(validate("-Djextract.executable=" + directory)).contains(directory.toString(), "Permission denied");
    }

    /// Returns the errors of the first phase, which must fail.
    private String validate(String argument) throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        ProcessBuilder command = new ProcessBuilder(System.getProperty("maven.home") + "/bin/mvn", "--batch-mode",
                "--quiet", "--offline", "-Dmaven.legacyLocalRepo=true",
                "-Dmaven.repo.local=" + System.getProperty("maven.repo.local"), "--non-recursive", argument,
                "validate").directory(SourceSet.TOP.toFile()).redirectErrorStream(true).redirectOutput(output.toFile());
        command.environment().remove("MAVEN_OPTS"); // It may set the property of these tests.
        command.environment().put("LC_ALL", "C");
        Process maven = command.start();
        try {
            assertThat(maven.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            maven.destroyForcibly();
        }
        String said = Files.readString(output, Charset.defaultCharset());
        assertThat(maven.exitValue()).as(said).isEqualTo(1);
        return said;
    }
}
