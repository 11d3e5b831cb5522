package dev.arenakit.layout;

/// A header of C for a struct: includes, and the declarations of [CTypes], each of which has its guard.
final class CHeader {
    /// A header describes structs that are larger aligned by themselves and packed into others, of which gcc warns.
    private static final String PRAGMA = "#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC diagnostic ";

    private CHeader() {}

    static String of(StructType struct) {
        String name = struct.name().isEmpty() ? "Anonymous" : struct.name();
        String declarations = CTypes.declare(struct, name);
        boolean warned = declarations.contains("packed") && declarations.contains("aligned(");
        StringBuilder text = new StringBuilder();
        text.append("#include <stddef.h>\n");
        include(text, declarations, "bool ", "stdbool.h");
        text.append("#include <stdint.h>\n");
        include(text, declarations, "char16_t ", "uchar.h");
        text.append('\n');
        if (warned) {
            text.append(PRAGMA)
                    .append("push\n#pragma GCC diagnostic ignored \"-Wpacked-not-aligned\"\n#endif\n\n");
        }
        text.append(declarations);
        if (warned) {
            text.append(PRAGMA).append("pop\n#endif\n\n");
        }
        return text.toString().stripTrailing() + "\n";
    }

    private static void include(StringBuilder text, String declarations, String word, String header) {
        if (declarations.contains("    " + word) || declarations.contains(") " + word)) {
            text.append("#include <").append(header).append(">\n");
        }
    }
}
