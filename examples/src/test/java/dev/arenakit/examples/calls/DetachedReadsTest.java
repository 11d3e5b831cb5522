package dev.arenakit.examples.calls;

import dev.arenakit.SlabPool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

@EnabledOnOs(value = OS.LINUX, architectures = {"amd64", "aarch64"})
class DetachedReadsTest {
    @TempDir
    private Path directory;

    private DetachedReads open(SlabPool pool) throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "first second third");
        try {
            return new DetachedReads(pool, file, 8);
        } catch (UnsupportedOperationException e) {
            throw new TestAbortedException(e.getMessage(), e);
        }
    }

    @Test
    void complete_readsInProgress_passesTheirBytesOn() throws IOException {
        try (SlabPool pool = SlabPool.create()) {
            List<String> texts = new ArrayList<>();
            try (DetachedReads reads = open(pool)) {
                reads.begin(0, 5);
                reads.begin(6, 6);
                reads.begin(13, 100);
                assertThat(pool.stats().openArenas()).isEqualTo(3);
                while (reads.complete(
                        bytes -> texts.add(new String(bytes.toArray(JAVA_BYTE), StandardCharsets.US_ASCII)))) {
                    assertThat(pool.stats().openArenas()).isEqualTo(3 - texts.size());
                }
            }
            assertThat(texts).containsExactlyInAnyOrder("first", "second", "third");
        }
    }

    @Test
    void close_readsInProgress_releasesTheirBuffers() throws IOException {
        try (SlabPool pool = SlabPool.create()) {
            try (DetachedReads reads = open(pool)) {
                reads.begin(0, 5);
            }
            assertThat(pool.stats().openArenas()).isZero();
        }
    }
}
