package dev.arenakit.internal.layout.text;

import dev.arenakit.internal.BitPosition;
import dev.arenakit.internal.Sizes;
import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldRun;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Writes the declarations in a C header. Each type is declared after the types that it refers to.
public final class CHeaderDeclarations {
    /*
     * The alignment that C gives to each member determines its offset. It can differ from the alignment of the member's
     * type here, since a struct and its copy in a packed struct are one type in C. A struct is not packed if the rules
     * of C, larger alignments of members, and padding before members yield the right offsets. Otherwise it is packed,
     * and all its padding is declared.
     */
    /// The largest alignment that gcc supports.
    private static final long MAX_ALIGNMENT = 1L << 28;
    private static final String UNNAMED = "Anonymous";
    private static final String BYTE = "uint8_t ";

    /// A type that has been declared.
    ///
    /// @param alignment the value of `_Alignof` in C
    private record CType(String name, long alignment) {}

    /// The definitions of the struct that is being declared.
    private LayoutDefinitions definitions = LayoutDefinitions.NONE;
    private final CHeaderNames names = new CHeaderNames();
    private final Map<MemoryType, String> reserved = new HashMap<>();
    private final Map<MemoryType, CType> types = new HashMap<>();
    private final List<String> rootNames = new ArrayList<>();
    /// The types that are declared, and that addresses can refer to before.
    private final List<MemoryType> declared;
    private final StringBuilder text = new StringBuilder();

    private CHeaderDeclarations(List<MemoryType> declared) {
        this.declared = declared;
    }

    /// Declares structs. The structs are named first, then the types that they refer to.
    public static CHeaderDeclarations of(List<StructType> roots) {
        List<MemoryType> declared = new ArrayList<>(roots);
        roots.forEach(root -> declared.addAll(LayoutDefinitions.of(root, _ -> true).inOrder()));
        CHeaderDeclarations declarations = new CHeaderDeclarations(declared);
        List<LayoutDefinitions> definitions = roots.stream()
                .map(root -> LayoutDefinitions.of(root, target -> declarations.struct(target).isPresent()))
                .toList();
        for (StructType root : roots) {
            declarations.rootNames.add(declarations.reserve(root, root.name().isEmpty() ? UNNAMED : root.name()));
        }
        for (LayoutDefinitions inner : definitions) {
            inner.inOrder().forEach(type -> declarations.reserve(type, type.name()));
        }
        for (int i = 0; i < roots.size(); i++) {
            declarations.definitions = definitions.get(i);
            declarations.declare(roots.get(i), declarations.rootNames.get(i));
        }
        return declarations;
    }

    public String text() {
        return text.toString();
    }

    /// The definitions of the macros that the declarations use.
    public String macros() {
        return CHeaderAssertions.macros(text());
    }

    /// The names of the structs in C.
    public List<String> names() {
        return rootNames;
    }

    private String reserve(MemoryType type, String wanted) {
        return reserved.computeIfAbsent(type, _ -> names.take(wanted));
    }

    /// Returns a declaration, which is written from the name outwards, as in [LayoutPrinter].
    private String declare(MemoryType type, String inner, String suggested) {
        return switch (type) {
            case ValueType value -> value.cName() + " " + inner;
            case UnsignedType unsigned when unsigned.isPowerOfTwo() -> unsigned.cName() + " " + inner;
            case UnsignedType unsigned -> BYTE + LayoutPrinter.dimension(inner, unsigned.byteSize());
            case BitFieldType bits -> declare(CHeaderBits.declared(bits), inner, suggested) + " : " + bits.bitSize();
            case StringType string when string.prefixByteSize() > 0 ->
                BYTE + LayoutPrinter.dimension(inner, string.byteSize());
            case StringType string -> LayoutPrinter.unitName(string) + " "
                    + LayoutPrinter.dimension(inner, string.length());
            case RefType reference -> declare(UnsignedType.of(reference.byteSize()), inner, suggested);
            case AddressType address -> address.target()
                    .map(target -> struct(target).map(reserved::get)
                            .map(name -> "struct " + name + " *" + inner)
                            .orElseGet(() -> declare(target, "*" + inner, suggested)))
                    .orElse("void *" + inner);
            case ArrayType array -> declare(array.element(), LayoutPrinter.dimension(inner, array.length()), suggested);
            case EnumType _,StructType _,UnionType _ -> group(type, suggested).name() + " " + inner;
        };
    }

