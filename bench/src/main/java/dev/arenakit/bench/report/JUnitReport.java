package dev.arenakit.bench.report;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/// Writes a comparison in JUnit's XML format, which continuous integration servers display: a test for each cell, which
/// fails if the cell became slower, and is skipped if there was nothing to compare or to decide.
public final class JUnitReport {
    private JUnitReport() {}

    /// Writes the file.
    ///
    /// @param file       the file
    /// @param comparison what changed
    /// @throws IOException if the file cannot be written
    public static void write(Path file, Comparison comparison) throws IOException {
        try (Writer writer = Files.newBufferedWriter(file)) {
            XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(writer);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeCharacters("\n");
            xml.writeStartElement("testsuite");
            xml.writeAttribute("name", "compare");
            xml.writeAttribute("tests", String.valueOf(comparison.changes().size()));
            xml.writeAttribute("failures", count(comparison, true));
            xml.writeAttribute("errors", "0");
            xml.writeAttribute("skipped", count(comparison, false));
            for (Comparison.Change change : comparison.changes()) {
                writeTest(xml, change, comparison.metric());
            }
            xml.writeCharacters("\n");
            xml.writeEndElement();
            xml.writeCharacters("\n");
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IOException("JUnit report cannot be written: file=" + file + ", reason=" + e.getMessage(), e);
        }
    }

    private static void writeTest(XMLStreamWriter xml, Comparison.Change change, ComparedMetric metric)
            throws XMLStreamException {
        Cell cell = change.cell();
        xml.writeCharacters("\n  ");
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", cell.benchmarkClass());
        xml.writeAttribute("name", Stream.of(cell.candidate(), ReportFormat.params(cell.conditions()))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", ")));
        String element = outcome(change.verdict());
        if (!element.isEmpty()) {
            xml.writeEmptyElement(element);
            xml.writeAttribute("message", element.equals("failure")
                    ? String.format(Locale.ROOT, "%s: %s %s before, %s after; chance %.2g", change.percent(),
                            typical(change.before(), metric), metric.unit(), typical(change.after(), metric),
                            change.chance()) + tails(change)
                    : change.verdict().toString());
        }
        xml.writeEndElement();
    }

    private static String typical(Optional<Measurement> measurement, ComparedMetric metric) {
        return ReportFormat.number(metric.typical(measurement.orElseThrow()));
    }

    /// Returns the percentiles of both runs, if they have any.
    private static String tails(Comparison.Change change) {
        return Metric.PERCENTILES.stream()
                .map(percentile -> {
                    double before = change.before().orElseThrow().value(percentile);
                    double after = change.after().orElseThrow().value(percentile);
                    return Double.isNaN(before) || Double.isNaN(after)
                            ? ""
                            : "; " + percentile.label() + " " + ReportFormat.number(before) + " before, "
                                    + ReportFormat.number(after) + " after";
                })
                .collect(Collectors.joining());
    }

    private static String outcome(Comparison.Verdict verdict) {
        return switch (verdict) {
            case SLOWER -> "failure";
            case FASTER, SAME -> "";
            case UNDECIDED, ONLY_OLD, ONLY_NEW -> "skipped";
        };
    }

    private static String count(Comparison comparison, boolean failed) {
        return String.valueOf(comparison.changes()
                .stream()
                .filter(change -> outcome(change.verdict()).equals(failed ? "failure" : "skipped"))
                .count());
    }
}
