package dev.arenakit.tool.page;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.TestImage;
import dev.arenakit.tool.ToolRun;
import dev.arenakit.tool.console.Streams;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

import static org.assertj.core.api.Assertions.assertThat;

class PageWriterTest extends InSharedMemory {
    private static final String DATA = "<script id=\"data\" type=\"application/json\">";

    /// Writes the page of an image to a file.
    static Path write(Path base, Path page, long contents) throws IOException {
        Streams streams = ToolRun.streams(OutputStream.nullOutputStream(), OutputStream.nullOutputStream());
        try (ArenaImage image = ArenaImage.open(base);
                OutputStream out = new BufferedOutputStream(Files.newOutputStream(page))) {
            new PageWriter(streams, image, contents).write(out);
        }
        return page;
    }

    @Test
    void write_hostileNames_areDataAndNothingElse() throws IOException {
        PageImage.write(directory.resolve("memory"), 10, true);
        String page = page(PageWriter.CONTENTS);
        assertThat(page).containsOnlyOnce(DATA).doesNotContain("<img", "<svg");
        assertThat(page.split("</script>", -1)).hasSize(3);
        assertThat(data(page)).matches("[ -~&&[^<]]*");
        assertThat(names(page)).contains(PageImage.HOSTILE);
    }

    @Test
    void write_nameWithMarkup_isInTheTitleAsText() throws IOException {
        String name = "<b>&{{data}}\u202e";
        TestImage.closed(directory.resolve(name));
        assertThat(Files.readString(write(directory.resolve(name), directory.resolve("page.html"), 0)))
                .containsOnlyOnce("<title>&lt;b&gt;&amp;&#123;&#123;data}}? \u2013 arena image</title>")
                .containsOnlyOnce(DATA);
    }

    @Test
    @Tag("full")
    void write_moreAllocationsThanContents_showsBytesOfTheFirst() throws IOException {
        PageImage.write(directory.resolve("memory"), 500, true);
        String page = page(1 << 12);
        assertThat(page.substring(0, page.indexOf("quotes/00400"))).contains("==\"]");
        assertThat(page.substring(page.indexOf("quotes/00400"), page.indexOf("\"files\"")))
                .doesNotContain("=\"]", "[]");
    }

    @Test
    void write_everyAllocation_hasARowAndEachTypeOneDefinition() throws IOException {
        PageImage.write(directory.resolve("memory"), 500, true);
        String page = page(PageWriter.CONTENTS);
        assertThat(names(page)).hasSize(516);
        assertThat(page.split("\"kind\":\"struct\",\"name\":\"Quote\"", -1)).hasSize(2);
    }

    @Test
    void write_smallBudget_leavesBytesOut() throws IOException {
        PageImage.write(directory.resolve("memory"), 500, true);
        assertThat(page(1 << 12).length()).isLessThan(page(0).length() + (1 << 13));
        assertThat(page(PageWriter.CONTENTS).length()).isGreaterThan(page(0).length() + (1 << 16));
    }

    @Test
    void write_contents_areThoseOfTheFirstDataBehindHoles() throws IOException {
        TestImage.chunked(directory.resolve("memory"));
        byte[] value = {0, 0, 0, 0, 0, 0, 4, 64};
        assertThat(page(PageWriter.CONTENTS))
                .contains((8 << 19) + ",\"" + Base64.getEncoder().encodeToString(Arrays.copyOf(value, 16)));
    }

    @Test
    void write_missingFile_isToldAndTheOthersFollow() throws IOException {
        TestImage.closed(directory.resolve("memory"));
        Files.delete(directory.resolve("memory-0"));
        String page = page(PageWriter.CONTENTS);
        assertThat(page).contains("Data file is missing", "[0,-1]");
        assertThat(names(page)).contains("trades", "prices");
    }

    @Test
    void write_page_needsNothingElse() throws IOException {
        TestImage.closed(directory.resolve("memory"));
        assertThat(page(PageWriter.CONTENTS))
                .contains("Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-")
                .doesNotContain("http://", "https://", "@import", "innerHTML", "insertAdjacentHTML", "eval(", " src=");
    }

    private String page(long contents) throws IOException {
        return Files.readString(write(directory.resolve("memory"), directory.resolve("page.html"), contents));
    }

    private static String data(String page) {
        int start = page.indexOf(DATA) + DATA.length();
        return page.substring(start, page.indexOf("</script>", start));
    }

    /// The first value of each row, if it is a string.
    private static List<String> names(String page) {
        List<String> names = new ArrayList<>();
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), data(page))) {
            String name = "";
            int depth = 0;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                if (depth == 1 && token == JsonToken.PROPERTY_NAME) {
                    name = parser.getString();
                } else if (depth == 3 && token == JsonToken.START_ARRAY && name.equals("allocations")) {
                    parser.nextToken();
                    names.add(parser.getString());
                }
            }
        }
        return names;
    }
}
