package dev.arenakit.walls;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// What Maven says where jextract is missing. Maven is started for each test, which takes a second or more.
@EnabledIfSystemProperty(named = "maven.home", matches = ".+", disabledReason = "runs Maven")
class JextractProfileTest {
    private static final String REMEDY = "pass -Djextract.executable=/absolute/path/of/bin/jextract";

    @TempDir
    Path directory;

    @Test
    void profile_withoutTheTool_failsAtOnceAndSaysWhatToPass() throws Exception {
        assertThat(validate("-Pjextract")).contains(REMEDY);
    }

    @Test
    void property_ofWhatIsNoProgram_switchesTheProfileOnAndIsNamed() throws Exception {
        assertThat(validate("-Djextract.executable=" + directory)).contains(directory.toString(), "Permission denied");
    }

    /// The errors of the first phase, which must fail.
    private String validate(String argument) throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        ProcessBuilder command = new ProcessBuilder(System.getProperty("maven.home") + "/bin/mvn", "--batch-mode",
                "--quiet", "--offline", "-Dmaven.legacyLocalRepo=true",
                "-Dmaven.repo.local=" + System.getProperty("maven.repo.local"), "--non-recursive", argument,
                "validate").directory(Part.TOP.toFile()).redirectErrorStream(true).redirectOutput(output.toFile());
        command.environment().remove("MAVEN_OPTS"); // It may have the very property.
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
