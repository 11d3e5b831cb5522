package dev.arenakit;

import dev.arenakit.layout.Programs;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static dev.arenakit.NativeAllocatorLibraryTest.find;
import static org.assertj.core.api.Assertions.assertThat;

/// `NativeAllocator.libc()` in processes in which another library replaces malloc.
@EnabledOnOs(OS.LINUX)
@Tag("full")
class NativeAllocatorPreloadTest {
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
    void libc_withGlibcsDebugLibrary_findsAByteBehindABlock() {
        ChildJvm.Result result = child(find("libc6", "libc_malloc_debug.so.0"), Map.of("MALLOC_CHECK_", "3"))
                .run(PreloadSession.class, "overrun");
        assertThat(result.output()).contains("free(): invalid pointer").doesNotContain("not found");
        assertThat(result.exitCode()).isNotZero();
    }

    @Test
    void blocksThatChangeHands_withGlibcsDebugLibrary_areFreedOnce() {
        assertThat(
                child(find("libc6", "libc_malloc_debug.so.0"), Map.of("MALLOC_CHECK_", "3")).run(ReleaseSession.class))
                .isEqualTo(new ChildJvm.Result(0, "each freed once\n"));
    }

    @Test
    void libc_withJemalloc_servesEveryRequest() {
        assertThat(child(find("libjemalloc2", "libjemalloc.so.2"), Map.of()).run(PreloadSession.class, "serve"))
                .isEqualTo(new ChildJvm.Result(0, "served\n"));
    }

    @Test
    void libc_withALibraryOfAllFunctions_callsThem() throws Exception {
        assertThat(child(compile(ALLOCATOR + OTHER_FUNCTIONS), Map.of()).run(PreloadSession.class, "conspicuous"))
                .isEqualTo(new ChildJvm.Result(0, "preloaded\ndone\n"));
    }

    @Test
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
