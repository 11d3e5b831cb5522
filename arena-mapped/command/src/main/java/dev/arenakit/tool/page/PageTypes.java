package dev.arenakit.tool.page;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.image.AllocationStructs;
import dev.arenakit.tool.image.TypeNames;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/// Writes the types of allocations, so that the page can decode their bytes: a type itself the first time, and its
/// number later.
///
/// An image can have any number of types of any size. The page contains only the names of types beyond the limits.
final class PageTypes {
    private static final int MAX_KNOWN_TYPES = 1_000;
    /// The largest number of parts of one type. If a struct contains another struct a thousand times, the other struct
    /// is written a thousand times.
    private static final int MAX_PARTS = 3_000;
    private static final int MAX_PARTS_OF_ALL = 50_000;
    private static final int MAX_TEXT_LENGTH = 20_000;
    private static final int MAX_TEXT_LENGTH_OF_ALL = 1 << 20;

    private final JsonGenerator json;
    private final ArenaImage image;
    private final Map<String, Integer> numbers = new HashMap<>();
    private int written;
    private int parts;
    private int textLength;

    PageTypes(JsonGenerator json, ArenaImage image) {
        this.json = json;
        this.image = image;
    }

    /// Writes the type of an allocation: its number; the type itself, which gets the next number; or -1 if the type is
    /// unknown.
    void write(Allocation allocation) {
        String text = allocation.typeText().orElse("");
        Integer number = numbers.get(text);
        if (number != null) {
            json.writeNumber(number);
            return;
        }
        Optional<StructType> type = readable(allocation);
        if (type.isEmpty()) {
            json.writeNumber(-1);
            return;
        }
        if (numbers.size() < MAX_KNOWN_TYPES) {
            numbers.put(text, written);
        }
        written++;
        define(type.get(), text);
    }

    /// The type of the structs in the bytes of an allocation. The entries of a structure are not one after another.
    Optional<StructType> readable(Allocation allocation) {
        return AllocationStructs.hasEntries(image, allocation)
                ? Optional.empty()
                : TypeNames.readable(image, allocation);
    }

    private void define(StructType type, String text) {
        json.writeStartObject();
        json.writeStringProperty("name", PageWriter.shortened(type.name()));
        json.writeNumberProperty("size", type.byteSize());
        int count = count(type, Math.min(MAX_PARTS, MAX_PARTS_OF_ALL - parts));
        if (text.length() <= MAX_TEXT_LENGTH && textLength + text.length() <= MAX_TEXT_LENGTH_OF_ALL) {
            textLength += text.length();
            json.writeStringProperty("text", text);
            if (count <= MAX_PARTS && parts + count <= MAX_PARTS_OF_ALL) {
                parts += count;
                json.writeName("type");
                write(type);
            }
        }
        json.writeEndObject();
    }

    /// The number of parts of a type, or any number above the limit if there are more parts than the limit.
    private static int count(MemoryType type, int limit) {
        int count = 1 + (type instanceof EnumType constants ? constants.constants().size() : 0);
        for (MemoryType inner : type instanceof AddressType ? List.<MemoryType>of() : type.innerTypes()) {
            if (count > limit) {
                break;
            }
            count += count(inner, limit - count);
        }
        return count;
    }

    private void write(MemoryType type) {
        json.writeStartObject();
        json.writeNumberProperty("size", type.byteSize());
        switch (type) {
            case ValueType value -> writeKind(value.carrier().getName(), value.order());
            case UnsignedType unsigned -> writeKind("unsigned", unsigned.order());
            case BitFieldType bits -> write(bits);
            case StringType text -> write(text);
            case RefType reference -> write(reference);
            case AddressType address -> writeKind("address", address.order());
            case EnumType constants -> write(constants);
            case ArrayType array -> {
                json.writeStringProperty("kind", "array");
                json.writeNumberProperty("length", array.length());
                array.count().ifPresent(count -> json.writeStringProperty("count", count));
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

    private void writeKind(String kind, ByteOrder order) {
        json.writeStringProperty("kind", kind);
        json.writeBooleanProperty("little", order == ByteOrder.LITTLE_ENDIAN);
    }

    private void write(RefType type) {
        writeKind("reference", type.order());
        json.writeBooleanProperty("unsigned", true);
        json.writeNumberProperty("unit", type.unit());
        json.writeNumberProperty("targetSize", type.targetByteSize());
        json.writeNumberProperty("targetAlignment", type.targetByteAlignment());
        json.writeStringProperty("target", type.target());
        type.allocation().ifPresent(name -> json.writeStringProperty("allocation", name));
    }

    private void write(BitFieldType type) {
        writeKind("bits", type.order());
        json.writeNumberProperty("shift", type.shift());
        json.writeNumberProperty("bits", type.bitSize());
        json.writeBooleanProperty("signed", type.isSigned());
        json.writeName("declared");
        write(type.declared());
    }

    private void write(StringType type) {
        json.writeStringProperty("kind", "text");
        json.writeStringProperty("charset", type.charset().name());
        if (type.padding() == StringType.Padding.SPACE) {
            json.writeBooleanProperty("spaces", true);
        }
        if (type.prefixByteSize() > 0) {
            json.writeNumberProperty("prefix", type.prefixByteSize());
            json.writeBooleanProperty("little", type.prefixOrder() == ByteOrder.LITTLE_ENDIAN);
        }
    }

    private void write(EnumType type) {
        json.writeStringProperty("kind", "enum");
        json.writeStringProperty("name", type.name());
        json.writeBooleanProperty("little", type.order() == ByteOrder.LITTLE_ENDIAN);
        json.writeBooleanProperty("unsigned", type.isUnsigned());
        type.otherwise().ifPresent(name -> json.writeStringProperty("otherwise", name));
        json.writeObjectPropertyStart("constants");
        // Values are strings, since numbers in JavaScript are exact only up to 2^53.
        type.constants()
                .forEach(constant -> json.writeStringProperty(type.isUnsigned()
                        ? Long.toUnsignedString(constant.value())
                        : Long.toString(constant.value()), constant.name()));
        json.writeEndObject();
    }

    private void write(UnionType type) {
        json.writeStringProperty("kind", "union");
        json.writeStringProperty("name", type.name());
        write(type.members());
        type.discriminator().ifPresent(discriminator -> {
            json.writeStringProperty("discriminator", discriminator.member());
            json.writeArrayPropertyStart("values");
            for (List<Long> values : discriminator.values()) {
                json.writeStartArray();
                values.forEach(value -> json.writeString(Long.toString(value)));
                json.writeEndArray();
            }
            json.writeEndArray();
            json.writeBooleanProperty("otherwise", discriminator.otherwise().isPresent());
        });
    }

    private void write(List<Member> members) {
        json.writeArrayPropertyStart("members");
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
