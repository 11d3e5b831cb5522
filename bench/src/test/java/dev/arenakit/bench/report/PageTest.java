package dev.arenakit.bench.report;

import dev.arenakit.testing.Browser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Opens the page in a browser, which takes about a second per test.
@Tag("full")
class PageTest {
    private static final Pattern CHART = Pattern.compile(
            "<div class=\"chart\" id=\"chart-([^\"]+)\"[^>]*data-marks=\"(\\d+)\"[^>]*>(.*?)</svg>", Pattern.DOTALL);
    // The path of a circle begins at its right end.
    private static final Pattern DOT = Pattern.compile("<path d=\"M([\\d.]+) [\\d.]+A5 5 ");

    @TempDir
    Path directory;

    @BeforeEach
    void requireBrowser() {
        assumeTrue(Browser.find().isPresent(), "needs Chromium: apt-get install chromium");
    }

    @Test
    void page_ofStoredResults_drawsADotForEachFigure() throws IOException, InterruptedException {
        Opened page = open(Report.write(directory, ResultsTest.stored(), RunDescriptionTest.stored(), List.of()));

        assertThat(page.console()).isEmpty();
        Map<String, List<Double>> dots = page.dots();
        assertThat(dots).containsOnlyKeys("dev-arenakit-bench-micro-arena-OneBlock",
                "dev-arenakit-bench-micro-stored-Mapped");
        assertThat(dots.get("dev-arenakit-bench-micro-arena-OneBlock")).hasSize(8);
        // 12 ns and 60 µs.
        assertThat(dots.get("dev-arenakit-bench-micro-stored-Mapped")).hasSize(2)
                .satisfies(both -> assertThat(both.getLast()).isGreaterThan(both.getFirst() + 100));
        assertThat(page.marks()).containsEntry("dev-arenakit-bench-micro-arena-OneBlock", 8)
                .containsEntry("dev-arenakit-bench-micro-stored-Mapped", 2);
    }

    @Test
    void page_ofTails_drawsLines() throws IOException, InterruptedException {
        Results tails = Results.read(Path.of("src/test/resources/tails.json"));
        Opened page = open(Report.write(directory, tails, RunDescriptionTest.stored(), List.of()));

        assertThat(page.console()).isEmpty();
        assertThat(page.marks()).containsKey("dev-arenakit-bench-micro-arena-Tails");
        assertThat(page.dom()).contains("aria-pressed=\"true\"", "Lines of nanoseconds over percentiles");
    }

    @Test
    void page_onASmallScreen_beginsWithTheResultAndAChart() throws IOException, InterruptedException {
        Path page = Report.write(directory, ResultsTest.stored(), RunDescriptionTest.stored(), List.of());

        try (Browser browser = Browser.open(Browser.find().orElseThrow(), page, 1280, 800)) {
            double result = Double.parseDouble(
                    browser.evaluate("document.querySelector('.result').getBoundingClientRect().bottom"));
            double chart = Double
                    .parseDouble(browser.evaluate("document.querySelector('.chart').getBoundingClientRect().top"));
            assertThat(result).isLessThan(chart);
            assertThat(chart).isLessThan(400);
            assertThat(browser.evaluate("document.querySelectorAll('footer details[open]').length")).isEqualTo("0");
            browser.evaluate("document.querySelector('.links a[href=\"#facts\"]').click()");
            assertThat(browser.evaluate("document.querySelector('footer details[open]').id")).isEqualTo("facts");
        }
    }

    @Test
    void page_hasTablesNotesAndFacts() throws IOException, InterruptedException {
        Opened page = open(Report.write(directory, ResultsTest.stored(), RunDescriptionTest.stored(), List.of()));

        assertThat(page.dom()).contains("<title>A &lt;tiny&gt; suite</title>",
                "<dt>Flags</dt><dd>--flag=&lt;a&gt; -Xmx1g</dd>", "<dt>Forks</dt><dd>3 to 5 forks each</dd>",
                "<summary>Missing or untrusted figures (3)</summary>",
                "<li><b>Strange, mine</b>: failed: threw &lt;b&gt;this&lt;/b&gt;; and | that</li>",
                "<th colspan=\"7\" scope=\"rowgroup\"><span>64 B, every byte written</span></th>",
                "<td class=\"uncertain\">3.13x faster [1.36..6.73]</td>",
                "<td class=\"missing\" colspan=\"5\">not available: mimalloc is not installed</td>",
                "250x faster [90.4..471] <span class=\"warning\">leaks</span></td>", "No figure to draw.");
    }

    @Test
    void axis_ofSixNumbers_isThatParameter() throws IOException, InterruptedException {
        assertThat(growth("1", "2", "3", "4", "5", "6")).contains("Lines of nanoseconds per operation over size");
        assertThat(growth("1", "2", "3", "4", "5")).contains("Dots of nanoseconds per operation");
        assertThat(growth("1", "2", "3", "4", "5", "a")).contains("Dots of nanoseconds per operation");
    }

    private String growth(String... sizes) throws IOException, InterruptedException {
        Results results = new Results(Stream.of(sizes)
                .map(size -> MeasurementTest.of(new Cell("com.acme.Growth", "mine", Map.of("size", size)), 1))
                .toList());
        return open(Report.write(directory, results, RunDescriptionTest.stored(), List.of())).dom();
    }

    @Test
    void page_thatFails_isNoticed() throws IOException, InterruptedException {
        Path page = Files.writeString(directory.resolve("index.html"), "<script>throw new Error('planted')</script>");

        assertThat(open(page).console()).singleElement().asString().contains("planted");
    }

    private Opened open(Path page) throws IOException, InterruptedException {
        try (Browser browser = Browser.open(Browser.find().orElseThrow(), page, 1400, 2000)) {
            return new Opened(browser.evaluate("document.documentElement.outerHTML"), browser.errors());
        }
    }

    /// A page after its scripts have run.
    ///
    /// @param console the errors of the scripts and the browser
    private record Opened(String dom, List<String> console) {
        /// The number of figures that each chart reports.
        Map<String, Integer> marks() {
            Map<String, Integer> marks = new HashMap<>();
            charts().forEach(chart -> marks.put(chart.group(1), Integer.valueOf(chart.group(2))));
            return marks;
        }

        /// Horizontal positions of the dots of each chart.
        Map<String, List<Double>> dots() {
            Map<String, List<Double>> dots = new HashMap<>();
            charts().forEach(chart -> dots.put(chart.group(1), DOT.matcher(chart.group(3))
                    .results()
                    .map(dot -> Double.valueOf(dot.group(1)))
                    .toList()));
            return dots;
        }

        private List<MatchResult> charts() {
            return CHART.matcher(dom).results().toList();
        }
    }
}
