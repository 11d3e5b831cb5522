package dev.arenakit.tool;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.dump.LayoutDump;
import dev.arenakit.layout.StructType;
import dev.arenakit.mapped.Allocation;

import java.io.IOException;
import java.io.OutputStream;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/// Structs for programs: JSON, an object a line, in ASCII.
final class JsonForm implements StructForm {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .disable(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
            .characterEscapes(new AsciiEscapes())
            .highestNonEscapedChar(AsciiEscapes.LAST_PRINTABLE)
            .rootValueSeparator((String) null)
            .build();

    private final JsonGenerator generator;
    private final long limit;

    /// @param limit how many structs of an allocation are printed
    JsonForm(JsonGenerator generator, long limit) {
        this.limit = limit;
        this.generator = generator;
    }

    /// What writes objects, one a line: whoever ends one ends the line too.
    static JsonGenerator generator(OutputStream out) {
        return FACTORY.createGenerator(ObjectWriteContext.empty(), out);
    }

    @Override
    public void begin(Allocation allocation, StructType type) {
        // Each object names its allocation.
    }

    @Override
    public void print(Allocation allocation, StructType type, ExtentSource source) throws IOException {
        try {
            LayoutDump.of(type)
                    .withZeroRuns()
                    .withEveryElement()
                    .withCount(limit)
                    .visit(source, new JsonVisitor(generator, allocation.label()));
        } catch (JacksonIOException e) {
            throw e.getCause();
        }
    }

    @Override
    public void finish() throws IOException {
        try {
            generator.flush();
        } catch (JacksonIOException e) {
            throw e.getCause();
        }
    }
}
