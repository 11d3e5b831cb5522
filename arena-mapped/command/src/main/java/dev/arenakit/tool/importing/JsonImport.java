package dev.arenakit.tool.importing;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import java.io.IOException;
import java.io.Reader;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/// Imports lines of JSON, as `arena show --json` prints them: objects with the index and the value of a struct, or with a
/// number of zeros. A line may also consist of the value alone.
final class JsonImport implements ImportCommand.Source {
    private static final String ALLOCATION = "allocation";
    private static final String INDEX = "index";
    private static final String VALUE = "value";
    private static final String ZEROS = "zeros";
    /// The largest line. It takes a part of the heap only, because the line is assembled from pieces and then parsed.
    private static final int LARGEST = (int) Math.min(1 << 26, Runtime.getRuntime().maxMemory() >> 4);
    /// The parser's settings in its messages, which the user cannot change, and the parser's position, which is not the
    /// position in the file.
    private static final Pattern SETTING = Pattern.compile(
            "(, from|: enable| \\(consider enabling| require enabling) `[^`]*`( to allow.*)?| \\(start marker at.*");
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    private final Reader lines;
    private final StructType type;
    private final ImportTarget target;
    private @Nullable String label;
    private long number;

    JsonImport(Reader lines, StructType type, ImportTarget target) {
        this.lines = lines;
        this.type = type;
        this.target = target;
    }

    @Override
    public long line() {
        return number;
    }

    @Override
    public boolean next() throws IOException, ImportException {
        number++;
        int next = lines.read();
        if (next < 0) {
            return false;
        }
        StringBuilder line = new StringBuilder();
        for (; next >= 0 && next != '\n'; next = lines.read()) {
            if (line.length() == LARGEST) {
                throw new IOException("line " + number + ": a line of more than " + LARGEST + " characters");
            }
            line.append((char) next);
        }
        try {
            String text = line.toString();
            if (!text.isBlank()) {
                row(text);
            }
            return true;
        } catch (JacksonException e) {
            String problem = String.valueOf(e.getOriginalMessage());
            throw new ImportException("no JSON: " + SETTING.matcher(problem).replaceAll(""));
        }
    }

    /// Reads a value, or the properties around it. If the first property is a field of the type, it is a value.
    private void row(String line) throws IOException, ImportException {
        long index = target.rows;
        long zeros = 0;
        boolean hasValue = false;
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), line)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new ImportException("no object: each line has one");
            }
            target.struct.fill((byte) 0);
            String property = parser.nextName();
            if (property == null || !List.of(ALLOCATION, INDEX).contains(property)
                    || type.member(property).isPresent()) {
                members(parser, type, "", 0);
                hasValue = true;
            } else {
                for (; property != null; property = parser.nextName()) {
                    parser.nextToken();
                    switch (property) {
                        case ALLOCATION -> checkLabel(parser.getString());
                        case INDEX -> index = ValueParser.index(property, parser.getString());
                        case ZEROS -> zeros = ValueParser.index(property, parser.getString());
                        case VALUE -> {
                            value(parser, type, "", 0);
                            hasValue = true;
                        }
                        default -> throw ImportException.value("", property, "is no property of a struct: write "
                                + VALUE + " or " + ZEROS);
                    }
                }
            }
            if (parser.nextToken() != null) {
                throw new ImportException("more than one object: each line has one");
            }
        }
        if (hasValue) {
            target.add(index);
        } else if (zeros > 0) {
            target.addZeros(index, zeros);
        } else {
            throw new ImportException("no struct: write " + VALUE + " or " + ZEROS);
        }
    }

    private void checkLabel(String found) throws ImportException {
        if (label != null && !label.equals(found)) {
            throw ImportException.value(ALLOCATION, found, "follows " + label + ": show or select one allocation");
        }
        label = found;
    }

    /// Reads the value at the current token.
    private void value(JsonParser parser, MemoryType type, String path, long at) throws ImportException {
        JsonToken token = parser.currentToken();
        switch (type) {
            case StructType _,UnionType _ -> {
                if (token != JsonToken.START_OBJECT) {
                    throw wrong(parser, path, "is no object");
                }
                parser.nextToken();
                members(parser, type, path, at);
            }
            case ArrayType array -> {
                if (token != JsonToken.START_ARRAY) {
                    throw wrong(parser, path, "is no array");
                }
                MemoryType element = array.element();
                for (long i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
                    if (i == array.length()) {
                        throw wrong(parser, path, "is one element too many: the array has " + i);
                    }
                    value(parser, element, path + "[" + i + "]", at + i * element.byteSize());
                }
            }
            default -> {
                if (token.isStructStart()) {
                    throw wrong(parser, path, "is no value: write a number or a text");
                }
                if (token != JsonToken.VALUE_NULL) {
                    ValueParser.store(path, type, parser.getString(), target.struct, at);
                }
            }
        }
    }

    /// Reads members. The parser is at the first name, or at the end, of an object.
    private void members(JsonParser parser, MemoryType group, String path, long at) throws ImportException {
        for (String name = parser.currentName(); parser.currentToken() == JsonToken.PROPERTY_NAME; name = parser
                .nextName()) {
            String found = name;
            Member member = group.members()
                    .stream()
                    .filter(one -> one.name().equals(found))
                    .findFirst()
                    .orElseThrow(() -> ImportException.value(path, found, "is no field of the type, whose fields are "
                            + ImportException.listed(group.members().stream().map(Member::name).toList())));
            parser.nextToken();
            value(parser, member.type(), path + (path.isEmpty() ? "" : ".") + found, at + member.byteOffset());
        }
    }

    private static ImportException wrong(JsonParser parser, String path, String problem) {
        return ImportException.value(path, String.valueOf(parser.getString()), problem);
    }
}
