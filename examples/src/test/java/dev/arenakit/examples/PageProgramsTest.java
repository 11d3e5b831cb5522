package dev.arenakit.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Compares the programs on pages of `docs` with code that is compiled, and that other tests run.
class PageProgramsTest {
    private static final Path DOCS = Path.of("..", "docs");
    /// Where the programs are.
    private static final List<Path> SOURCES = List.of(Path.of("src/main/java/dev/arenakit/examples"),
            Path.of("src/test/java/dev/arenakit/examples"), Path.of("src/it/jextract"),
            Path.of("../arena-core/src/test/java/dev/arenakit"),
            Path.of("../arena-mapped/src/test/java/dev/arenakit/mapped/io"));

    @ParameterizedTest
    @CsvSource({
            "arenas, 1, ReadmeExample",
            "pools, 4, Snippets server/ServerExample",
            "blocks, 3, Snippets KeptBlockExample",
            "structures, 3, StructuresExample",
            "large-files, 3, MappedWindowsExample ExtentsExample TransferExample",
            "zip-index, 1, zip/ManifestExample",
            "images, 2, ReadmeExample",
            "structs, 8, ReadmeExample TaskListExample",
            "stored-structures, 9, StoredExample RowsExample LastingQuotes",
            "rings, 6, Received RingBufferExample RingFileExample SharedCounterExample SharedOrder SharedQuoteExample",
            "calls, 3, CompiledBatch DetachedReads",
            "servers, 4, ServerExample SumServer PoolMetrics",
            "traces, 2, traces/HandlersTrace traces/SqliteTrace",
            "bindings, 10, BindingExample Snippets com/example/app/Main",
            "debugging, 4, DebugSnippets BudgetExample NativeOverrun UseAfterFree CStrings"})
    void javaBlocks_areLinesOfThePrograms(String page, int blocks, String programs) throws IOException {
        String code = Stream.of(programs.split(" ", -1)).map(PageProgramsTest::lines).collect(Collectors.joining("\n"));
        assertThat(Page.read(DOCS.resolve(page + ".md")).blocks("java")).hasSize(blocks)
                .map(Page::withoutIndentation)
                .allSatisfy(block -> assertThat(code).containsAnyOf(block, block.replace("System.out", "out")));
    }

    private static String lines(String program) {
        try {
            for (Path directory : SOURCES) {
                try (Stream<Path> files = Files.walk(directory)) {
                    Optional<Path> file = files.filter(path -> path.endsWith(program + ".java")).findFirst();
                    if (file.isPresent()) {
                        return Page.withoutIndentation(Page.read(file.get()).text());
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new NoSuchElementException(program);
    }
}
