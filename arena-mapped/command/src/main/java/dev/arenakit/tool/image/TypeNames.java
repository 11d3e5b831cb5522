package dev.arenakit.tool.image;

import dev.arenakit.layout.text.LayoutParseException;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/// The short names of the types of allocations: `Trade[1000]`.
public final class TypeNames {
    private TypeNames() {}

    /// The name of the recorded type of an allocation and the number of structs, or "" if no type is recorded.
    public static String of(ArenaImage image, Allocation allocation) {
        try {
            Optional<StructType> struct = image.type(allocation);
            return struct.isEmpty() ? "" : of(image, struct.get(), allocation);
        } catch (LayoutParseException e) {
            return "unreadable";
        }
    }

    private static String of(ArenaImage image, StructType struct, Allocation allocation) {
        try {
            return allocation.isLive()
                    ? AllocationStructs.recorded(image, allocation, struct).name()
                    : of(struct, allocation);
        } catch (IOException e) {
            // The state of the allocation says that it is damaged.
            return struct.name() + "[?]";
        }
    }

    /// The name of a structure with its number of entries: `ImageLongMap[12 entries]`.
    public static String ofEntries(String kind, long count) {
        return kind + "[" + entries(count) + "]";
    }

    /// A number of entries: `1 entry`, or `12 entries`.
    public static String entries(long count) {
        return count + (count == 1 ? " entry" : " entries");
    }

    /// The recorded type of an allocation; empty if no type is recorded, or if it cannot be read.
    public static Optional<StructType> readable(ArenaImage image, Allocation allocation) {
        return readable(image, allocation, _ -> {});
    }

    /// The recorded type of an allocation; empty if no type is recorded, or if it cannot be read.
    ///
    /// @param unreadable accepts the message that the type cannot be read, for use after the label of the allocation
    public static Optional<StructType> readable(ArenaImage image, Allocation allocation, Consumer<String> unreadable) {
        try {
            return image.type(allocation);
        } catch (LayoutParseException e) {
            unreadable.accept("its type cannot be read: " + e.getMessage());
            return Optional.empty();
        }
    }

    /// The name of a type and the number of structs in an allocation.
    public static String of(StructType struct, Allocation allocation) {
        OptionalLong elements = elements(struct, allocation);
        return elements.isEmpty()
                ? of(of(struct), struct.byteSize(), allocation.byteSize())
                : counted(of(struct), elements.getAsLong() + " of " + count(struct, allocation)
                        + (hasUnforced(allocation) ? ", " + allocation.elementCount().orElse(0) + " forced" : ""));
    }

    /// Whether structs were stored that were not forced before the machine failed, or before the image was moved.
    static boolean hasUnforced(Allocation allocation) {
        return allocation.storedCount().orElse(0) > allocation.elementCount().orElse(0);
    }

    /// The name of a type and the number of structs of that size in an allocation.
    public static String of(String name, long structByteSize, long byteSize) {
        return counted(name, structByteSize == 0 ? 1 : byteSize / structByteSize);
    }

    /// The name of a struct, or of the value that it wraps.
    public static String of(StructType struct) {
        return struct.name().isEmpty() ? struct.wrapped().map(TypeNames::wrapped).orElse("struct") : struct.name();
    }

    private static String wrapped(MemoryType type) {
        if (type instanceof ArrayType array) {
            return counted(wrapped(array.element()), array.length());
        }
        if (type instanceof StructType struct) {
            return of(struct);
        }
        return type instanceof ValueType value
                ? value.cName()
                : type instanceof UnsignedType unsigned ? unsigned.cName() : "value";
    }

    /// A name, followed by the length of the array if it is not 1. The length precedes the lengths of elements that are
    /// arrays, as in C.
    public static String counted(String name, long length) {
        return length == 1 ? name : counted(name, Long.toString(length));
    }

    private static String counted(String name, String length) {
        int end = name.indexOf('[') < 0 ? name.length() : name.indexOf('[');
        return name.substring(0, end) + "[" + length + "]" + name.substring(end);
    }

    /// The number of structs that the program has stored in an allocation that grows, as the image records it, whether
    /// or not they were forced; empty if it is not known for structs of this type.
    public static OptionalLong elements(StructType struct, Allocation allocation) {
        try {
            OptionalLong elements = hasUnforced(allocation) ? allocation.storedCount() : allocation.elementCount();
            return elements.isPresent()
                    && allocation.typeText().isPresent()
                    && LayoutText.parse(allocation.typeText().get()).byteSize() == struct.byteSize()
                            ? OptionalLong.of(Math.min(elements.getAsLong(), count(struct, allocation)))
                            : OptionalLong.empty();
        } catch (LayoutParseException _) {
            return OptionalLong.empty();
        }
    }

    /// The number of structs in an allocation. It is 1 for structs of size 0.
    public static long count(StructType struct, Allocation allocation) {
        return struct.byteSize() == 0 ? 1 : allocation.byteSize() / struct.byteSize();
    }
}
