package dev.arenakit.bench.candidate.stored;

import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class StoreDirectoryTest {
    @Test
    void close_deletesTheFiles() throws IOException {
        StoreDirectory directory = StoreDirectory.create(StoreDirectory.DISK);
        Files.writeString(directory.path().resolve("file"), "text");
        directory.clear();
        assertThat(directory.path()).isEmptyDirectory();
        Files.writeString(directory.path().resolve("file"), "text");

        directory.close();

        assertThat(directory.path()).doesNotExist();
    }

    @Test
    @Tag("full")
    void libraries_ofAJvmThatHasEnded_leaveNoFile(@TempDir Path temporary, @TempDir Path unpacked)
            throws IOException {
        ChildJvm jvm = ChildJvm.onClassPath("--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow", "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED", "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + temporary, "-Dlmdbjava.extract.dir=" + unpacked,
                "-Djffi.extract.dir=" + unpacked, "-Dorg.sqlite.tmpdir=" + unpacked);

        ChildJvm.Result result = jvm.run(Child.class);

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(Path.of(result.output().lines().toList().getLast())).doesNotExist();
        assertThat(files(temporary)).isEmpty();
        assertThat(files(unpacked)).isEmpty();
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    /// Opens stores and exits, as a benchmark that has failed.
    static final class Child {
        private Child() {}

        static void main() {
            StoreDirectory directory = StoreDirectory.create(StoreDirectory.DISK);
            List<StoreFactory<? extends StoredLongMap>> factories = List.of(LmdbStores::longs, SqliteStores::longs);
            factories.forEach(factory -> factory.open(directory.path(), 1).putAll(new long[]{1}, 0, 1));
            System.out.println(directory.path());
        }
    }
}
