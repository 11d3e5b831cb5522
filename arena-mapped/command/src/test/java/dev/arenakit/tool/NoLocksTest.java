package dev.arenakit.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Arenas and the command on a file system without locks. A library that is loaded before the C library refuses all
/// locks.
class NoLocksTest {
    private static final String REFUSE_LOCKS = """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <errno.h>
            #include <fcntl.h>
            #include <stdarg.h>

            static int call(int fd, int command, void *argument) {
                if (command == F_GETLK || command == F_SETLK || command == F_SETLKW) {
                    errno = ENOLCK;
                    return -1;
                }
                int (*original)(int, int, ...) = (int (*)(int, int, ...)) dlsym(RTLD_NEXT, "fcntl");
                return original(fd, command, argument);
            }

            #define CALL { va_list list; va_start(list, command); void *argument = va_arg(list, void *); \\
                           va_end(list); return call(fd, command, argument); }
            int fcntl(int fd, int command, ...) CALL
            int fcntl64(int fd, int command, ...) CALL
            """;

    private final Path directory;
    private final Path base;
    private Path library;

    NoLocksTest(@TempDir Path directory) {
        this.directory = directory;
        base = directory.resolve("memory");
        library = directory.resolve("nolocks.so");
    }

    @BeforeEach
    void compile() throws IOException, InterruptedException {
        Path source = Files.writeString(directory.resolve("nolocks.c"), REFUSE_LOCKS);
        try {
            Process compiler = new ProcessBuilder("cc", "-shared", "-fPIC", "-o", library.toString(), source.toString(),
                    "-ldl").redirectErrorStream(true).start();
            compiler.getInputStream().readAllBytes();
            assumeTrue(compiler.waitFor() == 0, "needs a C compiler for shared libraries");
        } catch (IOException _) {
            assumeTrue(false, "needs a C compiler");
        }
    }

    /// Runs a program whose locks the system refuses. Without native access, the program uses the locks of the JDK.
    private String run(int exitCode, Class<?> main, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(TestImage.command(base));
        command.addAll(1, List.of("--illegal-native-access=deny"));
        command.set(command.size() - 2, main.getName());
        command.removeLast();
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LD_PRELOAD", library.toString());
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isEqualTo(exitCode);
        return output;
    }

    @Test
    void build_withoutLocks_isRefusedAndLeavesNoFile() throws IOException, InterruptedException {
        assertThat(run(1, TestImage.class, base.toString())).contains("Image cannot be locked: path=" + base + ".lock")
                .contains("withoutLock()");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).hasSize(2);
        }
    }

    @Test
    @Tag("full")
    void command_imageOfAKilledProcess_saysThatTheOwnerIsUnknown() throws IOException, InterruptedException {
        TestImage.closed(directory.resolve("closed"));
        Process killed = TestImage.killed(base);
        assertThat(run(0, Main.class, "ls", directory.toString())).contains("  unknown  " + killed.pid())
                .contains("  closed   ");
        assertThat(run(0, Main.class, "ls", base.toString())).contains("unknown: process " + killed.pid())
                .contains("may have it open: the file system has no locks");
        assertThat(run(1, Main.class, "purge", "--yes", base.toString()))
                .contains("a process may have it open: the file system has no locks");
        assertThat(base.resolveSibling("memory.catalog")).exists();
    }
}
