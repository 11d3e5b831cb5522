package dev.arenakit.layout.text;

import dev.arenakit.internal.layout.text.LayoutParser;
import dev.arenakit.internal.layout.text.LayoutPrinter;
import dev.arenakit.internal.layout.text.LayoutTable;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import java.util.List;
import java.util.Objects;

/// Converts struct types to text and back. The text consists of declarations as in C.
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
/// #pragma layout 2
///
/// enum Side : uint8_t {
///     BUY = 0,
///     SELL = 1,
///     OTHER = @otherwise,
/// };
///
/// struct Order {
///     int64_t id;
///     enum Side side;
///     uint8_t isOpen : 1;
///     uint8_t priority : 3;
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
/// refers to. A body in place of a reference defines a type that has no other references. Types without annotations are
/// little-endian and aligned as in C, and members follow one another as in C.
///
/// | text | meaning |
/// |---|---|
/// | `bool`, `int8_t`, `int16_t`, `int32_t`, `int64_t`, `float`, `double` | a `boolean`, `byte`, `short`, `int`, `long`, `float`, `double` |
/// | `uint8_t`, `uint16_t`, `uint24_t`, and so on to `uint64_t` | an unsigned integer of 1 to 8 bytes |
/// | `uint16_t @char` | a `char` |
/// | `uint16_t flags : 3;` | a bit field of 3 bits |
/// | `OTHER = @otherwise` | the constant of an enum that all other values are read as |
/// | `char s[8]`, `char @ascii s[8]` | text of 8 code units in UTF-8, in ASCII; the last brackets belong to the text |
/// | `char @charset(windows_1252) s[8]` | text of 8 bytes in a charset of one byte for each character |
/// | `char16_t s[8]`, `char16_t @big s[8]` | text of 8 code units in UTF-16LE, in UTF-16BE |
/// | `char32_t s[8]`, `char32_t @big s[8]` | text of 8 code units in UTF-32LE, in UTF-32BE |
/// | `char @spaces s[8]` | text that ends before the spaces at the end of the array |
/// | `char @prefix(2) s[8]`, `char @prefix(2, big) s[8]` | text after its length, an unsigned integer of 2 bytes; the size is 10 bytes |
/// | `int32_t a[8] @count(n)` | the integer `n` of the same struct is the number of valid elements |
/// | `uint64_t @ref(24, 8, Node) n` | a reference to a struct `Node` of 24 bytes, whose alignment is 8; `uint32_t` counts units of the alignment |
/// | `uint64_t @ref(24, 8, Node, "nodes") n` | a reference to a struct in the allocation `nodes` |
/// | `void *p`, `T *p` | an address, with an unknown target or with the target `T` |
/// | `@big`, `@little` | the byte order of a value, a reference, an enum or an address |
/// | `@align(n)` | the alignment of the preceding type; of a pointer after `*`, of an array or text after `]` |
/// | `@packed` | members have alignment 1 unless they have an annotation |
/// | `@size(n)` | the size of a struct or union |
/// | `@offset(n)` | the offset of a member |
/// | `@bit(n)` | the number of bits before a bit field in its first byte |
/// | `@switch(m)`, `@case(n)` | the discriminator of a union is member `m` of the enclosing struct, or `m.n` of a nested one; its value for this member of the union is `n` |
/// | `@case(1, 2)` | the member is valid for several values of the discriminator |
/// | `@otherwise` | this last member of the union is valid for all other values of the discriminator |
///
/// Bit fields follow one another as gcc places them on x86-64 and aarch64. Their bits are counted from the least
/// significant bit of a byte, or from the most significant bit if the type of the field is `@big`. A bit field begins
/// at the next byte if the previous bit field has the other order.
///
/// A struct with a reference, or with a `@case` of several values, is printed in version 3 of the grammar. All other
/// structs are printed in version 2, which has neither and is otherwise equal, so that earlier releases read them.
/// Version 1 is parsed too. It has no unsigned integers, bit fields, `@otherwise`, `@spaces`, `@prefix` and `@count`.
/// In version 1, `uint16_t` is a `char`.
///
/// ```text
/// text       = "#pragma layout " ( "2" | "3" ) line-end { definition ";" } struct ";" .
/// definition = struct | union | enum .
/// struct     = "struct" [ name ] { "@packed" | align | "@size" number }
///              "{" { type ( declarator | bits ) { "@offset" number | "@bit" number } ";" } "}" .
/// union      = "union" [ name ] { "@packed" | align | "@size" number | "@switch" "(" path ")" }
///              "{" { type ( declarator | bits ) [ "@bit" number ] [ case | "@otherwise" ] ";" } "}" .
/// case       = "@case" "(" integer { "," integer } ")" .
/// enum       = "enum" [ name ] [ ":" word ] { order | align } "{" [ constant { "," constant } [ "," ] ] "}" .
/// constant   = name [ "=" ( integer | "@otherwise" ) ] .
/// type       = definition | ( "struct" | "union" ) name [ align ] | "enum" name { order | align }
///            | word { order | align | "@char" | ref } | chars [ end ] | "void" .
/// ref        = "@ref" "(" integer "," integer [ "," name ] [ "," quotation ] ")" .
/// chars      = "char" [ "@ascii" | "@charset" "(" name ")" ] | ( "char16_t" | "char32_t" ) [ order ] .
/// end        = "@spaces" | "@prefix" "(" integer [ "," "big" ] ")" .
/// declarator = { "*" { order | align } } ( name | "(" declarator ")" )
///              { "[" integer "]" { align | "@count" "(" name ")" } } .
/// bits       = name ":" integer .
/// order      = "@big" | "@little" .
/// align      = "@align" number .
/// number     = "(" integer ")" .
/// path       = name { "." name } .
/// integer    = [ "-" ] ( decimal digits without a leading 0 | "0x" hexadecimal digits ) .
/// quotation  = a quotation mark, characters that are neither quotation marks nor control characters, and a
///              quotation mark .
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

    /// Returns the name of a type as in the text of a declaration: `int32_t @big`, `char[8]`, `struct Trade`.
    ///
    /// @param type the type
    /// @return the name, without the members of a struct or union, and without the constants of an enum
    public static String typeName(MemoryType type) {
        return LayoutPrinter.typeName(type);
    }

    /// Parses a text of version 3, 2 or 1.
    ///
    /// Any text is either parsed or rejected in bounded time, so the text need not be trusted.
    ///
    /// @param text the text
    /// @return the struct type of the last definition
    /// @throws LayoutParseException if the text does not conform to the grammar, if the version of its grammar is not
    ///                              supported, or if it describes a type that is invalid or too large
    public static StructType parse(String text) {
        Objects.requireNonNull(text, "text");
        return LayoutParser.parse(text);
    }

    /// Prints a C header that declares a struct with the same offsets. The header declares the types that the struct
    /// refers to, each with a guard. It needs a C11 compiler with the attributes of gcc.
    ///
    /// Several headers may declare the same type. The compiler uses the first declaration, and the assertions of the
    /// other headers check that their declarations are equal to it. The header asserts the size and the alignment of
    /// each type, the value of each constant, and of each member the offset, the size, and whether it is a signed or
    /// unsigned integer, a floating-point number, a `bool`, a pointer or an array. A `char` of C is an integer of
    /// either kind. The header asserts the position and the signedness of bit fields with gcc 11 or newer, unless they
    /// are big-endian. The members of nested structs and unions are asserted too. A program that includes the type of a
    /// library defines its guard, `ARENAKIT_` and the name, before: members and constants of the library are asserted
    /// under their own names.
    ///
    /// The struct is declared without attributes if the rules of C yield its offsets; otherwise it has members named
    /// `pad0`, `pad1` and so on, or is packed. An enum is declared as its integer, and the name of the enum precedes
    /// its constants, as in `Side_BUY`. A name that C or the included headers use, such as `register`, is followed by
    /// an underscore, and so are names that other headers of C define as macros, such as `errno`. A name that begins
    /// with two underscores, or with an underscore and a capital letter, is reserved for the compiler and preceded by
    /// an `x`; a member keeps the name if it is no keyword or macro, as in `__pad2`. A type without a name is named
    /// after the type that contains it and the member.
    ///
    /// An unsigned integer of 3, 5, 6 or 7 bytes is declared as an array of bytes, and so is a text that follows its
    /// length. Bit fields are bit fields of C. If C would place them elsewhere, they are declared in an anonymous
    /// packed struct. This struct has the attribute `scalar_storage_order` of gcc if the bit fields are big-endian. Bit
    /// fields that share bytes in both byte orders are declared as an array of bytes.
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
    /// structs refer to is declared once. If different types have the same name, `_2`, `_3` and so on follow the names
    /// of the second and later types. The structs are named first, in their order, then the types that they refer to.
    ///
    /// @param structs the struct types
    /// @return the header, and the names of the structs in it
    /// @throws IllegalArgumentException if a struct is too large for a text
    public static CHeader toCHeader(List<StructType> structs) {
        return CHeader.of(structs);
    }

    /// Prints a table of the members of a struct and of its nested structs and unions, each with its offset, size, type
    /// and name. The table also shows the holes between members and after the members of unions, and suggests an order
    /// of the members that has fewer holes, if there is one. The first element represents an array, and its holes are
    /// counted once for each element.
    ///
    /// @param struct the struct type
    /// @return the table, whose lines end with a line feed
    /// @throws IllegalArgumentException if the struct is too large for a text
    public static String describe(StructType struct) {
        return LayoutTable.of(struct);
    }
}
