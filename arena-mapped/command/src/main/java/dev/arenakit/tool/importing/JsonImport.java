package dev.arenakit.tool.importing;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import java.io.IOException;
import java.io.Reader;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/// Imports lines of JSON, as `arena show --json` and `arena export --json` print them: objects with the index and the
/// value of a struct, or with a number of zeros. A line may also consist of the value alone.
final class JsonImport implements ImportCommand.Source {
    private static final String ALLOCATION = "allocation";
    private static final String INDEX = "index";
    private static final String VALUE = "value";
    private static final String ZEROS = "zeros";
    /// A property of lines that describe an allocation and contain no struct.
    private static final String LIVE = "live";
    private static final String IMAGE = "image";
    private static final String OWNERS = "owners";

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
    private final byte[] struct;
    private @Nullable String label;
    private long number;
    private boolean isCut;

    JsonImport(Reader lines, StructType type, ImportTarget target) {
        this.lines = lines;
        this.type = type;
        this.target = target;
        struct = new byte[Math.toIntExact(type.byteSize())];
    }

    @Override
    public long line() {
        return number;
    }

    @Override
    public boolean next() throws IOException, ImportException {
        number++;
        int next = isCut ? -1 : lines.read();
        if (next < 0) {
            return false;
        }
        StringBuilder line = new StringBuilder();
        for (; next >= 0 && next != '\n'; next = lines.read()) {
            if (line.length() == LARGEST) {
                isCut = true;
                throw new ImportException("a line of more than " + LARGEST + " characters; the rest is not read");
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

    private static JsonParser parser(String line) {
        return JSON.createParser(ObjectReadContext.empty(), line);
    }

    private void row(String line) throws IOException, ImportException {
        try (JsonParser parser = parser(line)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new ImportException("no object: each line has one");
            }
            Arrays.fill(struct, (byte) 0);
            String first = parser.nextToken() == JsonToken.PROPERTY_NAME ? parser.currentName() : "";
            if (isWrapper(line, first)) {
                wrapped(parser);
            } else if (number > 1 || !isHeading(line, first)) {
                members(parser, type, "", 0);
                checkEnd(parser);
                target.add(target.rows, struct);
            }
        }
    }

    /// Whether a line wraps a struct, a number of zeros, or the description of an allocation. If the first property is
    /// also the name of a field, the further properties decide.
    private boolean isWrapper(String line, String first) {
        if (!first.equals(ALLOCATION) && !first.equals(INDEX)) {
            return false;
        }
        Map<String, JsonToken> properties = type.member(first).isEmpty() ? Map.of() : properties(line);
        boolean hasStruct = type.member(VALUE).filter(member -> member.type() instanceof StructType).isPresent();
        return properties.isEmpty() || (properties.get(VALUE) == JsonToken.START_OBJECT && !hasStruct)
                || Stream.of(ZEROS, LIVE).anyMatch(word -> properties.containsKey(word) && type.member(word).isEmpty());
    }

    /// Whether a line is the first line of an export, which describes the image.
    private boolean isHeading(String line, String first) {
        return first.equals(IMAGE) && type.member(OWNERS).isEmpty()
                && properties(line).get(OWNERS) == JsonToken.START_ARRAY;
    }

    /// The properties of an object, with the first tokens of their values.
    private static Map<String, JsonToken> properties(String line) {
        Map<String, JsonToken> properties = new HashMap<>();
        try (JsonParser parser = parser(line)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                properties.put(parser.currentName(), parser.nextToken());
                parser.skipChildren();
            }
        }
        return properties;
    }

    private static void checkEnd(JsonParser parser) throws ImportException {
        if (parser.nextToken() != null) {
            throw new ImportException("more than one object: each line has one");
        }
    }

    /// Reads the value, the index and the number of zeros.
    private void wrapped(JsonParser parser) throws IOException, ImportException {
        long index = target.rows;
        long zeros = 0;
        boolean hasValue = false;
        boolean isAllocation = false;
        String other = "";
        for (JsonToken name = JsonToken.PROPERTY_NAME; name == JsonToken.PROPERTY_NAME; name = parser.nextToken()) {
            String property = parser.currentName();
            JsonToken token = parser.nextToken();
            switch (property) {
                case ALLOCATION -> checkLabel(parser.getString());
                case INDEX -> index = ValueParser.index(property, parser.getString());
                case ZEROS -> zeros = ValueParser.index(property, parser.getString());
                case VALUE -> {
                    value(parser, token, type, "", 0);
                    hasValue = true;
                }
                case LIVE -> isAllocation = true;
                default -> {
                    other = property;
                    parser.skipChildren();
                }
            }
        }
        checkEnd(parser);
        if (!other.isEmpty() && (!isAllocation || hasValue)) {
            throw ImportException.value("", other, "is no property of a struct: write " + VALUE + " or " + ZEROS);
        }
        if (hasValue) {
            target.add(index, struct);
        } else if (zeros > 0) {
            target.addZeros(index, zeros);
        }
    }

    private void checkLabel(String found) throws ImportException {
        if (label != null && !label.equals(found)) {
            throw ImportException.value(ALLOCATION, found, "follows " + label + ": export or select one allocation");
        }
        label = found;
    }

    private void value(JsonParser parser, @Nullable JsonToken token, MemoryType type, String path, long at)
            throws ImportException {
        switch (type) {
            case StructType _,UnionType _ -> {
                expect(token == JsonToken.START_OBJECT, parser, path, "is no object");
                parser.nextToken();
                members(parser, type, path, at);
            }
            case ArrayType array -> elements(parser, token, array, path, at);
            default -> {
                expect(token != JsonToken.START_OBJECT && token != JsonToken.START_ARRAY, parser, path,
                        "is no value: write a number or a text");
                if (token != JsonToken.VALUE_NULL) {
                    ValueParser.store(path, type, parser.getString(), struct, (int) at);
                }
            }
        }
    }

    /// Reads members. The parser is at the first name, or at the end, of an object.
    private void members(JsonParser parser, MemoryType group, String path, long at) throws ImportException {
        List<Member> members = group instanceof UnionType union ? union.members() : ((StructType) group).members();
        for (JsonToken name = parser.currentToken(); name == JsonToken.PROPERTY_NAME; name = parser.nextToken()) {
            String property = parser.currentName();
            Optional<Member> member = members.stream().filter(one -> one.name().equals(property)).findFirst();
            if (member.isEmpty()) {
                throw ImportException.value(path, property, "is no field of the type, whose fields are "
                        + ImportException.listed(members.stream().map(Member::name).toList()));
            }
            value(parser, parser.nextToken(), member.get().type(), path + (path.isEmpty() ? "" : ".") + property,
                    at + member.get().byteOffset());
        }
    }

    private void elements(JsonParser parser, @Nullable JsonToken token, ArrayType array, String path, long at)
            throws ImportException {
        expect(token == JsonToken.START_ARRAY, parser, path, "is no array");
        long index = 0;
        for (JsonToken element = parser.nextToken(); element != JsonToken.END_ARRAY; element = parser.nextToken()) {
            expect(index < array.length(), parser, path, "is one element too many: the array has " + array.length());
            value(parser, element, array.element(), path + "[" + index + "]", at + index * array.element().byteSize());
            index++;
        }
    }

    private static void expect(boolean condition, JsonParser parser, String path, String problem)
            throws ImportException {
        if (!condition) {
            throw ImportException.value(path, String.valueOf(parser.getString()), problem);
        }
    }
}
