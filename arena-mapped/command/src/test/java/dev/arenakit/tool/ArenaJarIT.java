package dev.arenakit.tool;

import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Tests of the packaged command and of the contents of the package.
class ArenaJarIT {
    private static final int SIGINT = 2;
    /// The smallest size of files whose holes the command looks for.
    private static final long LARGE = 64L << 20;

    private final Path directory;

    ArenaJarIT(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void arenaJar_holdsTheCommandAndWhatItNeeds() throws IOException {
        try (JarFile jar = new JarFile(JarRun.JAR.toFile())) {
            Attributes manifest = jar.getManifest().getMainAttributes();
            assertThat(manifest.getValue("Main-Class")).isEqualTo("dev.arenakit.launcher.Launcher");
            assertThat(manifest.getValue("Enable-Native-Access")).isEqualTo("ALL-UNNAMED");
            assertThat(names(jar)).contains("dev/arenakit/tool/Main.class", "dev/arenakit/dump/HexDump.class",
                    "dev/arenakit/internal/file/FileExtents.class", "dev/arenakit/mapped/io/SparseFile.class",
                    "dev/arenakit/mapped/ArenaImage.class", "picocli/CommandLine.class",
                    "tools/jackson/core/JsonGenerator.class",
                    "org/jline/reader/LineReader.class", "META-INF/services/org/jline/terminal/provider/ffm",
                    "META-INF/services/org/jline/terminal/provider/exec", "META-INF/jline/LICENSE",
                    "dev/arenakit/arrow/ArrowIpc.class", "org/apache/arrow/flatbuf/Schema.class",
                    "com/google/flatbuffers/FlatBufferBuilder.class", "META-INF/arrow-format/META-INF/LICENSE",
                    "META-INF/arrow-format/META-INF/NOTICE",
                    "META-INF/LICENSE", "META-INF/jackson-core/META-INF/LICENSE",
                    "META-INF/jackson-core/META-INF/NOTICE")
                    .doesNotContain("module-info.class")
                    .noneMatch(name -> name.contains("Test") || name.contains("duckdb_")
                            || (name.startsWith("org/") && !name.equals("org/") && !name.startsWith("org/jline/")
                                    && !name.startsWith("org/apache/")));
        }
    }

    @Test
    @Tag("full")
    void arenaJar_inTheLocaleC_refusesArgumentsItCannotDecode_andPrintsUtf8() throws Exception {
        List<String> line = new ArrayList<>(List.of("env", "LC_ALL=C"));
        line.addAll(
                JarRun.commandLine(JarRun.JAVA, "find", directory.resolve("image").toString(), "--text", "d\u00e9f"));
        ToolRun found = JarRun.of(line);
        assertThat(found.err())
                .matches("arena: d\\?+f has characters that ANSI_X3.4-1968 does not have: set LC_ALL to an"
                        + " installed locale that has them, for example C.UTF-8\n");
        assertThat(found.exitCode()).isEqualTo(2);
        try (InfiniteArena arena = InfiniteArena.ofShared(directory.resolve("image"))) {
            arena.names().allocate("d\u00e9f", JAVA_LONG.byteSize(), 8);
        }
        ToolRun listed = JarRun.of(List.of("env", "LC_ALL=C", JarRun.JAVA.toString(), "-jar", JarRun.JAR.toString(),
                "ls", directory.resolve("image").toString()));
        assertThat(listed.out()).contains("d\u00e9f");
    }

    /// A row of the table of `src/assembly/licenses.md`.
    private record Library(String packageName, String license, List<String> texts) {
        static final Pattern CODE = Pattern.compile("`([^`]+)`");

        static Library of(String row) {
            String[] cells = row.split("\\|", -1);
            return new Library(codes(cells[2]).getFirst(), cells[3].strip(), codes(cells[4]));
        }

        private static List<String> codes(String cell) {
            return CODE.matcher(cell).results().map(code -> code.group(1)).toList();
        }
    }

    @Test
    void arenaJar_eachLibrary_hasTheTextOfItsLicense() throws IOException {
        try (JarFile jar = new JarFile(JarRun.JAR.toFile())) {
            List<Library> libraries = text(jar, "META-INF/licenses.md").lines()
                    .filter(line -> line.contains("`META-INF/") && line.startsWith("| ["))
                    .map(Library::of)
                    .toList();
            for (Library library : libraries) {
                assertThat(names(jar)).as(library.packageName()).containsAll(library.texts());
                assertThat(text(jar, library.texts().getFirst()))
                        .contains(switch (library.license().replaceFirst(";.*", "")) {
                            case "Apache-2.0" -> "Apache License";
                            case "MIT" -> "MIT License";
                            default -> "Redistributions in binary form must reproduce the above copyright";
                        });
            }
            assertThat(names(jar).stream().filter(name -> name.endsWith(".class"))).as("classes of no library")
                    .allMatch(name -> name.startsWith("dev/arenakit/") || libraries.stream()
                            .anyMatch(library -> name.startsWith(library.packageName().replace('.', '/') + '/')));
            assertThat(names(jar).stream().filter(name -> name.matches("META-INF/.*(LICENSE|NOTICE)")))
                    .as("texts that the page does not name")
                    .allMatch(name -> libraries.stream().anyMatch(library -> library.texts().contains(name)));
        }
    }

    @Test
    void libraryJar_hasTheTextOfItsLicense() throws IOException {
        try (JarFile jar = new JarFile(JarRun.LIBRARY.toFile())) {
            assertThat(text(jar, "META-INF/LICENSE")).contains("Apache License");
        }
    }

    @Test
    void libraryJar_hasNoToolAndRequiresNoPicocli() throws IOException {
        try (JarFile jar = new JarFile(JarRun.LIBRARY.toFile())) {
            assertThat(names(jar)).contains("module-info.class", "dev/arenakit/mapped/InfiniteArena.class")
                    .noneMatch(name -> name.contains("tool") || name.contains("launcher") || name.contains("picocli")
                            || name.contains("jackson") || name.contains("jline") || name.contains("fastcsv"));
            String pom = text(jar, "META-INF/maven/dev.arenakit/arena-mapped/pom.xml");
            assertThat(pom).contains("<artifactId>arena-core</artifactId>")
                    .doesNotContain("picocli", "jackson", "jline", "fastcsv", "arena-sql", "arena-command");
        }
    }

    @Test
    void javaJar_version_isThatOfTheBuild() throws IOException, InterruptedException {
        ToolRun run = JarRun.of(JarRun.commandLine(JarRun.JAVA, "--version"));
        assertThat(run.out()).matches("arena \\d+\\.\\d+\\.\\d+\\S*\n");
    }

    @Test
    void javaJar_standardInput_isDumped() throws IOException, InterruptedException {
        assertThat(JarRun.ofShell("printf 'Hello World' | $ARENA hexdump -s 6").out()).isEqualTo("""
                00000006  57 6f 72 6c 64                                    |World|
                0000000b
                """);
    }

    @Test
    @Tag("full")
    void javaJar_closedPipe_isSilent() throws IOException, InterruptedException {
        Path file = sparse("large", LARGE);
        ToolRun run = JarRun.ofShell("{ $ARENA hexdump -v '" + file + "'; echo $? >&2; } | head -n 1");
        assertThat(run.out()).hasLineCount(1).startsWith("00000000");
        assertThat(run.err()).isEqualTo("0\n");
    }

    @Test
    @Tag("full")
    void javaJar_interruptedWhileItPrints_endsWithoutAWordAndTellsTheShell() throws IOException, InterruptedException {
        Path base = directory.resolve("memory");
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.names().allocate("numbers", JAVA_LONG, 1 << 20).asSlice(0, 1 << 20).fill((byte) 1);
        }
        assumeFalse(isInterruptIgnored(), "interrupts are ignored, as in the background of a shell");
        Process process = new ProcessBuilder(JarRun.commandLine(JarRun.JAVA, "show", base.toString())).start();
        try {
            // The rest of the output is not read, so that it fills the pipe and the command waits.
            assertThat(process.inputReader().readLine()).isEqualTo("==> numbers: int64_t[1048576] <==");
            new ProcessBuilder("kill", "-INT", String.valueOf(process.pid())).start().waitFor();
            assertThat(process.waitFor()).isEqualTo(130);
            assertThat(process.errorReader().lines()).isEmpty();
        } finally {
            process.destroyForcibly();
        }
    }

