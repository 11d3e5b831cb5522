package dev.arenakit.internal.layout.text;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldRun;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.UnionType;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The assertions in a C header. They hold for the declarations of the header, and compare them with the declarations
/// of another header that has declared the types before.
///
/// The size, the offset and the kind of each member is asserted. C gives neither the offset nor the type of a bit
/// field, but gcc evaluates the bytes of a constant: the assertion compares the bytes of a struct whose bit field has
/// the value -1, and whose other members are 0.
final class CHeaderAssertions {
    /// The assertions of a member. Division tells whether a type has fractions, and a `bool` is never larger than 1. The
    /// signedness of `char` depends on the machine, hence a `char` is an integer of either kind.
    private static final String MACROS = """
            #ifndef arenakit_assert
            #define arenakit_member(type, member) (((type *) 0)->member)
            #define arenakit_assert(type, member, offset, size, kind) \\
                _Static_assert(offsetof(type, member) == offset, "offset of " #type "." #member); \\
                _Static_assert(sizeof(arenakit_member(type, member)) == size, "size of " #type "." #member); \\
                _Static_assert(arenakit_##kind(arenakit_member(type, member)), "kind of " #type "." #member)
            #define arenakit_is(value, type) __builtin_types_compatible_p(__typeof__(value), type)
            #define arenakit_any(value) 1
            #define arenakit_array(value) (!arenakit_is(value, __typeof__(1 ? (value) : (value))))
            #define arenakit_bool(value) arenakit_is(value, _Bool)
            #define arenakit_double(value) arenakit_is(value, double)
            #define arenakit_float(value) arenakit_is(value, float)
            #define arenakit_integer(value) ((__typeof__(value)) 3 / 2 == 1)
            #define arenakit_pointer(value) (__builtin_classify_type(value) == 5 && !arenakit_array(value))
            #define arenakit_signed(value) (arenakit_is(value, char) || \\
                ((__typeof__(value)) -1 / 2 == 0 && (__typeof__(value)) -1 < 0))
            #define arenakit_unsigned(value) (arenakit_is(value, char) || (__typeof__(value)) -1 / 2 > 0)
            #endif

            """;
    /// The assertions of a bit field. gcc knows that an unsigned bit field is not negative. It does not evaluate a bit
    /// field for which it needs an integer larger than the struct around the field, such as 23 bits in a nested struct
    /// of 3 bytes: the bits of this field are not compared.
    private static final String BIT_MACROS = """
            #ifndef arenakit_bits
            #if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
            #define arenakit_bits(text, type, field, size, ...) \\
                arenakit_bits_1(__COUNTER__, text, type, field, size, __VA_ARGS__)
            #define arenakit_bits_1(...) arenakit_bits_2(__VA_ARGS__)
            #define arenakit_bits_2(id, text, type, field, size, ...) \\
                static const type arenakit_field_##id = {.field = -1}; \\
                static const uint8_t arenakit_bytes_##id[size] = {__VA_ARGS__}; \\
                _Static_assert(arenakit_known(__builtin_memcmp(&arenakit_field_##id, arenakit_bytes_##id, size)) == 0, \\
                    "bits of " text)
            #define arenakit_known(value) __builtin_choose_expr(__builtin_constant_p(value), value, 0)
            #define arenakit_sign(text, type, field, is_unsigned) \\
                _Pragma("GCC diagnostic push") \\
                _Pragma("GCC diagnostic ignored \\"-Wtype-limits\\"") \\
                _Pragma("GCC diagnostic ignored \\"-Wbool-compare\\"") \\
                _Static_assert(__builtin_constant_p(arenakit_member(type, field) < 0) == is_unsigned, "sign of " text); \\
                _Pragma("GCC diagnostic pop") \\
                _Static_assert(1, text)
            #else
            #define arenakit_bits(text, ...) _Static_assert(1, text)
            #define arenakit_sign(text, ...) _Static_assert(1, text)
            #endif
            #endif

            """;
    /// Bytes of a struct that an assertion of bits compares at most.
    private static final long MAX_COMPARED = 1 << 16;

    private final String name;
    private final boolean nested;
    private final Function<List<Member>, List<String>> names;
    private final StringBuilder text = new StringBuilder();

    private CHeaderAssertions(String name, boolean nested, Function<List<Member>, List<String>> names) {
        this.name = name;
        this.nested = nested;
        this.names = names;
    }

    /// Returns the definitions of the macros that declarations use.
    static String macros(String declarations) {
        boolean bits = declarations.contains("arenakit_bits(");
        return (bits || declarations.contains("arenakit_assert(") ? MACROS : "") + (bits ? BIT_MACROS : "");
    }

