package dev.arenakit.examples.zip;

import dev.arenakit.examples.CapturedOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class ManifestExampleTest {
    @Test
    void run_aJar_printsItsManifest(@TempDir Path directory) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().putValue("Manifest-Version", "1.0");
        Path jar = directory.resolve("some.jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        CapturedOutput printed = new CapturedOutput();
        ManifestExample.run(printed.stream(), jar);
        assertThat(printed.toString().strip()).isEqualTo("Manifest-Version: 1.0");
    }
}
