package dev.arenakit.tool.image;

import dev.arenakit.layout.text.LayoutParseException;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;

/// The short names of the types of allocations: `Trade[1000]`.
public final class TypeNames {
    private TypeNames() {}

    /// The name of the recorded type of an allocation and the number of structs, or "" if no type is recorded.
    public static String of(ArenaImage image, Allocation allocation) {
        try {
            return image.type(allocation).map(struct -> of(struct, allocation)).orElse("");
        } catch (LayoutParseException e) {
            return "unreadable";
        }
    }

    /// The name of a type and the number of structs in an allocation.
    public static String of(StructType struct, Allocation allocation) {
        return of(of(struct), struct.byteSize(), allocation.byteSize());
    }

    /// The name of a type and the number of structs of that size in an allocation.
    public static String of(String name, long structByteSize, long byteSize) {
        return counted(name, structByteSize == 0 ? 1 : byteSize / structByteSize);
    }

    /// The name of a struct, or of the value that it wraps.
    public static String of(StructType struct) {
        return struct.name().isEmpty() ? struct.wrappedValue().map(ValueType::cName).orElse("struct") : struct.name();
    }

    /// A name, followed by the length of the array if it is not 1.
    public static String counted(String name, long length) {
        return length == 1 ? name : name + "[" + length + "]";
    }

    /// The number of structs in an allocation, which is 1 for structs without a size.
    public static long count(StructType struct, Allocation allocation) {
        return struct.byteSize() == 0 ? 1 : allocation.byteSize() / struct.byteSize();
    }
}
