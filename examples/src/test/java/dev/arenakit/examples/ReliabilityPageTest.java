package dev.arenakit.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Checks that the tests exist that `docs/reliability.md` and `docs/security.md` name.
class ReliabilityPageTest {
    private static final Path ROOT = Path.of("..");
    private static final List<String> MODULES = List.of("arena-core", "arena-core/stress", "arena-mapped",
            "arena-mapped/sql", "arena-mapped/arrow", "arena-mapped/command", "examples");
    private static final Pattern TEST_CLASS = Pattern.compile("`([A-Z]\\w*(?:Test|IT|Stress))`");
    private static final Pattern SLOW = Pattern.compile("@Tag\\(\"slow\"\\)");
    private static final Pattern TEST = Pattern.compile("@(?:Test|ParameterizedTest|Nested)\\b");

    /// The source files of each module.
    private final Map<String, List<Path>> files = new HashMap<>();

    ReliabilityPageTest() throws IOException {
        for (String module : MODULES) {
            try (Stream<Path> all = Files.walk(ROOT.resolve(module).resolve("src"))) {
                files.put(module, all.filter(file -> file.toString().endsWith(".java")).toList());
            }
        }
    }

    @Test
    void rowsOfReliability_nameTestsOfTheirModulesAndWhenTheyRun() throws IOException {
        List<String> rows = page("reliability.md").lines()
                .filter(line -> line.startsWith("|") && !testsIn(line).isEmpty())
                .toList();
        assertThat(rows).hasSizeGreaterThan(40);
        for (String row : rows) {
            String[] cells = row.split("\\|", -1);
            assertThat(cells).as(row).hasSize(7);
            assertThat(cells[4].strip()).as(row).isEqualTo(whenTheyRun(testsIn(cells[2]), cells[3].strip()));
        }
    }

    @Test
    void testsOfBothPages_exist() throws IOException {
        List<String> names = files.values()
                .stream()
                .flatMap(List::stream)
                .map(file -> file.getFileName().toString())
                .toList();
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

    private String whenTheyRun(List<String> tests, String module) throws IOException {
        boolean isSlow = false;
        boolean isShort = false;
        for (String test : tests) {
            List<Path> found = files.getOrDefault(module, List.of())
                    .stream()
                    .filter(file -> file.endsWith(test + ".java"))
                    .toList();
            assertThat(found).as("%s in %s", test, module).hasSize(1);
            String source = Files.readString(found.getFirst());
            long slow = SLOW.matcher(source).results().count();
            isSlow |= slow > 0;
            isShort |= TEST.matcher(source).results().count() > slow;
        }
        return module.endsWith("stress") ? "-Pstress" : !isSlow ? "verify" : isShort ? "verify, -Pslow" : "-Pslow";
    }
}
