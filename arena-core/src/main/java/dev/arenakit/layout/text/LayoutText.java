package dev.arenakit.layout.text;

import dev.arenakit.layout.type.StructType;
import java.util.List;

/// Converts struct types to text and back. The text consists of declarations like those of C.
///
/// The text is meant to be stored in files: it has all the information of a [StructType], does not depend on the
/// machine, and has the version of the grammar in its first line. A type that follows the rules of C looks like plain
/// C. An annotation specifies each deviation from these rules, and follows the part that it applies to.
///
/// ```java
/// Files.writeString(file, LayoutText.print(ORDERS.type()));   // now
/// StructType order = LayoutText.parse(Files.readString(file)); // later, without the record class
/// LayoutDump.of(order).append(memory, System.out);
/// ```
///
/// ```text
/// #pragma layout 1
///
/// enum Side : int8_t {
///     BUY = 0,
///     SELL = 1,
/// };
///
/// struct Order {
///     int64_t id;
///     enum Side side;
///     char symbol[8];
///     int32_t @big price;
///     struct {
///         int16_t x;
///         int16_t y;
///     } points[3][2];
///     void *next @offset(64);
/// };
/// ```
///
/// The last definition is the struct that the text describes. The definitions before it declare the types that it
/// refers to. A body in place of a reference defines a type that nothing else refers to. Types without annotations are
/// little-endian and aligned as in C, and members follow one another as in C.
///
/// | text | meaning |
/// |---|---|
/// | `bool`, `int8_t`, `int16_t`, `uint16_t`, `int32_t`, `int64_t`, `float`, `double` | a `boolean`, `byte`, `short`, `char`, `int`, `long`, `float`, `double` |
/// | `char s[8]`, `char @ascii s[8]` | text of 8 code units in UTF-8, in US-ASCII; the last brackets are those of the text |
/// | `char16_t s[8]`, `char16_t @big s[8]` | text of 8 code units in UTF-16LE, in UTF-16BE |
/// | `void *p`, `T *p` | an address, with an unknown target or with the target `T` |
/// | `@big`, `@little` | the byte order of a value, an enum or an address |
/// | `@align(n)` | the alignment of the preceding type; of a pointer after `*`, of an array or text after `]` |
/// | `@packed` | members have alignment 1 unless they have an annotation |
/// | `@size(n)` | the size of a struct or union |
/// | `@offset(n)` | the offset of a member |
/// | `@switch(m)`, `@case(n)` | the discriminator of a union is member `m` of the enclosing struct; its value for this member of the union is `n` |
///
/// ```text
/// text       = "#pragma layout 1" line-end { definition ";" } struct ";" .
/// definition = struct | union | enum .
/// struct     = "struct" [ name ] { "@packed" | align | "@size" number }
///              "{" { type declarator [ "@offset" number ] ";" } "}" .
/// union      = "union" [ name ] { "@packed" | align | "@size" number | "@switch" "(" name ")" }
///              "{" { type declarator [ "@case" number ] ";" } "}" .
/// enum       = "enum" [ name ] [ ":" word ] { order | align } "{" [ constant { "," constant } [ "," ] ] "}" .
/// constant   = name [ "=" integer ] .
/// type       = definition | ( "struct" | "union" ) name [ align ] | "enum" name { order | align }
///            | word { order | align } | "char" [ "@ascii" ] | "char16_t" [ order ] | "void" .
/// declarator = { "*" { order | align } } ( name | "(" declarator ")" ) { "[" integer "]" [ align ] } .
/// order      = "@big" | "@little" .
/// align      = "@align" number .
/// number     = "(" integer ")" .
/// integer    = [ "-" ] ( decimal digits without a leading 0 | "0x" hexadecimal digits ) .
/// name       = a letter or "_", then letters, digits and "_" .
/// ```
///
/// Names may be keywords of the grammar and of C. White space and comments of C may separate tokens. A text describes
/// at most 64 levels of nested types, and at most 262,144 types and constants.
public final class LayoutText {
    private LayoutText() {}

    /// Prints a struct type.
    ///
    /// @param struct the struct type
    /// @return the text, from which [#parse] returns an equal struct type; its lines end with a line feed
    /// @throws IllegalArgumentException if the struct is too large for a text
    public static String print(StructType struct) {
        return LayoutPrinter.print(struct);
    }

    /// Parses a text.
    ///
    /// Any text is either parsed or rejected in bounded time, so the text need not be trusted.
    ///
    /// @param text the text
    /// @return the struct type of the last definition
    /// @throws LayoutParseException if the text does not conform to the grammar, if the version of its grammar is not
    ///                              supported, or if it describes a type that is invalid or too large
    public static StructType parse(String text) {
        return LayoutParser.parse(text);
    }

    /// Prints a C header that declares a struct with the same offsets. The header declares the types that the struct
    /// refers to, each with a guard, and asserts their sizes, alignments and offsets. It needs a C11 compiler with the
    /// attributes of gcc.
    ///
    /// Several headers may declare the same type. The first declaration is used, and the assertions of the other
    /// headers check that it is equal to theirs.
    ///
    /// The struct is declared without attributes if the rules of C yield its offsets; otherwise it has members named
    /// `pad0`, `pad1` and so on, or is packed. An enum is declared as its integer, and the name of the enum precedes
    /// its constants, as in `Side_BUY`. A name that C or the included headers use, such as `register`, is followed by
    /// an underscore. A name that begins with two underscores, or with an underscore and a capital letter, is reserved
    /// for the compiler and preceded by an `x`. A type without a name is named after the type that contains it and the
    /// member.
    ///
    /// C has no type whose size is not a multiple of its alignment, and gcc has no alignment larger than 2^28. Such
    /// types have a smaller alignment in C, and a comment says so.
    ///
    /// @param struct the struct type
    /// @return the header, whose lines end with a line feed
    /// @throws IllegalArgumentException if the struct is too large for a text
    public static String toCHeader(StructType struct) {
        return CHeader.of(List.of(struct)).text();
    }

    /// Prints one C header that declares several structs, each as [#toCHeader(StructType)] does. A type that several
    /// structs refer to is declared once. If different types have the same name, `_2` and so on follow the name of the
    /// second and later ones; the structs are named first, in their order, then the types that they refer to.
    ///
    /// @param structs the struct types
    /// @return the header, and the names of the structs in it
    /// @throws IllegalArgumentException if a struct is too large for a text
    public static CHeader toCHeader(List<StructType> structs) {
        return CHeader.of(structs);
    }

    /// Prints a table of the members of a struct and of its nested structs and unions, each with its offset, size, type
    /// and name. The table also shows the holes between members and after the members of unions, and suggests an order
    /// of the members that has fewer holes, if there is one. The first element represents an array; its holes are
    /// counted once for each element.
    ///
    /// @param struct the struct type
    /// @return the table, whose lines end with a line feed
    /// @throws IllegalArgumentException if the struct is too large for a text
    public static String describe(StructType struct) {
        return LayoutTable.of(struct);
    }
}
