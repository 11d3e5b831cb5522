package dev.arenakit.tool.export;

import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.TestImage;
import dev.arenakit.tool.ToolRun;
import dev.arenakit.tool.console.Output;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests of the behaviour that all forms share.
class ExportCommandTest extends InSharedMemory {

    @Test
    void export_withoutAForm_namesTheFormsInTheOrderOfTheHelp() {
        assertThat(ToolRun.of("export", base.toString()).exits(2).err())
                .contains("(--c-header | --hexpat | --csv | --arrow | --bytes | --html)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--c-header", "--hexpat"})
    void export_file_holdsWhatStandardOutputTakes(String form) throws IOException {
        ExportImage.write(base);
        Path file = directory.resolve("out");
        assertThat(export(form, "-o", file.toString()).succeeds().out()).isEmpty();
        assertThat(Files.readString(file)).isNotEmpty().isEqualTo(export(form).out());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
    }

    @Test
    void export_fileThatIsThere_isReplacedWithForceAlone() throws IOException {
        ExportImage.write(base);
        Path file = Files.writeString(directory.resolve("out"), "mine");
        assertThat(export("--c-header", "-o", file.toString()).exits(1).err())
                .isEqualTo("arena: " + file + ": File exists; --force replaces it\n");
        assertThat(file).hasContent("mine");

        List<String> before = names();
        assertThat(export("--c-header", "-o", file.toString(), "--force").exitCode()).isZero();
        assertThat(Files.readString(file)).startsWith("/* The allocations in the image memory. */");
        assertThat(names()).isEqualTo(before);
    }

    @Test
    void export_html_isAPageOfTheWholeImage() throws IOException {
        ExportImage.write(base);
        Path page = directory.resolve("page.html");
        assertThat(export("--html", "-o", page.toString()).exitCode()).isZero();
        assertThat(Files.readString(page)).startsWith("<!doctype html>").endsWith("</html>\n");

        ToolRun refused = export("shapes", "--html");
        assertThat(refused.err()).contains("--html shows a whole image");
        assertThat(refused.exitCode()).isNotZero();
    }

    @Test
    void export_linkThatIsThere_isNotFollowed() throws IOException {
        ExportImage.write(base);
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("elsewhere"));
        assertThat(export("--c-header", "-o", link.toString()).err()).contains("File exists");
        assertThat(export("--c-header", "-o", link.toString(), "--force").err()).contains("not a regular file");
        assertThat(directory.resolve("elsewhere")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory-0", "memory-17", "memory.catalog", "memory.lock", "./memory-0"})
    void export_fileOfTheImage_isRefused(String name) throws IOException {
        ExportImage.write(base);
        List<String> before = names();
        assertThat(export("--c-header", "--force", "-o", directory + "/" + name).exits(1).err()).hasLineCount(1)
                .contains("a file of the image could have this name");
        assertThat(names()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            nothing --c-header            | 1 | no allocation named nothing (try arena ls)
            --bytes                       | 2 | Option '--bytes' writes one allocation: give one NAME
            shapes prices --bytes         | 2 | Option '--bytes' writes one allocation: give one NAME
            empty --hexpat                | 1 | no allocation with bytes to export
            --c-header --hexpat           | 2 | are mutually exclusive
            shapes                        | 2 | Missing required argument (specify one of these): (--
            """)
    void export_whatCannotBeExported_isSaidInOneLineAndLeavesNoFile(String line, int exitCode, String message)
            throws IOException {
        ExportImage.write(base);
        Path file = directory.resolve("out");
        ToolRun run = export((line + " -o " + file).split(" ")).exits(exitCode);
        assertThat(run.err()).hasLineCount(1).startsWith("arena: ").contains(message).doesNotContain("Error:");
        assertThat(run.out()).isEmpty();
        assertThat(file).doesNotExist();
    }

    @Test
    void export_severalDataFiles_needsTheChoiceOfOne() {
        TestImage.closed(base);
        assertThat(export("--hexpat").exits(2).err()).hasLineCount(1)
                .contains("Option '--hexpat' is about one data file, and there are allocations in 0 and ",
                        "name allocations of one file");
        assertThat(export("--hexpat", "prices").exitCode()).isZero();
    }

    @Test
    void export_outputThatFails_leavesNoFile() {
        ExportImage.write(base);
        assertThat(export("--c-header", "-o", directory + "/no/such/directory").exits(1).err())
                .isEqualTo("arena: " + directory + "/no/such/directory: No such file or directory\n");
        assertThat(export("--c-header", "--force", "-o", "/dev/full").exits(1).err()).contains("not a regular file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--c-header", "--hexpat", "--bytes"})
    void export_closedPipe_isSilent(String form) {
        ExportImage.write(base);
        ToolRun.withOutput(new Output(closed(), true), "export", base.toString(), "shapes",
                form).succeeds();
    }

    @Test
    void export_truncatedDataFile_saysWhatIsLostAndExportsTheRest() throws IOException {
        ExportImage.write(base);
        truncate(ExportImage.SHAPE.byteSize() * 2 + 1);
        ToolRun run = export("shapes", "--hexpat").exits(1);
        assertThat(run.err()).hasLineCount(1).contains("shapes: ", "truncated: 401 of 600 bytes are left");
        assertThat(run.out()).contains("shapes");
    }

    @Test
    void export_missingDataFile_isReported() throws IOException {
        ExportImage.write(base);
        Files.delete(directory.resolve("memory-0"));
        for (String form : List.of("--hexpat", "--bytes")) {
            assertThat(export("shapes", form).exits(1).err()).as(form)
                    .hasLineCount(1)
                    .contains("No such file or directory");
        }
        assertThat(export("--c-header").exitCode()).isZero();
    }

    @Test
    void export_freedAllocation_isExportedWhereItIsNamed() throws IOException {
        TestImage.closed(base);
        assertThat(export("--c-header").out()).contains("trades: Trade[1000]").doesNotContain("old: ");
        assertThat(export("--c-header", TestImage.label(base, 1)).out())
                .contains("/* old: Trade[10] in memory-1 at 0x0, 320 bytes, freed */");
    }

    @Test
    void export_livingImage_isExported() {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            TestImage.fill(arena);
            assertThat(export("--c-header").out()).contains("trades: Trade[1000]");
        }
    }

    private void truncate(long byteSize) throws IOException {
        TestImage.truncate(directory.resolve("memory-0"), byteSize);
    }

    private static OutputStream closed() {
        return ToolRun.failingStream("Broken pipe");
    }

    private ToolRun export(String... args) {
        return export(base, args);
    }

    static ToolRun export(Path base, String... args) {
        return ToolRun.of(Stream.concat(Stream.of("export", base.toString()), Stream.of(args)).toArray(String[]::new));
    }
}
