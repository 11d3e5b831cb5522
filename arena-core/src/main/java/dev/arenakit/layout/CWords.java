package dev.arenakit.layout;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/// The names that C has for primitive values.
final class CWords {
    static final Map<String, Class<?>> CARRIERS = Map.of("bool", boolean.class, "int8_t", byte.class, "int16_t",
            short.class, "uint16_t", char.class, "int32_t", int.class, "int64_t", long.class, "float", float.class,
            "double", double.class);

    private CWords() {}

    static String of(Class<?> carrier) {
        return switch (carrier.getName()) {
            case "boolean" -> "bool";
            case "byte" -> "int8_t";
            case "short" -> "int16_t";
            case "char" -> "uint16_t";
            case "int" -> "int32_t";
            case "long" -> "int64_t";
            default -> carrier.getName();
        };
    }

    static boolean isUtf16(StringType text) {
        return text.unitByteSize() == 2;
    }

    static boolean isAscii(StringType text) {
        return text.charset().equals(StandardCharsets.US_ASCII);
    }

    static boolean isBigEndian(StringType text) {
        return text.charset().equals(StandardCharsets.UTF_16BE);
    }
}
