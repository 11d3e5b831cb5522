package dev.arenakit.tool.importing;

import dev.arenakit.tool.console.PrintableText;
import java.io.IOException;
import java.io.Reader;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/// Imports objects of JSON, as `arena show --json` prints them: with the index and the value of a struct, or with a
/// number of zeros. An object may also be the value alone.
final class JsonImport implements ImportCommand.Source {
    private static final String VALUE = "/value";
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    private final JsonParser parser;
    private final ImportTarget target;
    private @Nullable String label;

    JsonImport(Reader reader, ImportTarget target) {
        parser = JSON.createParser(ObjectReadContext.empty(), reader);
        this.target = target;
    }

    @Override
    public long line() {
        return parser.currentTokenLocation().getLineNr();
    }

    @Override
    public boolean next() throws IOException {
        try {
            JsonToken token = parser.nextToken();
            if (token == null) {
                return false;
            }
            if (token != JsonToken.START_OBJECT) {
                throw new IOException("no object: write one for each struct, as jq -c '.[]' does for an array");
            }
            readObject();
            return true;
        } catch (JacksonIOException e) {
            throw e.getCause();
        } catch (JacksonException e) {
            // The rest of a message names classes and settings of the parser.
            throw new IOException("no JSON: " + String.valueOf(e.getOriginalMessage())
                    .replaceFirst("[:(,].*", "")
                    .strip(), e);
        }
    }

    /// Reads a value, or the properties around it. If the first property is a field of the type, it is a value.
    private void readObject() throws IOException {
        target.struct.fill((byte) 0);
        long index = target.rows;
        long zeros = 0;
        String property = parser.nextName();
        boolean isWrapped = property != null && List.of("allocation", "index").contains(property)
                && target.type.member(property).isEmpty();
        for (JsonToken token = parser.currentToken(); !parser.streamReadContext().inRoot(); token = parser
                .nextToken()) {
            if (!token.isScalarValue()) {
                continue;
            }
            String path = parser.streamReadContext().pathAsPointer().toString();
            String text = parser.getString();
            if (!isWrapped || path.startsWith(VALUE + "/")) {
                ImportField field = target.field(isWrapped ? path.substring(VALUE.length()) : path);
                if (token != JsonToken.VALUE_NULL) {
                    field.store(text, target.struct);
                }
                continue;
            }
            switch (path) {
                case "/index" -> index = ImportField.index(path, text);
                case "/zeros" -> zeros = ImportField.index(path, text);
                case "/allocation" -> {
                    if (label != null && !label.equals(text)) {
                        throw ImportField.wrong(path, text, "follows " + label + ": show or select one allocation",
                                null);
                    }
                    label = text;
                }
                default -> throw new IOException(
                        "'" + PrintableText.shortened(path) + "' is no property of a struct: write value or zeros");
            }
        }
        if (zeros > 0) {
            target.addZeros(index, zeros);
        } else {
            target.add(index);
        }
    }
}
