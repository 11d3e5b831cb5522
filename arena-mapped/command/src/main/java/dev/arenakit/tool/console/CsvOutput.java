package dev.arenakit.tool.console;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import de.siegmar.fastcsv.writer.QuoteStrategies;
import java.io.IOException;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Comma-separated values (RFC 4180) with line feeds. A field without a value is empty, and an empty text has quotation
/// marks.
public final class CsvOutput {
    private final Streams streams;
    private final StringWriter line = new StringWriter();
    private final CsvWriter writer = CsvWriter.builder()
            .quoteStrategy(QuoteStrategies.EMPTY)
            .lineDelimiter(LineDelimiter.LF)
            .bufferSize(0)
            .build(line);

    public CsvOutput(Streams streams) {
        this.streams = streams;
    }

    /// Writes a row. Other programs get all characters. A terminal gets safe characters only.
    ///
    /// @param fields the fields; null for a field without a value
    public void write(@Nullable String... fields) throws IOException {
        boolean isTerminal = streams.isTerminal();
        CsvWriter.CsvWriterRecord row = writer.writeRecord();
        for (String field : fields) {
            row.writeField(field == null || !isTerminal ? field : PrintableText.of(field));
        }
        row.endRecord();
        streams.out().write(line.toString().getBytes(UTF_8));
        line.getBuffer().setLength(0);
    }
}