    /// Returns the declared struct that an address refers to, where the addresses in the struct have no targets.
    private Optional<MemoryType> struct(MemoryType target) {
        return declared.stream()
                .filter(type -> target instanceof StructType && type instanceof StructType && !type.name().isEmpty()
                        && type.name().equals(target.name()) && outline(type).equals(outline(target)))
                .findFirst();
    }

    private static List<List<Object>> outline(MemoryType type) {
        return type.members()
                .stream()
                .map(member -> List.<Object>of(member.name(), member.byteOffset(), member.type().byteSize(),
                        kind(member.type())))
                .toList();
    }

    /// Returns the kind of a member, which distinguishes it from others of the same size. All kinds are valid for a type
    /// that C lacks: an integer of 3 bytes, or a text after its length.
    static String kind(MemoryType type) {
        return switch (type) {
            case ValueType value when value.carrier() == boolean.class || value.integer().isEmpty() -> value.cName();
            case UnsignedType unsigned when !unsigned.isPowerOfTwo() -> "any";
            case ValueType _,UnsignedType _,EnumType _ -> sign(type, Byte.SIZE * (int) type.byteSize())
                    .map(signed -> signed ? "signed" : "unsigned")
                    .orElse("integer");
            case RefType _ -> "unsigned";
            case AddressType _ -> "pointer";
            case ArrayType _ -> "array";
            case StringType string -> string.prefixByteSize() == 0 ? "array" : "any";
            case StructType _,UnionType _,BitFieldType _ -> "any";
        };
    }

    /// Whether an integer is signed, or empty if an enum has constants that are the same in both cases: C chooses the
    /// signedness of an enum by its constants.
    static Optional<Boolean> sign(MemoryType integer, int bitSize) {
        long largest = (1L << (bitSize - 1)) - 1;
        return integer instanceof EnumType type && type.constants()
                .stream()
                .allMatch(constant -> constant.value() >= 0 && constant.value() <= largest)
                        ? Optional.empty()
                        : Optional.of(integer.integer().orElseThrow().isSigned());
    }

    private long alignment(MemoryType type, String suggested) {
        if (type instanceof ArrayType array) {
            return alignment(array.element(), suggested);
        }
        return type instanceof StructType || type instanceof UnionType
                ? group(type, suggested).alignment()
                : type.naturalAlignment();
    }

    private long alignment(Member member, String owner) {
        return Math.max(alignment(member.type(), owner + "_" + member.name()),
                Math.min(MAX_ALIGNMENT, member.type().byteAlignment()));
    }

    private CType group(MemoryType type, String suggested) {
        return declare(definitions.of(type).orElseGet(() -> LayoutDefinitions.declared(type)), suggested);
    }

    /// Declares a type before the types that refer to it, unless it has been declared.
    private CType declare(MemoryType defined, String suggested) {
        CType known = types.get(defined);
        if (known != null) {
            return known;
        }
        String reservedName = reserved.get(defined);
        String wanted = defined.name().isEmpty() ? suggested : defined.name();
        String name = reservedName == null ? names.take(wanted) : reservedName;
        CType declared = defined instanceof EnumType constants ? constants(constants, name) : fields(defined, name);
        types.put(defined, declared);
        return declared;
    }

