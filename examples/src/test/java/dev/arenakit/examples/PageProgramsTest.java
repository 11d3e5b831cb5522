package dev.arenakit.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Compares the programs on pages of `docs` with code that is compiled, and that other tests run.
class PageProgramsTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Path EXAMPLES = Path.of("src/main/java/dev/arenakit/examples");
    private static final Path USER = Path.of("src/test/java/com/example");
    private static final Path CORE = Path.of("../arena-core/src/test/java/dev/arenakit");
    private static final Path MAPPED = Path.of("../arena-mapped/src/test/java/dev/arenakit/mapped/io");
    private static final Path BENCH = Path.of("../bench/src/test/java/dev/arenakit/bench/guides");
    private static final Path ARROW = Path.of("../arena-mapped/arrow/src/test/java/dev/arenakit/arrow");

    @ParameterizedTest
    @CsvSource({
            "arenas, 1, ReadmeExample",
            "pools, 5, Snippets server/ServerExample",
            "blocks, 5, Snippets libc/OwnershipExample libc/BindingExample",
            "kept-blocks, 1, KeptBlockExample",
            "structures, 3, StructuresExample",
            "cache, 1, PageCacheExample",
            "growth, 1, debugging/GrowingPool",
            "contract, 2, CacheLineArena CacheLineArenaTest",
            "interop, 4, InteropTest ArrowMemoryTest",
            "large-files, 3, MappedWindowsExample ExtentsExample TransferExample",
            "zip-index, 1, zip/ManifestExample"})
    void javaBlocks_areLinesOfThePrograms(String page, int blocks, String programs) throws IOException {
        String code = Stream.of(programs.split(" ", -1)).map(PageProgramsTest::lines).collect(Collectors.joining("\n"));
        assertThat(Page.read(DOCS.resolve(page + ".md")).blocks("java")).hasSize(blocks)
                .allSatisfy(block -> assertThat(code)
                        .contains(Page.withoutIndentation(block.replace("System.out", "out"))));
    }

    private static String lines(String program) {
        Path directory = switch (program) {
            case "Snippets" -> CORE;
            case "CacheLineArena", "CacheLineArenaTest" -> USER;
            case "MappedWindowsExample" -> MAPPED;
            case "InteropTest" -> BENCH;
            case "ArrowMemoryTest" -> ARROW;
            default -> EXAMPLES;
        };
        try {
            return Page.withoutIndentation(Page.read(directory.resolve(program + ".java")).text());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
