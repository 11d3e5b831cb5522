package dev.arenakit.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Checks that the tests exist that `docs/reliability.md` and `docs/security.md` name, and which have long forms.
class ReliabilityPageTest {
    private static final Path ROOT = Path.of("..");
    private static final Path STRESS = ROOT.resolve("arena-core").resolve("stress");
    private static final List<String> MODULES = List.of("arena-core", "arena-core/stress", "arena-mapped",
            "arena-mapped/sql", "arena-mapped/arrow", "arena-mapped/command", "examples");
    private static final Pattern TEST_CLASS = Pattern.compile("`([A-Z]\\w*(?:Test|IT|Stress))`");

    /// The source files of all modules.
    private final List<Path> files = new ArrayList<>();

    ReliabilityPageTest() throws IOException {
        for (String module : MODULES) {
            try (Stream<Path> all = Files.walk(ROOT.resolve(module).resolve("src"))) {
                files.addAll(all.filter(file -> file.toString().endsWith(".java")).toList());
            }
        }
    }

    @Test
    void rowsOfReliability_haveTheLastRunOfLongForms() throws IOException {
        List<String> rows = page("reliability.md").lines()
                .filter(line -> line.startsWith("|") && !testsIn(line).isEmpty())
                .toList();
        assertThat(rows).hasSizeGreaterThan(35);
        for (String row : rows) {
            String[] cells = row.split("\\|", -1);
            assertThat(cells).as(row).hasSize(5);
            assertThat(!cells[3].isBlank()).as(row).isEqualTo(haveLongForm(testsIn(cells[2])));
        }
    }

    @Test
    void testsOfBothPages_exist() throws IOException {
        List<String> names = files.stream().map(file -> file.getFileName().toString()).toList();
        for (String page : List.of("reliability.md", "security.md")) {
            assertThat(testsIn(page(page))).as(page)
                    .isNotEmpty()
                    .allSatisfy(test -> assertThat(names).contains(test + ".java"));
        }
    }

    private static String page(String name) throws IOException {
        return Page.read(ROOT.resolve("docs").resolve(name)).text();
    }

    private static List<String> testsIn(String text) {
        return TEST_CLASS.matcher(text).results().map((MatchResult match) -> match.group(1)).toList();
    }

    private boolean haveLongForm(List<String> tests) throws IOException {
        for (String test : tests) {
            Path file = files.stream().filter(path -> path.endsWith(test + ".java")).findFirst().orElseThrow();
            if (file.startsWith(STRESS) || Files.readString(file).contains("@Tag(\"slow\")")) {
                return true;
            }
        }
        return false;
    }
}
