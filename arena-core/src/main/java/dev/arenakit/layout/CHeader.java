package dev.arenakit.layout;

import java.util.List;

/// A header of C for structs: includes, and declarations, each of which has its guard.
///
/// @param text  the header; its lines end with a line feed
/// @param names what the structs are called in it, in the order in which they were given
public record CHeader(String text, List<String> names) {
    /// A header describes structs that are larger aligned by themselves and packed into others, of which gcc warns.
    private static final String PRAGMA = "#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC diagnostic ";

    /// Takes the names as they are now.
    public CHeader {
        names = List.copyOf(names);
    }

    static CHeader of(List<StructType> structs) {
        CTypes types = CTypes.of(structs);
        String declarations = types.text();
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
        return new CHeader(text.toString().stripTrailing() + "\n", types.names());
    }

    private static void include(StringBuilder text, String declarations, String word, String header) {
        if (declarations.contains("    " + word) || declarations.contains(") " + word)) {
            text.append("#include <").append(header).append(">\n");
        }
    }
}
