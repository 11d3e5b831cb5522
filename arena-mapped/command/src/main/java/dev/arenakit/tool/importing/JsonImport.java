package dev.arenakit.tool.importing;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
final class JsonImport {
    private static final String ALLOCATION = "allocation";

    private static final String INDEX = "index";
    private static final String VALUE = "value";
    private static final String ZEROS = "zeros";
    /// A property of lines that describe an allocation and contain no struct.
    private static final String LIVE = "live";
    private static final String IMAGE = "image";
    private static final String OWNERS = "owners";
    private static final int LARGEST_LINE = 1 << 26;

    /// The largest line. It takes a part of the heap only, because the line is assembled from pieces and then parsed.
    private static final int LARGEST = (int) Math.min(LARGEST_LINE, Runtime.getRuntime().maxMemory() >> 4);

    private static final Pattern SETTING = Pattern
            .compile("(, from|: enable| \\(consider enabling| require enabling) `[^`]*`( to allow.*)?");

    private final JsonFactory json = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();
    private final BufferedReader lines;
    private final StructType type;
    private final ImportTarget target;
    private final ImportErrors errors;
    private final byte[] struct;
    private @Nullable String label;

    JsonImport(BufferedReader lines, StructType type, ImportTarget target, ImportErrors errors) {
        this.lines = lines;
        this.type = type;
        this.target = target;
        this.errors = errors;
        struct = new byte[Math.toIntExact(type.byteSize())];
    }

    void run() throws IOException {
        long number = 0;
        while (errors.mayContinue()) {
            number++;
            try {
                String line = readLine(number);
                if (line == null) {
                    return;
                }
                if (!line.isBlank()) {
                    row(line, number == 1);
                }
            } catch (ImportException e) {
                errors.add(number, e);
            } catch (JacksonException e) {
                errors.add(number, ImportException.row("no JSON: " + reason(e)));
            }
            errors.progress(number);
        }
    }

    /// Reads a line. Returns null at the end of the file, or if the line is too long.
    private @Nullable String readLine(long number) throws IOException {
        StringBuilder line = new StringBuilder();
        int next = lines.read();
        if (next < 0) {
            return null;
        }
        for (; next >= 0 && next != '\n'; next = lines.read()) {
            if (line.length() == LARGEST) {
                errors.add(number, ImportException.row("a line of more than " + LARGEST + " characters; the rest is not"
                        + " read"));
                return null;
            }
            line.append((char) next);
        }
        return line.toString();
    }

    /// The message without the parser's position, which is not the position in the file, and without the parser's
    /// settings, which the user cannot change.
    private static String reason(JacksonException e) {
        String message = SETTING.matcher(String.valueOf(e.getOriginalMessage())).replaceAll("");
        int place = message.indexOf(" (start marker at");
        return place < 0 ? message : message.substring(0, place);
    }

    private void row(String line, boolean isFirst) throws IOException, ImportException {
        try (JsonParser parser = json.createParser(ObjectReadContext.empty(), line)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw ImportException.row("no object: each line has one");
            }
            Arrays.fill(struct, (byte) 0);
            JsonToken token = parser.nextToken();
            String first = token == JsonToken.PROPERTY_NAME ? parser.currentName() : "";
            if (isWrapper(line, first)) {
                wrapped(parser);
            } else if (!isFirst || !isHeading(line, first)) {
                members(parser, type, "", 0);
                target.check(target.rows(), 1);
                target.add(target.rows(), struct);
                checkEnd(parser);
            }
        }
    }

    /// Whether a line wraps a struct, a number of zeros, or the description of an allocation. If the first property is
    /// also the name of a field, the further properties decide.
    private boolean isWrapper(String line, String first) {
        if (!first.equals(ALLOCATION) && !first.equals(INDEX)) {
            return false;
        }
        return type.member(first).isEmpty() || has(line, (property, value) -> switch (property) {
            case VALUE -> value == JsonToken.START_OBJECT
                    && !(type.member(VALUE).map(Member::type).orElse(null) instanceof StructType);
            case ZEROS, LIVE -> type.member(property).isEmpty();
            default -> false;
        });
    }

    /// Whether a line is the first line of an export, which describes the image.
    private boolean isHeading(String line, String first) {
        return first.equals(IMAGE) && type.member(OWNERS).isEmpty()
                && has(line, (property, value) -> property.equals(OWNERS) && value == JsonToken.START_ARRAY);
    }

    /// Whether an object has a property.
    private boolean has(String line, BiPredicate<String, JsonToken> property) {
        try (JsonParser parser = json.createParser(ObjectReadContext.empty(), line)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                if (property.test(parser.currentName(), parser.nextToken())) {
                    return true;
                }
                parser.skipChildren();
            }
            return false;
        }
    }

    private static void checkEnd(JsonParser parser) throws ImportException {
        if (parser.nextToken() != null) {
            throw ImportException.row("more than one object: each line has one");
        }
    }

    /// Reads the value, the index and the number of zeros.
    private void wrapped(JsonParser parser) throws IOException, ImportException {
        long index = target.rows();
        long zeros = 0;
        boolean hasValue = false;
        boolean isAllocation = false;
        String other = "";
        for (JsonToken name = JsonToken.PROPERTY_NAME; name == JsonToken.PROPERTY_NAME; name = parser.nextToken()) {
            String property = parser.currentName();
            JsonToken token = parser.nextToken();
            switch (property) {
                case ALLOCATION -> checkLabel(parser.getString());
                case INDEX -> index = count(property, parser.getString());
                case ZEROS -> zeros = count(property, parser.getString());
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
            target.check(index, 1);
            target.add(index, struct);
        } else if (zeros > 0) {
            target.check(index, zeros);
            target.addZeros(index, zeros);
        }
    }

    private void checkLabel(String found) throws ImportException {
        String known = label;
        if (known == null) {
            label = found;
        } else if (!known.equals(found)) {
            throw ImportException.value(ALLOCATION, found, "follows " + known + ": export or select one allocation");
        }
    }

    private static long count(String property, String text) throws ImportException {
        try {
            long count = Long.parseLong(text);
            if (count >= 0) {
                return count;
            }
        } catch (NumberFormatException e) {
            // The error is reported below.
        }
        throw ImportException.value(property, text, "is no number from 0");
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
                        + members.stream().map(Member::name).collect(Collectors.joining(", ")));
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
