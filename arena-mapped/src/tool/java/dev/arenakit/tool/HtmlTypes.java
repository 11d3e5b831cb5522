package dev.arenakit.tool;

import dev.arenakit.layout.AddressType;
import dev.arenakit.layout.ArrayType;
import dev.arenakit.layout.EnumType;
import dev.arenakit.layout.LayoutParseException;
import dev.arenakit.layout.Member;
import dev.arenakit.layout.MemoryType;
import dev.arenakit.layout.StringType;
import dev.arenakit.layout.StructType;
import dev.arenakit.layout.UnionType;
import dev.arenakit.layout.ValueType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;

import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import tools.jackson.core.JsonGenerator;

/// Writes the types of allocations, so that the page can decode their bytes: each where it comes first, later by its number.
///
/// An image can have any number of types of any size. What is beyond the bounds here has a name in the page, and no more.
final class HtmlTypes {
    private static final int KNOWN_TYPES = 1_000;
    /// Parts of one type: a struct may refer to another a thousand times, which then is written a thousand times.
    private static final int PARTS = 3_000;
    private static final int ALL_PARTS = 50_000;
    private static final int LONGEST_TEXT = 20_000;
    private static final int ALL_TEXT = 1 << 20;

    private final JsonGenerator json;
    private final ArenaImage image;
    private final Map<String, Integer> numbers = new HashMap<>();
    private int written;
    private int parts;
    private int textLength;

    HtmlTypes(JsonGenerator json, ArenaImage image) {
        this.json = json;
        this.image = image;
    }

    /// Writes the type of an allocation: a number, or what gets the next number; -1 where it is not known.
    void write(Allocation allocation) {
        String text = allocation.typeText().orElse("");
        Integer number = numbers.get(text);
        if (number != null) {
            json.writeNumber(number);
            return;
        }
        Optional<StructType> type = type(allocation);
        if (type.isEmpty()) {
            json.writeNumber(-1);
            return;
        }
        if (numbers.size() < KNOWN_TYPES) {
            numbers.put(text, written);
        }
        written++;
        define(type.get(), text);
    }

    private Optional<StructType> type(Allocation allocation) {
        try {
            return image.type(allocation);
        } catch (LayoutParseException e) {
            return Optional.empty();
        }
    }

    private void define(StructType type, String text) {
        json.writeStartObject();
        json.writeStringProperty("name", HtmlExport.shortened(type.name()));
        json.writeNumberProperty("size", type.byteSize());
        int count = count(type, Math.min(PARTS, ALL_PARTS - parts));
        if (text.length() <= LONGEST_TEXT && textLength + text.length() <= ALL_TEXT) {
            textLength += text.length();
            json.writeStringProperty("text", text);
            if (count <= PARTS && parts + count <= ALL_PARTS) {
                parts += count;
                json.writeName("type");
                write(type);
            }
        }
        json.writeEndObject();
    }

    /// How many parts a type has; more than the limit where there are more.
    private static int count(MemoryType type, int limit) {
        return switch (type) {
            case ArrayType array -> 1 + count(array.element(), limit - 1);
            case EnumType constants -> 1 + constants.constants().size();
            case StructType struct -> count(struct.members(), limit);
            case UnionType union -> count(union.members(), limit);
            case ValueType _,StringType _,AddressType _ -> 1;
        };
    }

    private static int count(List<Member> members, int limit) {
        int count = 1;
        for (Member member : members) {
            if (count > limit) {
                break;
            }
            count += count(member.type(), limit - count);
        }
        return count;
    }

    private void write(MemoryType type) {
        json.writeStartObject();
        json.writeNumberProperty("size", type.byteSize());
        switch (type) {
            case ValueType value -> write(value);
            case StringType text -> {
                json.writeStringProperty("kind", "text");
                json.writeStringProperty("charset", text.charset().name());
            }
            case AddressType address -> {
                json.writeStringProperty("kind", "address");
                json.writeBooleanProperty("little", address.order() == ByteOrder.LITTLE_ENDIAN);
            }
            case EnumType constants -> write(constants);
            case ArrayType array -> {
                json.writeStringProperty("kind", "array");
                json.writeNumberProperty("length", array.length());
                json.writeName("element");
                write(array.element());
            }
            case StructType struct -> {
                json.writeStringProperty("kind", "struct");
                json.writeStringProperty("name", struct.name());
                write(struct.members());
            }
            case UnionType union -> write(union);
        }
        json.writeEndObject();
    }

    private void write(ValueType value) {
        json.writeStringProperty("kind", value.carrier().getName());
        json.writeBooleanProperty("little", value.order() == ByteOrder.LITTLE_ENDIAN);
    }

    private void write(EnumType type) {
        json.writeStringProperty("kind", "enum");
        json.writeStringProperty("name", type.name());
        json.writeBooleanProperty("little", type.value().order() == ByteOrder.LITTLE_ENDIAN);
        json.writeName("constants");
        json.writeStartObject();
        // As text: the numbers of JavaScript end at 2^53.
        type.constants()
                .forEach(constant -> json.writeStringProperty(Long.toString(constant.value()), constant.name()));
        json.writeEndObject();
    }

    private void write(UnionType type) {
        json.writeStringProperty("kind", "union");
        json.writeStringProperty("name", type.name());
        write(type.members());
        type.discriminator().ifPresent(tells -> {
            json.writeStringProperty("tells", tells.member());
            json.writeName("values");
            json.writeStartArray();
            tells.values().forEach(value -> json.writeString(Long.toString(value)));
            json.writeEndArray();
        });
    }

    private void write(List<Member> members) {
        json.writeName("members");
        json.writeStartArray();
        for (Member member : members) {
            json.writeStartArray();
            json.writeString(member.name());
            json.writeNumber(member.byteOffset());
            write(member.type());
            json.writeEndArray();
        }
        json.writeEndArray();
    }
}
