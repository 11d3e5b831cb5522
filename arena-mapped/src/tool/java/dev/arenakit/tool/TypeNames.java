package dev.arenakit.tool;

import dev.arenakit.layout.LayoutParseException;
import dev.arenakit.layout.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;

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
        long length = struct.byteSize() == 0 ? 1 : allocation.byteSize() / struct.byteSize();
        String name = struct.name().isEmpty() ? wrapped(allocation.typeText().orElse("")) : struct.name();
        return length == 1 ? name : name + "[" + length + "]";
    }

    private static String wrapped(String typeText) {
        Matcher text = WRAPPED.matcher(typeText);
        return text.matches() ? text.group(1) : "struct";
    }
}