    /// Declares an enum as its integer, and the constants in an enum of C. The enums of C11 all have the size of an
    /// `int`.
    private CType constants(EnumType type, String name) {
        boolean ints = type.constants()
                .stream()
                .allMatch(constant -> constant.value() == (int) constant.value()
                        && (constant.value() >= 0 || !type.isUnsigned()));
        List<String> lines = new ArrayList<>();
        StringBuilder assertions = new StringBuilder();
        StringBuilder ofLibrary = new StringBuilder();
        type.constants().forEach(constant -> {
            String constantName = names.take(name + "_" + constant.name());
            String value = literal(constant.value(), type.isUnsigned());
            lines.add("    " + constantName + " = " + value + ",\n");
            assertions.append(CHeaderAssertions.ofConstant(constantName, value));
            ofLibrary.append(CHeaderAssertions.ofConstant(constant.name(), value));
        });
        type.otherwise().ifPresent(other -> lines.add("    /* All other values are " + other + ". */\n"));
        begin(name);
        text.append("typedef ").append(LayoutPrinter.integerName(type)).append(' ').append(name).append(";\n");
        if (!type.constants().isEmpty()) {
            // Larger constants are a feature of C23 that compilers of C11 support too. A macro would hide members with
            // the same name.
            text.append(ints ? "enum {\n" : "__extension__ enum {\n").append(String.join("", lines)).append("};\n");
        }
        end(name, assertions.toString(), ofLibrary.toString());
        return new CType(name, type.byteSize());
    }

    private static String literal(long value, boolean unsigned) {
        if (value < 0 && unsigned) {
            return "UINT64_C(" + Long.toUnsignedString(value) + ")";
        }
        if (value == (int) value) {
            return Long.toString(value);
        }
        return value == Long.MIN_VALUE ? "(-INT64_C(" + Long.MAX_VALUE + ") - 1)" : "INT64_C(" + value + ")";
    }

    private CType fields(MemoryType type, String name) {
        long alignment = alignmentInC(type);
        // First, as it declares the types of the members.
        String definition = definition(type, name, name,
                new CHeaderNames.Padding(type.members()));
        begin(name);
        text.append(CHeaderComments.ofType(type, alignment))
                .append("typedef ")
                .append(definition)
                .append(' ')
                .append(name)
                .append(";\n");
        boolean nested = rootNames.contains(name);
        end(name, CHeaderAssertions.of(type, name, alignment, nested, CHeaderNames::ofMembers),
                CHeaderAssertions.of(type, name, alignment, nested,
                        members -> members.stream().map(Member::name).toList()));
        return new CType(name, alignment);
    }

    /// Returns the alignment in C, where the size of a type is a multiple of its alignment.
    private static long alignmentInC(MemoryType type) {
        return Math.min(Math.min(type.byteAlignment(), MAX_ALIGNMENT),
                type.byteSize() == 0 ? MAX_ALIGNMENT : Long.lowestOneBit(type.byteSize()));
    }

