package dev.arenakit.tool.page;

import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.testing.Browser;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.TestImage;
import dev.arenakit.tool.ToolRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Tests of the page in a browser. Starting a browser takes seconds, so each test checks many properties.
@Tag("full")
class PageTest extends InSharedMemory {
    private static final int MANY = 100_000;
    private static final int MOST_NODES = 5_000;

    /// Types into the search field, and counts the results after the next frame.
    private static final String SEARCH = """
            new Promise((done) => {
              const field = document.getElementById("search");
              field.value = "%s";
              field.dispatchEvent(new Event("input", {bubbles: true}));
              requestAnimationFrame(() => setTimeout(() => done()));
            })""";
    private static final String CLICK = """
            new Promise((done) => {
              document.querySelector(".item").click();
              requestAnimationFrame(() => setTimeout(() => done()));
            })""";
    private static final String NODES = "document.querySelectorAll('*').length";

    @Test
    void page_fewThousandAllocations_isUsableByPointerAndKeyboard() throws IOException, InterruptedException {
        try (Browser browser = browser(page(3_000), 1400, 900)) {
            assertThat(text(browser, "details-title")).isEqualTo("cut off");
            assertThat(browser.evaluate("document.getElementById('problems').open")).isEqualTo("true");
            assertThat(browser.evaluate("document.title")).startsWith("memory");
            searchesAndShows(browser);
            findsByNumber(browser);
            showsNamesAsText(browser);
            decodesAsShow(browser);
            goesByKeyboard(browser);
            opensFromTheMap(browser);
            assertThat(browser.evaluate("document.documentElement.scrollWidth <= innerWidth")).isEqualTo("true");
            assertThat(nodes(browser)).isLessThan(MOST_NODES);
            assertThat(
                    inside(browser, "map.fileStarts.every((start) => map.lines.some((line) => line.from === start))"))
                    .isEqualTo("true");
            assertThat(browser.errors()).isEmpty();
        }
    }

    @Test
    void page_widthOfAPhone_isNotScrolledSideways() throws IOException, InterruptedException {
        try (Browser browser = browser(page(100), 390, 844)) {
            assertThat(text(browser, "details-title")).isEqualTo("cut off");
            assertThat(browser.evaluate("getComputedStyle(document.getElementById('details')).display"))
                    .isEqualTo("none");
            browser.evaluate(SEARCH.formatted("events"));
            browser.evaluate(CLICK);
            assertThat(browser.evaluate("document.documentElement.scrollWidth")).isEqualTo("390");
            assertThat(browser.evaluate("getComputedStyle(document.getElementById('details')).position"))
                    .isEqualTo("fixed");
            assertThat(frame(browser)).isEqualTo("frame more");
            browser.evaluate("document.querySelector('.frame .scroll').scrollLeft = 9999");
            browser.waitFor("document.querySelector('.frame').className === 'frame less'");
            browser.press("Escape");
            assertThat(browser.evaluate("getComputedStyle(document.getElementById('details')).display"))
                    .isEqualTo("none");
            assertThat(browser.errors()).isEmpty();
        }
    }

    @Test
    void page_severalFiles_eachRowBeginsWithAFileAndThereAreNoGaps() throws IOException, InterruptedException {
        PageImage.write(directory.resolve("memory"), 300, false);
        try (Browser browser = browser(export(), 1400, 900)) {
            assertThat(inside(browser, "map.lines.length")).isEqualTo("7");
            assertThat(inside(browser, "map.lines.every((line) => map.fileStarts.includes(line.from))"))
                    .isEqualTo("true");
            assertThat(inside(browser, "space.size")).isEqualTo(inside(browser, "all.size.reduce((a, b) => a + b)"));
        }
    }

