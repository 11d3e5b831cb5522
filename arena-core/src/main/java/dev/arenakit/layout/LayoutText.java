package dev.arenakit.layout;

import java.util.List;

/// Structs as text, and text as structs: declarations like those of C.
///
/// The text is meant for files: it says all that a [StructType] says, on every machine the same, and its first line carries
/// the version of the grammar. What follows the rules of C looks like plain C; what deviates from them is said by an
/// annotation, which follows what it is about.
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
/// The last definition is the struct that the text is about. Definitions before it are those that it refers to; a body may also
/// stand in the place of a reference, and then defines nothing for others. Types without annotations are little-endian and
/// aligned as in C, and members follow each other as in C.
///
/// | word | is |
/// |---|---|
/// | `bool`, `int8_t`, `int16_t`, `uint16_t`, `int32_t`, `int64_t`, `float`, `double` | a `boolean`, `byte`, `short`, `char`, `int`, `long`, `float`, `double` |
/// | `char s[8]`, `char @ascii s[8]` | text of 8 units of UTF-8, of US-ASCII; the last brackets are the text's |
/// | `char16_t s[8]`, `char16_t @big s[8]` | text of 8 units of UTF-16LE, of UTF-16BE |
/// | `void *p`, `T *p` | an address, of an unknown target or of a `T` |
/// | `@big`, `@little` | the order of the bytes of a value, an enum or an address |
/// | `@align(n)` | the alignment of the type before it, of a pointer after `*`, of an array or text after `]` |
/// | `@packed` | members stand at alignment 1 unless they say another |
/// | `@size(n)` | the size of a struct or union |
/// | `@offset(n)` | where a member begins |
/// | `@switch(m)`, `@case(n)` | a member of the enclosing struct tells which member of the union is valid: that of the same number |
///
/// ```text
/// text       = "#pragma layout 1" line-end { definition ";" } struct ";" .
/// definition = struct | union | enum .
/// struct     = "struct" [ name ] { "@packed" | align | "@size" number } "{" { type declarator [ "@offset" number ] ";" } "}" .
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
/// Names may be words of the grammar and of C. White space and the comments of C stand between tokens. A text describes at most
/// 64 types inside each other and 262,144 types and constants altogether.
public final class LayoutText {
    private LayoutText() {}

    /// Prints a struct.
    ///
    /// @param struct the struct
    /// @return the text, from which [#parse] makes an equal struct; its lines end with a line feed
    /// @throws IllegalArgumentException when the struct is beyond the bounds of a text
    public static String print(StructType struct) {
        return LayoutPrinter.print(struct);
    }

    /// Parses a text.
    ///
    /// Any text either is a struct or is refused, in bounded time: this is fit for text from elsewhere.
    ///
    /// @param text the text
    /// @return the struct of the last definition
    /// @throws LayoutParseException when the text is none of this grammar, is of a later version, or describes a type that is
    ///                              impossible or beyond the bounds
    public static StructType parse(String text) {
        return LayoutParser.parse(text);
    }

    /// Prints a header of C that declares the struct with the same offsets: the types that it consists of, each with a guard, and
    /// assertions on size, alignment and offsets, which a compiler of C11 with the attributes of gcc checks.
    ///
    /// Several headers may declare one type: the first declaration stands, and the assertions of the others check that it is theirs
    /// too.
    ///
    /// The struct is plain where the rules of C give its offsets; otherwise it has members named `pad0`, `pad1` and so on, or is
    /// packed. An enum is the integer that it stands in, and its constants follow the name of the enum, as in `Side_BUY`. A name
    /// that C or its headers have taken, like `register`, is followed by an underscore; one that begins with two underscores, or with
    /// one and a capital, belongs to the compiler and has an `x` in front. Types without a name are named by what they stand in and
    /// their member.
    ///
    /// C has no type whose size is no multiple of its alignment, and gcc none aligned to more than 2^28: such types have a smaller
    /// alignment in C, and a comment says so.
    ///
    /// @param struct the struct
    /// @return the header; its lines end with a line feed
    /// @throws IllegalArgumentException when the struct is beyond the bounds of a text
    public static String toCHeader(StructType struct) {
        return CHeader.of(List.of(struct)).text();
    }

    /// Prints one header of C for several structs, as [#toCHeader(StructType)] does for each. A type that several of them consist of
    /// is declared once. Of types that have one name and differ, the second is followed by `_2` and so on: the structs themselves in
    /// their order, then what they consist of.
    ///
    /// @param structs the structs
    /// @return the header, and what it calls the structs
    /// @throws IllegalArgumentException when a struct is beyond the bounds of a text
    public static CHeader toCHeader(List<StructType> structs) {
        return CHeader.of(structs);
    }

    /// Prints a table of what stands where: offset, size, type and name of each member, and of the members of structs and unions
    /// inside; the holes between them and behind the members of unions; and an order of the struct's own members that has no holes or
    /// fewer of them. Of an array the first element is shown, whose holes are counted as often as there are elements.
    ///
    /// @param struct the struct
    /// @return the table; its lines end with a line feed
    /// @throws IllegalArgumentException when the struct is beyond the bounds of a text
    public static String describe(StructType struct) {
        return StructTable.of(struct);
    }
}
