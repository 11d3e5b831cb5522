package dev.arenakit.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThatCode;

class ChartTest {
    private static final String FIRST_COLOR = "fill:rgb(0,114,178)";
    private static final String SECOND_COLOR = "fill:rgb(230,159,0)";

    @TempDir
    Path directory;

    @Test
    void write_ofStoredResults_drawsABarPerComparison() throws Exception {
        assumeThatCode(Chart::requireFonts).doesNotThrowAnyException();
        Path file = directory.resolve("chart.svg");

        assertThat(Chart.write(file, "Title", "Footer", ResultsTest.stored())).isTrue();

        Document svg = parse(file);
        assertThat(svg.getDocumentElement().getTagName()).isEqualTo("svg");
        // MallocArena at 64 bytes and at 1 MiB, a file for each of 100 bytes.
        assertThat(heights(svg, FIRST_COLOR)).hasSize(2).isSorted();
        assertThat(heights(svg, SECOND_COLOR)).hasSize(1);
    }

    @Test
    void write_withoutABaseline_drawsNothing() throws IOException {
        Path file = directory.resolve("chart.svg");
        Results alone = new Results(ResultsTest.stored()
                .measurements()
                .stream()
                .filter(measurement -> !measurement.cell().isBaseline())
                .toList());

        assertThat(Chart.write(file, "Title", "Footer", alone)).isFalse();
        assertThat(file).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"3, 1", "1, 1", "0.97, 0.5", "0.3, 0.2", "0.15, 0.1", "0.07, 0.05", "0.0004, 0.0002"})
    void floor_isTheNextRoundNumberBelow(double smallest, double floor) {
        assertThat(Chart.floor(smallest)).isEqualTo(floor);
    }

    private static Document parse(Path file) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        // The file names its document type, which is not to be fetched.
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        return factory.newDocumentBuilder().parse(Files.newInputStream(file));
    }

    /// Heights of the bars of a colour: closed paths, while the box in the legend is a rectangle.
    private static List<Double> heights(Document svg, String color) {
        NodeList paths = svg.getElementsByTagName("path");
        return Stream.iterate(0, i -> i < paths.getLength(), i -> i + 1)
                .map(i -> (Element) paths.item(i))
                .filter(path -> path.getAttribute("style").contains(color))
                .map(path -> path.getAttribute("d").split("[MLZ, ]+"))
                .map(corners -> Double.parseDouble(corners[6]) - Double.parseDouble(corners[2]))
                .toList();
    }
}
