package dev.arenakit.tool.console;

import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.SerializableString;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.io.CharacterEscapes;
import tools.jackson.core.json.JsonFactory;

/// JSON in printable ASCII, since the output may be a terminal: all other characters are escaped.
public final class JsonOutput {
    /// Code that writes to a generator.
    @FunctionalInterface
    public interface Writing {
        void run() throws IOException;
    }

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .disable(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
            .characterEscapes(new AsciiEscapes())
            .highestNonEscapedChar(AsciiEscapes.LAST_PRINTABLE)
            .rootValueSeparator((String) null)
            .build();

    private JsonOutput() {}

    /// Makes a generator that writes nothing between root values. The caller writes a line feed after each root value.
    ///
    /// @param out is neither flushed nor closed
    public static JsonGenerator generator(OutputStream out) {
        return FACTORY.createGenerator(ObjectWriteContext.empty(), out);
    }

    /// Runs code that writes to a generator. Exceptions of the stream are thrown without the generator's wrapper.
    public static void write(Writing writing) throws IOException {
        try {
            writing.run();
        } catch (JacksonIOException e) {
            throw e.getCause();
        }
    }

    /// Writes a value: a number, a boolean, null, or the text of any other object.
    public static void writeValue(JsonGenerator json, @Nullable Object value) {
        switch (value) {
            case null -> json.writeNull();
            case Boolean bool -> json.writeBoolean(bool);
            case Long number -> json.writeNumber(number);
            case Double number -> json.writeNumber(number);
            case Float number -> json.writeNumber(number);
            case BigInteger number -> json.writeNumber(number);
            case BigDecimal number -> json.writeNumber(number);
            default -> json.writeString(value.toString());
        }
    }

    /// The escapes of the characters that the generator itself does not escape. It escapes all characters above `~`,
    /// except DEL. A `<` could end an element of HTML that contains JSON.
    private static final class AsciiEscapes extends CharacterEscapes {
        private static final int LAST_PRINTABLE = '~';
        private static final long serialVersionUID = 1L;
        private static final int DELETE = LAST_PRINTABLE + 1;

        @Override
        public int[] getEscapeCodesForAscii() {
            int[] codes = standardAsciiEscapesForJSON();
            codes[DELETE] = ESCAPE_STANDARD;
            codes['<'] = ESCAPE_STANDARD;
            return codes;
        }

        @Override
        public @Nullable SerializableString getEscapeSequence(int character) {
            return null;
        }
    }
}
