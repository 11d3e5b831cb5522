package dev.arenakit.launcher;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// The executable file target/arena, which makes a class cache for itself.
@Tag("full")
class ArenaFileIT {
    private static final Path FILE = Path.of(System.getProperty("arena.file"));
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
    private static final long TIMEOUT_NANOS = 120_000_000_000L;
    private static final long POLL_MILLIS = 20;

    private final Path home;
    private final Path caches;

    ArenaFileIT(@TempDir Path directory) throws IOException {
        this.home = Files.createDirectory(directory.resolve("home"));
        this.caches = home.resolve("arenakit");
    }

    @BeforeEach
    void checkShell() {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "needs /bin/sh");
    }

    @Test
    void arenaFile_firstRun_makesTheCacheThatTheSecondUses() throws IOException, InterruptedException {
        makeDirectory();
        Path copy = Files.copy(FILE, home.resolve("a copy"), StandardCopyOption.COPY_ATTRIBUTES);
        // Files that a killed process, a deleted file and another build of the file have left.
        for (String name : List.of("made.7", "making.7", "1-2.aot", "1-2.failed", "3-4.aot")) {
            Files.createFile(caches.resolve(name));
            Files.setLastModifiedTime(caches.resolve(name), FileTime.from(Instant.now().minus(Duration.ofDays(2))));
        }
        Files.createSymbolicLink(caches.resolve("1-2.jar"), home.resolve("gone"));
        Files.createSymbolicLink(caches.resolve("3-4.jar"), copy.toRealPath());
        Files.createSymbolicLink(caches.resolve("3-4.java"), JAVA);
        assumeTrue(Files.isReadable(Path.of("/proc/self/maps")), "needs /proc");
        Process first = start(copy, "hexdump");
        await(() -> first.info().command().orElse("").endsWith("java"));
        assertThat(list()).as("the cache is made after the command has ended").contains("3-4.aot");
        // The process that will make the cache gives up the output, for which other programs wait.
        Path out = descriptor(first.pid(), 1);
        await(() -> first.children().findAny().isPresent()
                && first.children()
                        .noneMatch(maker -> out.equals(descriptor(maker.pid(), 1))
                                || out.equals(descriptor(maker.pid(), 2))));
        try (OutputStream in = first.getOutputStream()) {
            in.write('#');
        }
        assertThat(output(first, 0)).isEqualTo("""
                00000000  23                                                |#|
                00000001
                """);
        // The number of files alone is not enough, since other files exist meanwhile.
        await(() -> list().stream().noneMatch(name -> name.startsWith("3-4") || name.startsWith("ma")));
        assertThat(list()).extracting(name -> name.substring(name.lastIndexOf('.')))
                .containsExactlyInAnyOrder(".aot", ".jar", ".java");
        assertThat(isCacheUsed(copy)).isTrue();
        markAsBusy();
        FileTime time = Files.getLastModifiedTime(copy);
        // The file is older than the cache, as after a copy with attributes.
        Files.setLastModifiedTime(copy, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
        assertThat(isCacheUsed(copy)).isFalse();
        Files.setLastModifiedTime(copy, time);
        damageCache();
        ProcessBuilder crash = builder(copy, "--version").directory(home.toFile());
        assertThat(crash.redirectOutput(Redirect.DISCARD).start().waitFor()).isNotZero();
        assertThat(list()).as("the JVM removes a cache with which it crashes").noneMatch(name -> name.endsWith(".aot"));
        assertThat(output(start(copy, "--version"), 0)).startsWith("arena ");
        // The process would make a cache as soon as the mark is removed with the directory.
        await(() -> ProcessHandle.allProcesses()
                .noneMatch(process -> process.info().commandLine().orElse("").contains(copy.toString())));
    }

    /// Replaces the middle half of the cache by zeros, as a power failure may do.
    private void damageCache() throws IOException {
        String cache = list().stream().filter(name -> name.endsWith(".aot")).findFirst().orElseThrow();
        try (RandomAccessFile file = new RandomAccessFile(caches.resolve(cache).toFile(), "rw")) {
            file.seek(file.length() / 4);
            file.write(new byte[Math.toIntExact(file.length() / 2)]);
        }
    }

    /// Whether a process that waits for its input has mapped a cache.
    private boolean isCacheUsed(Path file) throws IOException, InterruptedException {
        Process process = start(file, "hexdump");
        try {
            await(() -> maps(process).contains("libnio.so"));
            return maps(process).contains(caches.toString());
        } finally {
            process.getOutputStream().close();
            assertThat(output(process, 0)).isEmpty();
        }
    }

    private void makeDirectory() throws IOException {
        Files.createDirectory(caches, PosixFilePermissions.asFileAttribute(
                PosixFilePermissions.fromString("rwx------")));
    }

    /// Keeps the next run from making a cache.
    private void markAsBusy() throws IOException {
        Files.createFile(caches.resolve("making.1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwx---", "rwxr-xr-x", "rwx---rwx"})
    void arenaFile_directoryThatOthersMayRead_isNotUsed(String permissions) throws IOException, InterruptedException {
        Files.createDirectory(caches);
        Files.setPosixFilePermissions(caches, PosixFilePermissions.fromString(permissions));
        assertNoDirectoryIsFound();
    }

    @Test
    void arenaFile_directoryOfThisUserAlone_isFound() throws IOException, InterruptedException {
        makeDirectory();
        assertThat(output(function("find_directory && echo \"$directory\""), 0)).isEqualTo(caches + "\n");
    }

    /// The script makes no cache without a directory. Its function is called without the JVM that would run then.
    private void assertNoDirectoryIsFound() throws IOException, InterruptedException {
        assertThat(output(function("find_directory"), 1)).isEmpty();
    }

    @Test
    void arenaFile_directoryThatIsALink_isNotUsed() throws IOException, InterruptedException {
        Path target = Files.createDirectory(home.resolve("target"), PosixFilePermissions.asFileAttribute(
                PosixFilePermissions.fromString("rwx------")));
        Files.createSymbolicLink(caches, target);
        assertNoDirectoryIsFound();
    }

    @Test
    void arenaFile_parentOfAnotherUser_isNotUsed() throws IOException, InterruptedException {
        assumeTrue("root".equals(Files.getOwner(home).getName()), "only root can give a directory away");
        Files.setOwner(home, home.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        assertNoDirectoryIsFound();
        assertThat(caches).doesNotExist();
    }

    @Test
    void arenaFile_wrongUsage_givesTheExitCodeAndItsMessageAlone() throws IOException, InterruptedException {
        Files.createFile(caches);
        assertThat(output(start("hexdump", "-q"), 2))
                .isEqualTo("arena: Unknown option: '-q'; see arena hexdump --help\n");
    }

    @Test
    void arenaFile_killed_leavesNoJava() throws IOException, InterruptedException {
        makeDirectory();
        markAsBusy();
        Process process = start("hexdump");
        await(() -> process.info().command().orElse("").endsWith("java"));
        process.toHandle().destroy();
        process.waitFor();
        // The output ends when the last process that has it open ends.
        assertThat(process.getInputStream().readAllBytes()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"})
    void arenaFile_otherCollectorInTheEnvironment_isUsed(String variable) throws IOException, InterruptedException {
        ProcessBuilder builder = builder(FILE, "--version");
        builder.environment().put(variable, "-XX:+UseParallelGC");
        assertThat(output(builder.start(), 0)).contains("arena ");
    }

    @Test
    void arenaFile_colonInThePath_isReported() throws IOException, InterruptedException {
        Path directory = Files.createDirectory(home.resolve("a:b"));
        Path copy = Files.copy(FILE, directory.resolve("arena"), StandardCopyOption.COPY_ATTRIBUTES);
        assertThat(output(start(copy, "--version"), 1)).isEqualTo(
                "arena: Java cannot run a file whose path contains a colon: " + copy.toRealPath() + "\n");
    }

    @Test
    void arenaFile_parentThatOthersMayWriteTo_getsNoDirectory() throws IOException, InterruptedException {
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(output(start("--version"), 0)).startsWith("arena ");
        assertThat(caches).doesNotExist();
    }

    /// The locale is C in containers and in cron jobs. Many containers have the locale of a user, but not its files.
    @ParameterizedTest
    @ValueSource(strings = {"", "C", "POSIX", "xx_XX.UTF-8", "xx_XX"})
    void arenaFile_localeWithoutACharset_opensFilesWithAnyName(String locale) throws IOException, InterruptedException {
        Files.createFile(caches);
        ProcessBuilder builder = builder(Path.of("/bin/sh"), "-c",
                "printf x >\"$1/$(printf '\\346\\227\\245')\" && \"$0\" hexdump -n 1 \"$1/$(printf '\\346\\227\\245')\"",
                FILE.toString(), home.toString());
        builder.environment().keySet().removeAll(List.of("LC_ALL", "LC_CTYPE", "LANG"));
        builder.environment().put("LANG", locale);
        assertThat(output(builder.start(), 0)).startsWith("00000000  78 ");
    }

    @Test
    void arenaFile_directoryThatIsGone_isReported() throws IOException, InterruptedException {
        Files.createDirectory(home.resolve("gone"));
        Process process = builder(Path.of("/bin/sh"), "-c",
                "cd \"$1/gone\" && rmdir \"$1/gone\" && exec \"$0\" ls 2>&1", FILE.toString(),
                home.toString()).start();
        assertThat(output(process, 1))
                .endsWith("arena: the current directory does not exist any more: change to another one\n");
    }

    @Test
    void arenaFile_noReadlinkInThePath_isReported() throws IOException, InterruptedException {
        ProcessBuilder builder = builder(FILE, "--version");
        builder.environment().put("PATH", home.toString());
        assertThat(output(builder.start(), 1)).isEqualTo(
                "arena: the path of " + FILE + " is not found: the program readlink must be in PATH\n");
    }

    @Test
    void arenaFile_noJava_isReportedInOneLine() throws IOException, InterruptedException {
        Path file = Files.writeString(home.resolve("script"),
                script().replaceFirst("(?s)DIRECTORIES='.*?'", "DIRECTORIES="));
        ProcessBuilder builder = builder(Path.of("/bin/sh"), file.toString(), "ls");
        builder.environment().remove("JAVA_HOME");
        builder.environment().put("PATH", home.toString());
        builder.environment().put("HOME", home.toString());
        assertThat(output(builder.start(), 1)).hasLineCount(1)
                .startsWith("arena: Java 25 or newer is needed: install one, for example ");
    }

    @Test
    void arenaFile_isAlsoAJar() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(JAVA.toString(),
                "-jar", FILE.toString(), "--version").redirectErrorStream(true).start();
        assertThat(output(process, 0)).startsWith("arena ");
    }

    @Test
    void arenaFile_script_needsTheJavaOfTheLauncher() throws IOException {
        assertThat(script()).contains("\nNEEDED=" + Launcher.NEEDED + "\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {".jdks/jdk of mine", "Library/Java/JavaVirtualMachines/25.jdk/Contents/Home"})
    void arenaFile_javaInADirectoryOfTheUser_isFound(String directory) throws IOException, InterruptedException {
        Path user = home.resolve("a user");
        Path java = user.resolve(directory);
        Files.createDirectories(java.getParent());
        Files.createSymbolicLink(java, Path.of(System.getProperty("java.home")));
        ProcessBuilder builder = builder(Path.of("/bin/sh"), "-c",
                functions().replaceAll("\n/.*", "") + "find_java && echo \"$home\"");
        builder.environment().remove("JAVA_HOME");
        builder.environment().put("PATH", home.toString());
        builder.environment().put("HOME", user.toString());
        assertThat(output(builder.start(), 0)).isEqualTo(java + "\n");
    }

    /// Runs a line of a shell after the functions of the script.
    private Process function(String line) throws IOException {
        return builder(Path.of("/bin/sh"), "-c", functions() + line).start();
    }

    private static String functions() throws IOException {
        return script().replaceFirst("(?s)\n# In the locale C,.*", "\n");
    }

    /// Returns the text before the jar.
    private static String script() throws IOException {
        String file = Files.readString(FILE, ISO_8859_1);
        return file.substring(0, file.indexOf("PK\u0003\u0004"));
    }

    private Process start(String... args) throws IOException {
        return start(FILE, args);
    }

    private Process start(Path file, String... args) throws IOException {
        return builder(file, args).start();
    }

    private ProcessBuilder builder(Path file, String... args) {
        List<String> line = new ArrayList<>(List.of(file.toString()));
        line.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().put("XDG_CACHE_HOME", home.toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder;
    }

    private static String output(Process process, int exitCode) throws IOException, InterruptedException {
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isEqualTo(exitCode);
        return output;
    }

    private List<String> list() {
        try (Stream<Path> files = Files.list(caches)) {
            return files.map(file -> file.getFileName().toString()).toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// The file that a process has open.
    private static Path descriptor(long process, int number) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/" + process + "/fd/" + number));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String maps(Process process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/maps"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - start).as("nanoseconds").isLessThan(TIMEOUT_NANOS);
            Thread.sleep(POLL_MILLIS);
        }
    }
}
