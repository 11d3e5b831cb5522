package dev.arenakit;

import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// The libraries as distributions install them. Each has a JVM of its own, because a library that cannot be loaded may
/// leave the process in an undefined state.
class NativeAllocatorLibraryTest {
    private static final List<String> DIRECTORIES = List.of("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
            "/usr/lib64", "/usr/lib", "/usr/local/lib", "/opt/homebrew/lib");
    private static final String GRANT = "--enable-native-access=ALL-UNNAMED";

    @Test
    void mimalloc_whereInstalled_servesEveryRequest() {
        Path path = find("libmimalloc2.0", "libmimalloc.so.2", "libmimalloc.so.3", "libmimalloc.so",
                "libmimalloc.dylib");
        ChildJvm.Result result = ChildJvm.onClassPath(GRANT).run(AllocatorSession.class, "mimalloc", path.toString());
        assertThat(result).isEqualTo(new ChildJvm.Result(0, "served\n"));
    }

    @Test
    void jemalloc_whereInstalled_servesEveryRequestWithTheTunable() {
        Path path = find("libjemalloc2", "libjemalloc.so.2", "libjemalloc.so", "libjemalloc.dylib");
        ChildJvm.Result result = ChildJvm.onClassPath(GRANT)
                .withEnvironment(Map.of("GLIBC_TUNABLES", "glibc.rtld.optional_static_tls=16384"))
                .run(AllocatorSession.class, "jemalloc", path.toString());
        assertThat(result).isEqualTo(new ChildJvm.Result(0, "served\n"));
    }

    @Test
    void jemalloc_whereInstalledAndWithoutTheTunable_servesOrNamesIt() {
        Path path = find("libjemalloc2", "libjemalloc.so.2", "libjemalloc.so", "libjemalloc.dylib");
        ChildJvm.Result result = ChildJvm.onClassPath(GRANT).run(AllocatorSession.class, "jemalloc", path.toString());
        assertThat(result.exitCode()).isZero();
        assertThat(result.output()).matches(output -> output.equals("served\n")
                || output.contains("GLIBC_TUNABLES=glibc.rtld.optional_static_tls=16384"));
    }

    /// The JVM prints a warning of its own before it rejects such a file.
    @Test
    void anyLibrary_fileThatIsNone_isRejected(@TempDir Path directory) throws IOException {
        Path path = Files.writeString(directory.resolve("libtext.so"), "no library");
        for (String allocator : List.of("mimalloc", "jemalloc")) {
            ChildJvm.Result result = ChildJvm.onClassPath(GRANT)
                    .run(AllocatorSession.class, allocator,
                            path.toString());
            assertThat(result.exitCode()).isZero();
            assertThat(result.output()).contains("Cannot load library: path=" + path + ", reason=");
        }
    }

    /// Returns the path of a library, or skips the test.
    static Path find(String debianPackage, String... names) {
        Optional<Path> found = DIRECTORIES.stream()
                .map(Path::of)
                .flatMap(directory -> List.of(names).stream().map(directory::resolve))
                .filter(Files::exists)
                .findFirst();
        assumeTrue(found.isPresent(),
                () -> "needs one of " + List.of(names) + " in " + DIRECTORIES + ": apt-get install " + debianPackage);
        return found.orElseThrow();
    }
}
