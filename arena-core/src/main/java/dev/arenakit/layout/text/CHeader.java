package dev.arenakit.layout.text;

import dev.arenakit.internal.layout.header.HeaderParser;
import dev.arenakit.internal.layout.text.CHeaderDeclarations;
import dev.arenakit.layout.type.StructType;
import java.util.List;
import java.util.Objects;

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

    /// Parses a header as a C preprocessor prints it, such as the output of `cc -E header.h`.
    ///
    /// ```java
    /// CHeaderTypes header = CHeader.parse(Files.readString(Path.of("stat.i"))); // cc -E /usr/include/sys/stat.h
    /// StructType stat = (StructType) header.find("struct stat").orElseThrow();
    /// ```
    ///
    /// The types have the sizes, offsets, alignments and bits that gcc gives them on 64-bit Linux on x86-64, in native
    /// byte order. Functions and variables are skipped. Any text is parsed in bounded time, so the text need not be
    /// trusted: a declaration that has no equivalent is in the list of refused declarations, with its reason and its
    /// line in the original file, and the other declarations are parsed. A struct with a refused member is refused.
    ///
    /// | in C | type |
    /// |---|---|
    /// | an integer, `float`, `double`, `_Bool` | an integer of the same size and signedness, and so on; `char` is signed |
    /// | `char name[8]` | text in UTF-8; other arrays of characters are bytes |
    /// | `long double`, `__int128` | 16 bytes, aligned to 16 |
    /// | `T *p` of a struct or union that the header defines | an address with that target, whose own addresses have no target |
    /// | any other pointer | an address without a target |
    /// | `int data[]`, `int data[0]` | an array of length 0 |
    /// | an enum | an [dev.arenakit.layout.type.EnumType] without the constants that repeat a value; in a bit field its integer |
    /// | a union | a union without a discriminator |
    /// | a struct or union without a name and a declarator | a member `anon_struct1`, `anon_union2`, and so on |
    /// | a struct without a name | the name of its typedef, if it has one |
    /// | unnamed bit fields, members of structs that have no members | no member |
    ///
    /// Refused are `typeof`, `_Atomic`, `_Complex`, vectors, enums with a type, `?:`, attributes in brackets,
    /// and the attributes `scalar_storage_order` and `ms_struct`.
    ///
    /// @param text the text, with or without the line markers of the preprocessor
    /// @return the types, and the declarations that were refused
    public static CHeaderTypes parse(String text) {
        return HeaderParser.parse(Objects.requireNonNull(text, "text"));
    }

    private static void include(StringBuilder text, String declarations, String word, String header) {
        if (declarations.contains("    " + word) || declarations.contains(") " + word)) {
            text.append("#include <").append(header).append(">\n");
        }
    }
}