    @Test
    @Tag("slow")
    void page_hundredThousandAllocations_showsFewNodes() throws IOException, InterruptedException {
        try (Browser browser = browser(page(MANY), 1400, 900)) {
            for (String text : List.of("trades/0", "quote", "e", "99", "")) {
                browser.evaluate(SEARCH.formatted(text));
                assertThat(nodes(browser)).as(text).isLessThan(MOST_NODES);
            }
            for (String text : List.of("events", "buffer", "session 3", "#", "kinds")) {
                browser.evaluate(SEARCH.formatted(text));
                browser.evaluate(CLICK);
            }
            assertThat(nodes(browser)).isLessThan(MOST_NODES);
            assertThat(browser.errors()).isEmpty();
        }
    }

    private static void searchesAndShows(Browser browser) {
        assertThat(text(browser, "count")).isEqualTo("3,016");
        browser.evaluate(SEARCH.formatted("TRADES/0000"));
        assertThat(text(browser, "count")).isEqualTo("1 of 3,016");
        browser.evaluate(CLICK);
        assertThat(text(browser, "details-title")).isEqualTo("trades/00006");
        assertThat(text(browser, "details-body")).contains("Trade[", "live", "memory-0", "Structs", "Bytes");
        browser.evaluate(SEARCH.formatted("no such thing"));
        assertThat(text(browser, "count")).isEqualTo("0 of 3,016");
        browser.evaluate(SEARCH.formatted(""));
    }

    private void findsByNumber(Browser browser) throws IOException {
        String label = TestImage.label(directory.resolve("memory"), 21);
        assertThat(label).startsWith("#");
        browser.evaluate(SEARCH.formatted(label));
        browser.evaluate(CLICK);
        assertThat(text(browser, "details-title")).isEqualTo(label);
        assertThat(browser.evaluate("location.hash")).isEqualTo(label);
        browser.evaluate(SEARCH.formatted("index"));
        browser.evaluate(CLICK);
        assertThat(browser.evaluate("document.querySelector('.left-out code').textContent"))
                .endsWith(" '" + browser.evaluate("location.hash") + "'");
        browser.evaluate(SEARCH.formatted(""));
    }

    /// A name does not make an element, and does not change the direction of the text around it.
    private static void showsNamesAsText(Browser browser) {
        for (String name : List.of("</script><img src=x onerror=alert(1)>", "\"><svg onload=alert(1)>",
                "it's \"quoted\" & <b>bold</b> <!--", "line\\u2028separator", "\\u202eesrever",
                "caf\u00e9 \ud83d\ude00")) {
            assertThat(text(browser, "runway")).contains(name);
        }
        assertThat(browser.evaluate("document.querySelectorAll('img, svg, iframe, #runway b').length")).isEqualTo("0");
        assertThat(text(browser, "problem-list")).contains("cut off: Data file is truncated");
    }

    /// The page decodes values as `show` does, except numbers with an exponent.
    private void decodesAsShow(Browser browser) {
        assertThat(structs(browser, "events", "Event")).hasSize(12)
                .containsAll(shown("events").filter(line -> line.contains("NAMED")).toList());
        assertThat(structs(browser, "kinds", "Kinds")).containsExactlyElementsOf(shown("kinds").toList());
        assertThat(structs(browser, "packets", "Packet")).containsExactlyElementsOf(
                shown("packets").map(line -> line.replace("Header {", "{")).toList()); // the page omits nested names
        assertThat(structs(browser, "quotes/00001", "Quote"))
                .containsExactlyElementsOf(shown("quotes/00001").limit(12).toList());
        browser.evaluate(SEARCH.formatted(""));
    }

    private Stream<String> shown(String name) {
        return ToolRun.of("show", directory.resolve("memory").toString(), name, "--limit", "12")
                .out()
                .lines()
                .filter(line -> line.startsWith("["));
    }

    /// The table of structs in the form of `show`.
    private static List<String> structs(Browser browser, String allocation, String type) {
        browser.evaluate(SEARCH.formatted(allocation));
        browser.evaluate(CLICK);
        return browser.evaluate("""
                (() => {
                  const table = document.querySelector(".structs");
                  const names = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
                  return [...table.tBodies[0].rows].map((row) => row.cells[0].textContent + " %s { "
                    + [...row.cells].slice(1).map((cell, i) => names[i + 1] + " = " + cell.textContent).join(", ") + " }").join("\\n");
                })()""".formatted(type)).lines().toList();
    }