    /// A process inherits the ignored signals of the process that starts it.
    private static boolean isInterruptIgnored() throws IOException {
        Path status = Path.of("/proc/self/status");
        try (Stream<String> lines = Files.exists(status) ? Files.lines(status) : Stream.empty()) {
            return lines.filter(line -> line.startsWith("SigIgn:"))
                    .mapToLong(line -> Long.parseUnsignedLong(line.substring("SigIgn:".length()).strip(), 16))
                    .anyMatch(ignored -> (ignored & (1L << (SIGINT - 1))) != 0);
        }
    }

    @Test
    @Tag("full")
    void javaJar_fullOutput_isReportedInOneLine() throws IOException, InterruptedException {
        assumeTrue(Files.exists(Path.of("/dev/full")), "needs /dev/full");
        ToolRun run = JarRun.ofShell("$ARENA hexdump '" + JarRun.JAR + "' >/dev/full");
        assertThat(run.err()).hasLineCount(1).startsWith("arena: standard output: ");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    @Tag("full")
    void javaClassPath_nativeAccessDenied_saysOnceThatEveryByteIsRead() throws IOException, InterruptedException {
        String file = sparse("memory-0", LARGE).toString();
        ToolRun run = denied("hexdump", file, file);
        assertThat(run.err()).hasLineCount(1)
                .startsWith("arena: holes are read like data: ")
                .contains("--enable-native-access=ALL-UNNAMED");
        assertThat(run.out()).hasLineCount(3).endsWith("*\n08000000\n");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    @Tag("full")
    void javaClassPath_nativeAccessDenied_showsAnImageAllTheSame() throws IOException, InterruptedException {
        String base = TestImage.closed(directory.resolve("memory")).toString();
        ToolRun list = denied("ls", base);
        assertThat(list.err()).hasLineCount(1).contains("--enable-native-access=ALL-UNNAMED");
        assertThat(TestImage.cells(list.out())).anyMatch(row -> row.startsWith("trades|Trade[1000]|31.3 KiB|?|live|"));
        assertThat(denied("show", base).out()).isEqualTo(ToolRun.of("show", base).out());
    }

    private Path sparse(String name, long byteSize) throws IOException {
        Path path = directory.resolve(name);
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(byteSize);
        }
        return path;
    }

    /// Runs the command from the class path, where the JVM ignores the manifest, with native access denied.
    private static ToolRun denied(String... args) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(JarRun.JAVA.toString(), "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC", "--illegal-native-access=deny", "-cp", JarRun.JAR.toString(),
                "dev.arenakit.tool.Main"));
        line.addAll(List.of(args));
        return JarRun.of(line);
    }

    private static List<String> names(JarFile jar) {
        return jar.stream().map(JarEntry::getName).toList();
    }

    private static String text(JarFile jar, String name) throws IOException {
        try (InputStream in = jar.getInputStream(jar.getEntry(name))) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }
}
