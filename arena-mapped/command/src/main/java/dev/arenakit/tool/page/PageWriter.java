package dev.arenakit.tool.page;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageIntegrity;
import dev.arenakit.mapped.OwnerRecord;
import dev.arenakit.tool.console.JsonOutput;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.DiskUsage;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.image.ImageState;
import dev.arenakit.tool.image.MeasuredAllocations;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import tools.jackson.core.JsonGenerator;

/// Writes an image as an HTML page: one document that contains everything a browser needs to show it. If something does
/// not fit, the page leaves it out and says so.
///
/// The allocations are read twice. None is kept in memory.
public final class PageWriter {
    /// The default limit of contents. With it, the page of 1,000,000 allocations has about 50 MiB, which a browser
    /// opens within a few seconds.
    public static final long CONTENTS = 16L << 20;

    private static final int MAX_NAME_LENGTH = 1024;
    private static final int MAX_PROBLEMS = 200;

    private final Streams streams;
    private final ArenaImage image;
    private final String name;
    private final long contents;

    /// @param contents the largest number of characters of the page that show bytes of allocations
    public PageWriter(Streams streams, ArenaImage image, long contents) {
        this.streams = streams;
        this.image = image;
        this.name = String.valueOf(image.base().getFileName());
        this.contents = contents;
    }

    /// Writes the page, in UTF-8.
    ///
    /// @param out is flushed, not closed
    public void write(OutputStream out) throws IOException {
        PageTemplate page = new PageTemplate(shortened(name));
        page.begin(out);
        JsonOutput.write(() -> {
            JsonGenerator json = JsonOutput.generator(out);
            writeData(json);
            json.flush();
        });
        page.end(out);
        out.flush();
    }

    /// Shortens a text from the image, which may have any length.
    static String shortened(String text) {
        if (text.length() <= MAX_NAME_LENGTH) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(MAX_NAME_LENGTH - 1)) ? MAX_NAME_LENGTH - 1 : MAX_NAME_LENGTH;
        return text.substring(0, end) + "...";
    }

    private void writeData(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeName("image");
        DiskUsage.Meter meter = new DiskUsage.Meter(streams);
        writeImage(json, meter.onDisk(ImageFileSet.of(image.base())));
        json.writeName("problems");
        writeProblems(json);
        MeasuredAllocations allocations = new MeasuredAllocations(image, meter);
        long[] withData = {0};
        BitSet files = new BitSet();
        allocations.measure((allocation, usage) -> {
            withData[0] += PageAllocations.hasData(allocation, usage) ? 1 : 0;
            allocation.parts().forEach(part -> files.set(part.file()));
        });
        json.writeArrayPropertyStart("allocations");
        new PageAllocations(json, image, new PageContents(json, contents, withData[0])).write(allocations);
        json.writeEndArray();
        json.writeArrayPropertyStart("files");
        new PageDataFiles(json, image, meter.warning()).write(files);
        json.writeEndArray();
        json.writeEndObject();
    }

    private void writeImage(JsonGenerator json, OptionalLong onDisk) throws IOException {
        ImageState state = ImageState.of(image);
        json.writeStartObject();
        // The path is absolute, since the page may be read in another directory.
        json.writeStringProperty("base", image.base().toAbsolutePath().toString());
        json.writeStringProperty("name", name);
        json.writeBooleanProperty("chunked", image.isChunked());
        json.writeStringProperty("order", image.byteOrder().toString());
        json.writeNumberProperty("disk", onDisk.orElse(-1));
        json.writeStringProperty("state", state.word());
        json.writeNumberProperty("looked", Instant.now().toEpochMilli());
        json.writeName("owners");
        writeOwners(json, state.owners());
        json.writeEndObject();
    }

    private static void writeOwners(JsonGenerator json, List<OwnerRecord> owners) {
        json.writeStartArray();
        for (OwnerRecord owner : owners) {
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

    /// Writes the first problems, and then the number of further problems.
    private void writeProblems(JsonGenerator json) throws IOException {
        long count = 0;
        json.writeStartArray();
        try (Stream<ImageIntegrity.Problem> problems = image.integrity().problems()) {
            for (Iterator<ImageIntegrity.Problem> each = problems.iterator(); each.hasNext(); count++) {
                ImageIntegrity.Problem problem = each.next();
                if (count < MAX_PROBLEMS) {
                    json.writeStartArray();
                    json.writeString(shortened(problem.description()));
                    json.writeNumber(problem.allocation().map(Allocation::number).orElse(-1L));
                    json.writeEndArray();
                }
            }
        }
        json.writeNumber(Math.max(0, count - MAX_PROBLEMS));
        json.writeEndArray();
    }
}