    @Test
    void page_noAllocation_saysSo() throws IOException, InterruptedException {
        InfiniteArena.ofShared(directory.resolve("memory")).close();
        try (Browser browser = browser(export(), 1400, 900)) {
            assertThat(text(browser, "runway")).isEqualTo("The image has no allocation.");
            browser.press("0");
            browser.evaluate("document.getElementById('map').focus()");
            browser.press("ArrowRight");
            browser.press("+");
            assertThat(browser.errors()).isEmpty();
        }
    }

    /// The first rows of the map show the first allocations.
    private static void opensFromTheMap(Browser browser) {
        browser.press("Escape");
        browser.evaluate("scrollTo(0, 0)");
        String[] place = browser
                .evaluate("(({left, top}) => left + ' ' + top)(document.getElementById('map').getBoundingClientRect())")
                .split(" ", -1);
        browser.click((int) Double.parseDouble(place[0]) + 89, (int) Double.parseDouble(place[1]) + 10);
        assertThat(text(browser, "details-title")).isEqualTo(PageImage.HOSTILE[0]);
        browser.evaluate("document.getElementById('zoom-in').click()");
        assertThat(text(browser, "details-title")).isEqualTo(PageImage.HOSTILE[0]);
    }

    private static void goesByKeyboard(Browser browser) {
        browser.press("Escape");
        assertThat(text(browser, "details-title")).isEqualTo("Nothing selected");
        browser.press("/");
        assertThat(browser.evaluate("document.activeElement.id")).isEqualTo("search");
        browser.press("ArrowDown");
        browser.press("ArrowDown");
        assertThat(browser.evaluate(
                "document.activeElement.id + ' ' + document.activeElement.getAttribute('aria-activedescendant')"))
                .isEqualTo("rows item-1");
        browser.press("Enter");
        assertThat(browser.evaluate("document.activeElement.id")).isEqualTo("details");
        assertThat(text(browser, "details-title")).isEqualTo("\"><svg onload=alert(1)>");
        browser.press("Escape");
        assertThat(browser.evaluate("document.activeElement.id")).isEqualTo("rows");
        browser.evaluate("document.getElementById('map').focus()");
        browser.press("ArrowRight");
        browser.press("ArrowRight");
        browser.press("Enter");
        assertThat(text(browser, "details-title")).isEqualTo("\"><svg onload=alert(1)>");
    }

    private static String frame(Browser browser) {
        return browser.evaluate("document.querySelector('.frame').className");
    }

    /// Evaluates an expression inside the script of the page. The script is run again for this.
    private static String inside(Browser browser, String expression) {
        String script = browser.evaluate("document.querySelector('script[type=module]').textContent");
        return browser.evaluate("(() => {" + script + "\nreturn " + expression + "; })()");
    }

    private static String text(Browser browser, String id) {
        return browser.evaluate("document.getElementById('" + id + "').textContent");
    }

    private static int nodes(Browser browser) {
        return Integer.parseInt(browser.evaluate(NODES));
    }

    private Path page(int count) throws IOException {
        PageImage.write(directory.resolve("memory"), count, true);
        return export();
    }

    private Path export() throws IOException {
        return PageWriterTest.write(directory.resolve("memory"), directory.resolve("page.html"), PageWriter.CONTENTS);
    }

    private static Browser browser(Path page, int width, int height) throws IOException, InterruptedException {
        assumeTrue(Browser.find().isPresent(), "needs Chromium: apt-get install chromium");
        Browser browser = Browser.open(Browser.find().get(), page, width, height);
        browser.waitFor("document.documentElement.dataset.ready === 'true'");
        return browser;
    }
}