    /// Returns the definition of a struct or union.
    ///
    /// @param tag     the name, or "" if it is an anonymous member
    /// @param name    the beginning of the names of types without a name
    /// @param padding chooses the names of padding
    private String definition(MemoryType type, String tag, String name, CHeaderNames.Padding padding) {
        List<Member> members = type.members();
        List<String> memberNames = CHeaderNames.ofMembers(members);
        boolean union = type instanceof UnionType;
        List<Member> anonymous = CHeaderNames.anonymous(members);
        long alignment = alignmentInC(type);
        boolean packed = members.stream()
                .filter(member -> !(member.type() instanceof BitFieldType))
                .anyMatch(member -> alignment(member, name) > alignment
                        || member.byteOffset() % alignment(member, name) != 0);
        long natural = 1;
        StringBuilder body = new StringBuilder();
        BitPosition end = BitPosition.of(0);
        long limit = 0;
        for (int i = 0; i < members.size();) {
            Member member = members.get(i);
            BitPosition before = union ? BitPosition.of(0) : end;
            Optional<BitFieldRun> bits = member.type() instanceof BitFieldType
                    ? Optional.of(union
                            ? new BitFieldRun(i, List.of(member), member.limit())
                            : BitFieldRun.of(members, i))
                    : Optional.empty();
            Optional<BitPosition> inPlace = bits
                    .filter(run -> packed || CHeaderBits.alignment(run.fields()) <= alignment)
                    .flatMap(run -> CHeaderBits.inPlace(run, before, packed));
            long each = bits.isEmpty()
                    ? alignment(member, name)
                    : inPlace.isPresent() ? CHeaderBits.alignment(bits.get().fields()) : 1;
            if (inPlace.isEmpty()
                    && !Sizes.isAlignedUp(member.byteOffset(), before.limit(), packed ? 1 : each)) {
                body.append(padding.of(member.byteOffset() - before.limit()));
            }
            int next = bits.map(BitFieldRun::end).orElse(i + 1);
            if (bits.isPresent() && inPlace.isEmpty()) {
                body.append(CHeaderBits.packed(bits.get(),
                        index -> member(type, index, memberNames.get(index), true, name), padding));
            } else {
                for (int index = i; index < next; index++) {
                    body.append("    ")
                            .append(anonymous.contains(members.get(index))
                                    ? anonymous(members.get(index), packed, name, padding)
                                    : member(type, index, memberNames.get(index), packed, name))
                            .append('\n');
                }
            }
            natural = Math.max(natural, each);
            long memberLimit = bits.map(run -> run.byteOffset() + run.byteSize()).orElse(member.limit());
            end = inPlace.orElse(BitPosition.of(memberLimit));
            limit = Math.max(limit, memberLimit);
            i = next;
        }
        if (!Sizes.isAlignedUp(type.byteSize(), limit, alignment)) {
            body.append(padding.of(type.byteSize() - (union ? 0 : limit)));
        }
        return (union ? "union " : "struct ") + attributes(packed, alignment, packed ? 1 : natural) + tag
                + (tag.isEmpty() ? "" : " ") + "{\n" + body + "}";
    }

    private String anonymous(Member member, boolean packed, String ownerName, CHeaderNames.Padding padding) {
        String suggested = ownerName + "_" + member.name();
        // The same definition for all copies of a type, as with a type that has a name.
        MemoryType declared = definitions.of(member.type()).orElseGet(() -> LayoutDefinitions.declared(member.type()));
        return alignas(member.type(), suggested, packed)
                + definition(declared, "", suggested, padding).replace("\n", "\n    ") + ";";
    }

    private String alignas(MemoryType type, String suggested, boolean packed) {
        long alignment = Math.min(MAX_ALIGNMENT, type.byteAlignment());
        return !packed && alignment > alignment(type, suggested) ? "_Alignas(" + alignment + ") " : "";
    }

    /// Begins the guard of a definition, because other headers may contain the same definition. The assertions after
    /// the definition are outside of the guard.
    private void begin(String name) {
        text.append("#ifndef ARENAKIT_").append(name).append("\n#define ARENAKIT_").append(name).append('\n');
    }

    /// Ends the guard of a definition, and adds its assertions. A type of a library has the names before they were
    /// changed.
    private void end(String name, String ofOurs, String ofLibrary) {
        String ours = "arenakit_declares_" + name;
        text.append(ofOurs.equals(ofLibrary)
                ? "#endif\n" + ofOurs
                : "#define " + ours + "\n#endif\n#ifdef " + ours + '\n' + ofOurs + "#else\n" + ofLibrary + "#endif\n")
                .append('\n');
    }

    private String member(MemoryType owner, int index, String memberName, boolean packed, String ownerName) {
        Member member = owner.members().get(index);
        MemoryType type = member.type();
        String suggested = ownerName + "_" + member.name();
        return alignas(type, suggested, packed) + declare(type, memberName, suggested) + ';'
                + CHeaderComments.ofMember(owner, index, memberName);
    }

    private static String attributes(boolean packed, long alignment, long natural) {
        List<String> attributes = new ArrayList<>();
        if (packed) {
            attributes.add("packed");
        }
        if (alignment > natural) {
            attributes.add("aligned(" + alignment + ")");
        }
        return attributes.isEmpty() ? "" : "__attribute__((" + String.join(", ", attributes) + ")) ";
    }
}
