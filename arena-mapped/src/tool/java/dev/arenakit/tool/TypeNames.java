package dev.arenakit.tool;

import dev.arenakit.layout.LayoutParseException;
import dev.arenakit.layout.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What stands in allocations, in short: `Trade[1000]`.
final class TypeNames {
    /// Values that are no structs stand in one without a name.
    private static final Pattern WRAPPED = Pattern.compile("#[^\n]*\\s+struct \\{\\s+(\\w+) value;\\s+\\};\\s*");

    private TypeNames() {}

    /// What stands in an allocation, or nothing where that is not recorded.
    static String of(ArenaImage image, Allocation allocation) {
        try {
            return image.type(allocation).map(struct -> of(struct, allocation)).orElse("");
        } catch (LayoutParseException e) {
            return "unreadable";
        }
    }

    /// What stands in an allocation if it is structs of that type.
    static String of(StructType struct, Allocation allocation) {
        return of(of(struct, allocation.typeText().orElse("")), struct.byteSize(), allocation.byteSize());
    }

    /// What stands in an allocation of some size if it is structs of that name and size.
    static String of(String name, long structByteSize, long byteSize) {
        return counted(name, structByteSize == 0 ? 1 : byteSize / structByteSize);
    }

    /// The name of a struct, or the word for the values in it.
    static String of(StructType struct, String typeText) {
        return struct.name().isEmpty() ? value(typeText).orElse("struct") : struct.name();
    }

    /// The word for the values of an allocation that are no structs, as `double`; empty where they are.
    static Optional<String> value(Allocation allocation) {
        return value(allocation.typeText().orElse(""));
    }

    private static Optional<String> value(String typeText) {
        Matcher text = WRAPPED.matcher(typeText);
        return text.matches() ? Optional.of(text.group(1)) : Optional.empty();
    }

    /// A name with the number of them behind it, where that is not 1.
    static String counted(String name, long length) {
        return length == 1 ? name : name + "[" + length + "]";
    }

    /// How many of them are in an allocation; where they have no size, one is.
    static long count(StructType struct, Allocation allocation) {
        return struct.byteSize() == 0 ? 1 : allocation.byteSize() / struct.byteSize();
    }
}