    /// Returns the assertions of a struct or union.
    ///
    /// @param name      the name of the type in C
    /// @param alignment the value of `_Alignof` in C
    /// @param nested    whether to assert the members of nested structs and unions too
    /// @param names     the names of members in C
    static String of(MemoryType type, String name, long alignment, boolean nested,
            Function<List<Member>, List<String>> names) {
        CHeaderAssertions assertions = new CHeaderAssertions(name, nested, names);
        assertions.add("sizeof(" + name + ") == " + type.byteSize(), "size of " + name);
        assertions.add("_Alignof(" + name + ") == " + alignment, "alignment of " + name);
        assertions.members(type, "", 0, 0);
        return assertions.text.toString();
    }

    /// Returns the assertion of a constant of an enum.
    static String ofConstant(String name, String literal) {
        CHeaderAssertions assertions = new CHeaderAssertions(name, false, CHeaderNames::ofMembers);
        assertions.add(name + " == " + literal, "value of " + name);
        return assertions.text.toString();
    }

    private void add(String condition, String what) {
        call("_Static_assert", condition, '"' + what + '"');
    }

    private void call(String macro, Object... arguments) {
        text.append(macro)
                .append(Stream.of(arguments).map(String::valueOf).collect(Collectors.joining(", ", "(", ");\n")));
    }

    private void assertMember(String path, long byteOffset, long byteSize, String kind) {
        call("arenakit_assert", name, path, byteOffset, byteSize, kind);
    }

    /// @param byteOffset the offset of the members in the asserted type
    /// @param inPath     the offset of the members in the type of the path, which anonymous members around them have
    private void members(MemoryType type, String path, long byteOffset, long inPath) {
        List<Member> members = type.members();
        List<Member> anonymous = CHeaderNames.anonymous(members);
        List<String> inC = names.apply(members);
        for (int i = 0; i < members.size(); i++) {
            Member member = members.get(i);
            String inner = path.isEmpty() ? inC.get(i) : path + "." + inC.get(i);
            if (member.type() instanceof BitFieldType bits) {
                BitFieldRun run = type instanceof UnionType
                        ? new BitFieldRun(i, List.of(member), member.limit())
                        : BitFieldRun.of(members, i);
                if (run.order().filter(order -> order == ByteOrder.LITTLE_ENDIAN).isPresent()) {
                    long compared = inPath + Math.min(member.limit() + 1, type.byteSize());
                    bits(bits, inPath + member.byteOffset(), compared, path, inC.get(i));
                }
            } else if (anonymous.contains(member)) {
                members(member.type(), path, byteOffset + member.byteOffset(), inPath + member.byteOffset());
            } else {
                member(member.type(), inner, byteOffset + member.byteOffset());
            }
        }
    }

    private void member(MemoryType type, String path, long byteOffset) {
        if (type instanceof ArrayType array && array.length() == 0) {
            // C has no size of a flexible array.
            add("offsetof(" + name + ", " + path + ") == " + byteOffset, "offset of " + name + "." + path);
            return;
        }
        assertMember(path, byteOffset, type.byteSize(), CHeaderDeclarations.kind(type));
        if (type instanceof ArrayType array) {
            member(array.element(), path + "[0]", byteOffset);
        } else if (type instanceof StringType string && string.prefixByteSize() == 0) {
            assertMember(path + "[0]", byteOffset, string.unitByteSize(), "integer");
        } else if (nested) {
            members(type, path, byteOffset, 0);
        }
    }

    /// Asserts the bits of a field whose bits are consecutive in little-endian order. gcc does not evaluate the bytes of
    /// a struct in the other byte order.
    ///
    /// @param compared the number of bytes to compare: up to the end of the field, and one more to find a larger field
    private void bits(BitFieldType type, long byteOffset, long compared, String path, String field) {
        if (compared > MAX_COMPARED) {
            return;
        }
        String struct = path.isEmpty() ? name : "__typeof__(arenakit_member(" + name + ", " + path + "))";
        String what = '"' + name + '.' + (path.isEmpty() ? "" : path + '.') + field + '"';
        long bits = (-1L >>> (Long.SIZE - type.bitSize())) << type.shift();
        String bytes = IntStream.range(0, (int) type.byteSize())
                .mapToObj(i -> "[" + (byteOffset + i) + "] = " + (bits >>> (Byte.SIZE * i) & 0xFF))
                .collect(Collectors.joining(", "));
        call("arenakit_bits", what, struct, field, compared, bytes);
        CHeaderDeclarations.sign(type.declared(), type.bitSize())
                .ifPresent(sign -> call("arenakit_sign", what, struct, field, sign ? 0 : 1));
    }
}
