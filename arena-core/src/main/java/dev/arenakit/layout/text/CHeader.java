package dev.arenakit.layout.text;

import dev.arenakit.internal.layout.text.CHeaderDeclarations;
import dev.arenakit.layout.type.StructType;
import java.util.List;

/// A C header that declares structs. It consists of includes and of declarations. Each declaration has a guard.
///
/// @param text  the text of the header, whose lines end with a line feed
/// @param names the names of the structs in the header, in the order in which the structs were given
public record CHeader(String text, List<String> names) {
    /// Disables a warning of gcc about a struct whose own alignment is larger than its alignment in a packed struct.
    private static final String PRAGMA = "#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC diagnostic ";

    /// Creates a header, with a copy of the list of names.
    public CHeader {
        names = List.copyOf(names);
    }

    static CHeader of(List<StructType> structs) {
        CHeaderDeclarations types = CHeaderDeclarations.of(structs);
        String declarations = types.text();
        boolean warned = declarations.contains("packed") && declarations.contains("aligned(");
        StringBuilder text = new StringBuilder();
        text.append("#include <stddef.h>\n");
        include(text, declarations, "bool ", "stdbool.h");
        text.append("#include <stdint.h>\n");
        include(text, declarations, declarations.contains("char32_t ") ? "char32_t " : "char16_t ", "uchar.h");
        text.append('\n');
        text.append(types.macros());
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
