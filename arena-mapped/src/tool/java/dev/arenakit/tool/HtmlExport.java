package dev.arenakit.tool;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageOwner;
import dev.arenakit.mapped.ImageProblem;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/// An image as a page to look at in a browser: one document with everything in it. What does not fit is left out, and the page says
/// so.
///
/// The allocations are read twice, and none is kept.
final class HtmlExport {
    /// With 100,000 allocations the page has some 25 MiB then, which a browser opens within a second or two.
    static final long CONTENTS = 16L << 20;

    /// The page as a form of export.
    static final ExportForm FORM = export -> {
        if (!export.allocations().named().isEmpty() || export.allocations().file().isPresent()) {
            throw new ExportUsageException("--html shows a whole image: leave out names and --file");
        }
        new HtmlExport(export.streams(), export.image(), CONTENTS).write(export.streams().out());
        return true;
    };

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .disable(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
            .characterEscapes(AsciiEscapes.inHtml())
            .highestNonEscapedChar(AsciiEscapes.LAST_PRINTABLE)
            .rootValueSeparator((String) null)
            .build();

    private static final int LONGEST_NAME = 1024;
    private static final int PROBLEMS = 200;

    private final Streams streams;
    private final ArenaImage image;
    private final String name;
    private final long contents;

    /// @param contents how many characters of the page the bytes of allocations may take
    HtmlExport(Streams streams, ArenaImage image, long contents) {
        this.streams = streams;
        this.image = image;
        this.name = String.valueOf(image.base().getFileName());
        this.contents = contents;
    }

    /// Writes the page, in UTF-8.
    ///
    /// @param out is flushed, not closed
    void write(OutputStream out) throws IOException {
        HtmlPage page = new HtmlPage();
        page.begin(out);
        try {
            JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out);
            writeData(json);
            json.flush();
        } catch (JacksonIOException e) {
            throw e.getCause();
        }
        page.end(out);
        out.flush();
    }

    /// A text that nobody has limited.
    static String shortened(String text) {
        if (text.length() <= LONGEST_NAME) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(LONGEST_NAME - 1)) ? LONGEST_NAME - 1 : LONGEST_NAME;
        return text.substring(0, end) + "...";
    }

    private void writeData(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeName("image");
        writeImage(json);
        json.writeName("problems");
        writeProblems(json);
        DiskUses uses = new DiskUses(streams);
        AllocationList list = new AllocationList(streams, image, name, uses);
        long[] withData = {0};
        BitSet files = new BitSet();
        list.measure((allocation, use) -> {
            withData[0] += HtmlRows.hasData(allocation, use) ? 1 : 0;
            if (allocation.file() >= 0) {
                files.set(allocation.file());
            }
        });
        json.writeName("allocations");
        json.writeStartArray();
        new HtmlRows(json, streams, image, new HtmlContents(json, contents, withData[0])).write(list.count(), uses);
        json.writeEndArray();
        json.writeName("files");
        json.writeStartArray();
        new HtmlFiles(json, streams, image, uses).write(files);
        json.writeEndArray();
        json.writeEndObject();
    }

    private void writeImage(JsonGenerator json) throws IOException {
        ImageState state = ImageState.of(image);
        json.writeStartObject();
        json.writeStringProperty("base", image.base().toString());
        json.writeStringProperty("name", name);
        json.writeBooleanProperty("chunked", image.isChunked());
        json.writeStringProperty("order", image.byteOrder().toString());
        json.writeStringProperty("state", state.word());
        json.writeNumberProperty("looked", Instant.now().toEpochMilli());
        json.writeName("owners");
        writeOwners(json, state.owners());
        json.writeEndObject();
    }

    private static void writeOwners(JsonGenerator json, List<ImageOwner> owners) {
        json.writeStartArray();
        for (ImageOwner owner : owners) {
            json.writeStartObject();
            json.writeNumberProperty("pid", owner.pid());
            json.writeNumberProperty("start", owner.start().toEpochMilli());
            json.writeNumberProperty("opened", owner.opened().toEpochMilli());
            json.writeStringProperty("jvm", shortened(owner.jvm()));
            json.writeBooleanProperty("closed", owner.isClosed());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /// The first ones, and behind them how many more there are.
    private void writeProblems(JsonGenerator json) throws IOException {
        long count = 0;
        json.writeStartArray();
        try (Stream<ImageProblem> problems = image.problems()) {
            for (Iterator<ImageProblem> each = problems.iterator(); each.hasNext(); count++) {
                ImageProblem problem = each.next();
                if (count < PROBLEMS) {
                    json.writeStartArray();
                    json.writeString(shortened(problem.description()));
                    json.writeNumber(problem.allocation().map(Allocation::index).orElse(-1L));
                    json.writeEndArray();
                }
            }
        }
        json.writeNumber(Math.max(0, count - PROBLEMS));
        json.writeEndArray();
    }
}
