package dev.arenakit;

import dev.arenakit.layout.Programs;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// The libraries as distributions install them, and libraries that replace the `malloc` of a process. Each has a JVM
/// of its own, because a library that cannot be loaded may leave the process in an undefined state.
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
    @Tag("full")
    void jemalloc_whereInstalledAndWithoutTheTunable_servesOrNamesIt() {
        Path path = find("libjemalloc2", "libjemalloc.so.2", "libjemalloc.so", "libjemalloc.dylib");
        ChildJvm.Result result = ChildJvm.onClassPath(GRANT).run(AllocatorSession.class, "jemalloc", path.toString());
        assertThat(result.exitCode()).isZero();
        assertThat(result.output()).matches(output -> output.equals("served\n")
                || output.contains("GLIBC_TUNABLES=glibc.rtld.optional_static_tls=16384"));
    }

    /// The JVM prints a warning of its own before it rejects such a file.
    @Test
    @Tag("full")
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

    /// The functions of glibc under other names, and a line of output for a block of a conspicuous size.
    private static final String ALLOCATOR = """
            #include <stddef.h>
            #include <unistd.h>
            void *__libc_malloc(size_t);
            void *__libc_calloc(size_t, size_t);
            void *__libc_memalign(size_t, size_t);
            void __libc_free(void *);
            void *malloc(size_t size) {
                if (size == %d && write(1, "preloaded\\n", 10) < 0) return 0;
                return __libc_malloc(size);
            }
            void free(void *block) { __libc_free(block); }
            """.formatted(PreloadSession.CONSPICUOUS);
    private static final String OTHER_FUNCTIONS = """
            void *calloc(size_t count, size_t size) { return __libc_calloc(count, size); }
            void *aligned_alloc(size_t alignment, size_t size) { return __libc_memalign(alignment, size); }
            """;

    @TempDir
    private Path directory;

    private static ChildJvm child(Path library, Map<String, String> variables) {
        Map<String, String> all = new HashMap<>(variables);
        all.put("LD_PRELOAD", library.toString());
        return ChildJvm.onClassPath("--enable-native-access=ALL-UNNAMED", "-Xmx64m",
                "-XX:+SuppressFatalErrorMessage").withEnvironment(all);
    }

    /// glibc's debug library finds the byte behind the block, and aborts the process. The allocator of glibc itself
    /// does not, as its block of 10 bytes has 24.
    @Test
    @Tag("full")
    @EnabledOnOs(OS.LINUX)
    void libc_withGlibcsDebugLibrary_findsAByteBehindABlock() {
        ChildJvm.Result result = child(find("libc6", "libc_malloc_debug.so.0"), Map.of("MALLOC_CHECK_", "3"))
                .run(PreloadSession.class, "overrun");
        assertThat(result.output()).contains("free(): invalid pointer").doesNotContain("not found");
        assertThat(result.exitCode()).isNotZero();
    }

    @Test
    @Tag("full")
    @EnabledOnOs(OS.LINUX)
    void blocksThatChangeHands_withGlibcsDebugLibrary_areFreedOnce() {
        assertThat(
                child(find("libc6", "libc_malloc_debug.so.0"), Map.of("MALLOC_CHECK_", "3")).run(ReleaseSession.class))
                .isEqualTo(new ChildJvm.Result(0, "each freed once\n"));
    }

    @Test
    @Tag("full")
    @EnabledOnOs(OS.LINUX)
    void libc_withJemalloc_servesEveryRequest() {
        assertThat(child(find("libjemalloc2", "libjemalloc.so.2"), Map.of()).run(PreloadSession.class, "serve"))
                .isEqualTo(new ChildJvm.Result(0, "served\n"));
    }

    @Test
    @Tag("full")
    @EnabledOnOs(OS.LINUX)
    void libc_withALibraryOfAllFunctions_callsThem() throws Exception {
        assertThat(child(compile(ALLOCATOR + OTHER_FUNCTIONS), Map.of()).run(PreloadSession.class, "conspicuous"))
                .isEqualTo(new ChildJvm.Result(0, "preloaded\ndone\n"));
    }

    @Test
    @Tag("full")
    @EnabledOnOs(OS.LINUX)
    void libc_withALibraryOfSomeFunctions_callsNoneOfThem() throws Exception {
        assertThat(child(compile(ALLOCATOR), Map.of()).run(PreloadSession.class, "conspicuous"))
                .isEqualTo(new ChildJvm.Result(0, "done\n"));
    }

    private Path compile(String source) throws IOException {
        Programs.assumeInstalled("gcc");
        Path file = Files.writeString(directory.resolve("allocator.c"), source);
        Path library = directory.resolve("allocator.so");
        ChildJvm.run(new ProcessBuilder("gcc", "-shared", "-fPIC", "-o", library.toString(), file.toString()));
        return library;
    }
}
