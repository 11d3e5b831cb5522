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
import java.util.Objects;
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
    /// Properties of lines that describe an allocation or an image, and contain no struct.
    private static final String LIVE = "live";
    private static final String BYTE_SIZE = "byteSize";
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

    private static JsonParser parser(String line) {
        return JSON.createParser(ObjectReadContext.empty(), line);
    }

    /// Reads a value, or the properties around it.
    private void row(String line) throws IOException, ImportException {
        long index = target.rows;
        long zeros = 0;
        boolean hasValue = false;
        String other = "";
        String first;
        try (JsonParser parser = parser(line)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new ImportException("no object: each line has one");
            }
            Arrays.fill(struct, (byte) 0);
            first = Objects.requireNonNullElse(parser.nextName(), "");
            boolean isWrapped = isWrapped(line, first);
            if (!isWrapped) {
                members(parser, type.members(), "", 0);
                hasValue = true;
            }
            for (String property = first; isWrapped && property != null; property = parser.nextName()) {
                parser.nextToken();
                switch (property) {
                    case ALLOCATION -> checkLabel(parser.getString());
                    case INDEX -> index = ValueParser.index(property, parser.getString());
                    case ZEROS -> zeros = ValueParser.index(property, parser.getString());
                    case VALUE -> {
                        value(parser, type, "", 0);
                        hasValue = true;
                    }
                    default -> {
                        other = other.isEmpty() ? property : other;
                        parser.skipChildren();
                    }
                }
            }
            if (parser.nextToken() != null) {
                throw new ImportException("more than one object: each line has one");
            }
        }
        if (!other.isEmpty() && !isDescription(first, properties(line))) {
            throw ImportException.value("", other, "is no property of a struct: write " + VALUE + " or " + ZEROS);
        }
        if (hasValue) {
            target.add(index, struct);
        } else if (zeros > 0) {
            target.addZeros(index, zeros);
        }
    }

    /// Whether a line is no value alone. If the first property is also the name of a field, the further properties
    /// decide.
    private boolean isWrapped(String line, String first) {
        return switch (first) {
            case IMAGE -> number == 1 && type.member(OWNERS).isEmpty() && isDescription(first, properties(line));
            case ALLOCATION, INDEX -> type.member(first).isEmpty() || isWrapped(first, properties(line));
            default -> false;
        };
    }

    private boolean isWrapped(String first, Map<String, JsonToken> properties) {
        boolean hasStruct = type.member(VALUE).filter(member -> member.type() instanceof StructType).isPresent();
        return (properties.get(VALUE) == JsonToken.START_OBJECT && !hasStruct)
                || (properties.containsKey(ZEROS) && type.member(ZEROS).isEmpty())
                || (type.member(LIVE).isEmpty() && isDescription(first, properties));
    }

    /// Whether a line describes the image or an allocation, as an export does.
    private static boolean isDescription(String first, Map<String, JsonToken> properties) {
        return Stream.of(INDEX, ZEROS, VALUE).noneMatch(properties::containsKey) && switch (first) {
            case IMAGE -> properties.get(OWNERS) == JsonToken.START_ARRAY;
            case ALLOCATION -> properties.containsKey(BYTE_SIZE)
                    && properties.getOrDefault(LIVE, JsonToken.NOT_AVAILABLE).isBoolean();
            default -> false;
        };
    }

    /// The properties of an object, with the first tokens of their values.
    private static Map<String, JsonToken> properties(String line) {
        Map<String, JsonToken> properties = new HashMap<>();
        try (JsonParser parser = parser(line)) {
            parser.nextToken();
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                properties.put(name, parser.nextToken());
                parser.skipChildren();
            }
        }
        return properties;
    }

    private void checkLabel(String found) throws ImportException {
        if (label != null && !label.equals(found)) {
            throw ImportException.value(ALLOCATION, found, "follows " + label + ": export or select one allocation");
        }
        label = found;
    }

    /// Reads the value at the current token.
    private void value(JsonParser parser, MemoryType type, String path, long at) throws ImportException {
        JsonToken token = parser.currentToken();
        switch (type) {
            case StructType group when token == JsonToken.START_OBJECT -> {
                parser.nextToken();
                members(parser, group.members(), path, at);
            }
            case UnionType group when token == JsonToken.START_OBJECT -> {
                parser.nextToken();
                members(parser, group.members(), path, at);
            }
            case ArrayType array when token == JsonToken.START_ARRAY -> {
                MemoryType element = array.element();
                for (long i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
                    if (i == array.length()) {
                        throw wrong(parser, path, "is one element too many: the array has " + i);
                    }
                    value(parser, element, path + "[" + i + "]", at + i * element.byteSize());
                }
            }
            case StructType _,UnionType _ -> throw wrong(parser, path, "is no object");
            case ArrayType _ -> throw wrong(parser, path, "is no array");
            default -> {
                if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
                    throw wrong(parser, path, "is no value: write a number or a text");
                }
                if (token != JsonToken.VALUE_NULL) {
                    ValueParser.store(path, type, parser.getString(), struct, (int) at);
                }
            }
        }
    }

    /// Reads members. The parser is at the first name, or at the end, of an object.
    private void members(JsonParser parser, List<Member> members, String path, long at) throws ImportException {
        for (String name = parser.currentName(); parser.currentToken() == JsonToken.PROPERTY_NAME; name = parser
                .nextName()) {
            String found = name;
            Member member = members.stream()
                    .filter(one -> one.name().equals(found))
                    .findFirst()
                    .orElseThrow(() -> ImportException.value(path, found, "is no field of the type, whose fields are "
                            + ImportException.listed(members.stream().map(Member::name).toList())));
            parser.nextToken();
            value(parser, member.type(), path + (path.isEmpty() ? "" : ".") + found, at + member.byteOffset());
        }
    }

    private static ImportException wrong(JsonParser parser, String path, String problem) {
        return ImportException.value(path, String.valueOf(parser.getString()), problem);
    }
}
