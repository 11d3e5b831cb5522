package dev.arenakit.bench.guides;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/// A page in `docs`, or a section of it, and the source of its test, which runs its code.
///
/// @param page    the text of the page or of the section
/// @param methods the tests of the source
record Guide(String page, List<String> methods) {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Path SOURCES = Path.of("src/test/java/dev/arenakit/bench/guides");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    static Guide page(String name, Class<?> test) throws IOException {
        String source = Files.readString(SOURCES.resolve(test.getSimpleName() + ".java"));
        return new Guide(Files.readString(DOCS.resolve(name)), List.of(source.split("@Test\n")));
    }

    /// Returns a section of `docs/migration.md`.
    static Guide section(String heading, Class<?> test) throws IOException {
        Guide all = page("migration.md", test);
        return new Guide(Stream.of(all.page.split("\n## "))
                .filter(section -> section.startsWith(heading + "\n"))
                .findFirst()
                .orElseThrow(), all.methods);
    }

    /// Checks that each row of the table "you write, you write here" has a test with the code of its first two cells.
    void assertRowsAreTested() {
        List<String[]> rows = rows("| you write | you write here | what differs |");
        assertThat(rows).hasSizeGreaterThan(4).allSatisfy(row -> {
            List<String> code = code(row[1] + row[2]);
            assertThat(code).hasSizeGreaterThan(1);
            assertThat(methods).as(String.join(", ", code))
                    .anySatisfy(method -> assertThat(method).contains("assertThat").contains(code));
        });
    }

    /// Returns the cells of the rows of a table; the first cell is at index 1.
    List<String[]> rows(String header) {
        assertThat(page).contains(header);
        return page.lines()
                .dropWhile(line -> !line.equals(header))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.split(" ?\\| ?"))
                .toList();
    }

    /// Returns the code blocks of the page.
    Stream<String> blocks() {
        return Stream.of(page.split("```java\n")).skip(1).map(part -> part.substring(0, part.indexOf("```")));
    }

    private static List<String> code(String cells) {
        return CODE.matcher(cells).results().map((MatchResult code) -> code.group(1)).toList();
    }
}
