package dev.arenakit.layout;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// The declarations of a header of C, each type after those that it consists of.
final class CTypes {
    /*
     * What decides over offsets in C is the alignment that C gives to each member, which may be another than that of our
     * type: a copy of a struct in a packed one refers to the same type of C. A struct is written plainly where C's rules,
     * larger alignments of members and padding before them give our offsets. Otherwise it is packed, and all its padding is
     * written.
     */
    /// The largest alignment that gcc knows.
    private static final long LARGEST = 1L << 28;
    private static final String UNNAMED = "Anonymous";

    /// @param alignment what `_Alignof` says in C
    private record CType(String name, long alignment) {}

    /// Of the struct that is being declared.
    private Definitions definitions = Definitions.NONE;
    private final CNames names = new CNames();
    private final Map<MemoryType, String> reserved = new HashMap<>();
    private final Map<MemoryType, CType> types = new HashMap<>();
    private final List<String> rootNames = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();

    private CTypes() {}

    /// The declarations of structs, which have their own names before the types inside have theirs.
    static CTypes of(List<StructType> roots) {
        List<Definitions> definitions = roots.stream().map(Definitions::of).toList();
        CTypes declarations = new CTypes();
        for (StructType root : roots) {
            declarations.rootNames.add(declarations.reserve(root, root.name().isEmpty() ? UNNAMED : root.name()));
        }
        for (Definitions inside : definitions) {
            inside.inOrder().forEach(type -> declarations.reserve(type, Definitions.nameOf(type)));
        }
        for (int i = 0; i < roots.size(); i++) {
            declarations.definitions = definitions.get(i);
            declarations.group(roots.get(i), declarations.rootNames.get(i));
        }
        return declarations;
    }

    String text() {
        return text.toString();
    }

    /// The names of the structs themselves.
    List<String> names() {
        return rootNames;
    }

    private String reserve(MemoryType type, String wanted) {
        return reserved.computeIfAbsent(type, _ -> names.take(wanted));
    }

    /// A declaration from the name outwards, as [LayoutPrinter] does it.
    private String declare(MemoryType type, String inner, String suggested) {
        return switch (type) {
            case ValueType value -> CWords.of(value.carrier()) + " " + inner;
            case StringType string -> (CWords.isUtf16(string) ? "char16_t " : "char ")
                    + LayoutPrinter.dimension(inner, string.length());
            case AddressType address -> address.target()
                    .map(target -> declare(target, "*" + inner, suggested))
                    .orElse("void *" + inner);
            case ArrayType array -> declare(array.element(), LayoutPrinter.dimension(inner, array.length()), suggested);
            case EnumType _,StructType _,UnionType _ -> group(type, suggested).name() + " " + inner;
        };
    }

    private long alignment(MemoryType type, String suggested) {
        return switch (type) {
            case ValueType _,EnumType _,AddressType _ -> type.byteSize();
            case StringType string -> string.unitByteSize();
            case ArrayType array -> alignment(array.element(), suggested);
            case StructType _,UnionType _ -> group(type, suggested).alignment();
        };
    }

    private CType group(MemoryType type, String suggested) {
        MemoryType defined = definitions.of(type)
                .orElse(type instanceof EnumType constants
                        ? Definitions.normal(constants)
                        : type);
        CType known = types.get(defined);
        if (known != null) {
            return known;
        }
        String reservedName = reserved.get(defined);
        String wanted = Definitions.nameOf(defined).isEmpty() ? suggested : Definitions.nameOf(defined);
        String name = reservedName == null ? names.take(wanted) : reservedName;
        CType made = defined instanceof EnumType constants ? constants(constants, name) : fields(defined, name);
        types.put(defined, made);
        return made;
    }

    /// The integer, and its constants by the name of the enum. C11 knows no enums of another size than `int`.
    private CType constants(EnumType type, String name) {
        boolean ints = type.constants().stream().allMatch(constant -> constant.value() == (int) constant.value());
        List<String> lines = new ArrayList<>();
        type.constants().forEach(constant -> {
            String constantName = names.take(name + "_" + constant.name());
            lines.add("    " + constantName + " = " + literal(constant.value()) + ",\n");
        });
        begin(name);
        text.append("typedef ").append(CWords.of(type.value().carrier())).append(' ').append(name).append(";\n");
        if (!lines.isEmpty()) {
            // Larger constants are of C23; compilers of C11 know them too, and a macro would hide members of that name.
            text.append(ints ? "enum {\n" : "__extension__ enum {\n").append(String.join("", lines)).append("};\n");
        }
        text.append("#endif\n\n");
        return new CType(name, type.byteSize());
    }

    private static String literal(long value) {
        if (value == (int) value) {
            return Long.toString(value);
        }
        return value == Long.MIN_VALUE ? "(-INT64_C(" + Long.MAX_VALUE + ") - 1)" : "INT64_C(" + value + ")";
    }

    private CType fields(MemoryType type, String name) {
        List<Member> members = Definitions.membersOf(type);
        List<String> memberNames = CNames.ofMembers(members);
        boolean union = type instanceof UnionType;
        // The size of a type of C is a multiple of its alignment.
        long alignment = Math.min(Math.min(type.byteAlignment(), LARGEST),
                type.byteSize() == 0 ? LARGEST : Long.lowestOneBit(type.byteSize()));
        long[] alignments = members.stream()
                .mapToLong(member -> Math.max(alignment(member.type(), name + "_" + member.name()),
                        Math.min(LARGEST, member.type().byteAlignment())))
                .toArray();
        boolean packed = false;
        long natural = 1;
        for (int i = 0; i < alignments.length; i++) {
            packed |= alignments[i] > alignment || members.get(i).byteOffset() % alignments[i] != 0;
            natural = Math.max(natural, alignments[i]);
        }
        StringBuilder body = new StringBuilder();
        Padding padding = new Padding(memberNames);
        long end = 0;
        for (int i = 0; i < alignments.length; i++) {
            Member member = members.get(i);
            if (!union && !Types.isAlignedUp(member.byteOffset(), end, packed ? 1 : alignments[i])) {
                body.append(padding.of(member.byteOffset() - end));
            }
            body.append("    ").append(member(type, i, memberNames.get(i), packed, name)).append('\n');
            end = union ? Math.max(end, member.limit()) : member.limit();
        }
        if (!Types.isAlignedUp(type.byteSize(), end, alignment)) {
            body.append(padding.of(type.byteSize() - (union ? 0 : end)));
        }
        begin(name);
        text.append(comment(type, alignment))
                .append("typedef ")
                .append(union ? "union " : "struct ")
                .append(attributes(packed, alignment, packed ? 1 : natural))
                .append(name)
                .append(" {\n")
                .append(body)
                .append("} ")
                .append(name)
                .append(";\n#endif\n");
        asserts(type, name, memberNames, alignment);
        return new CType(name, alignment);
    }

    /// The guard of a definition, which other headers may contain too. The assertions behind it are made each time.
    private void begin(String name) {
        text.append("#ifndef ARENAKIT_").append(name).append("\n#define ARENAKIT_").append(name).append('\n');
    }

    private String member(MemoryType owner, int index, String memberName, boolean packed, String ownerName) {
        Member member = Definitions.membersOf(owner).get(index);
        MemoryType type = member.type();
        String suggested = ownerName + "_" + member.name();
        long alignment = Math.min(LARGEST, type.byteAlignment());
        StringBuilder line = new StringBuilder();
        if (!packed && alignment > alignment(type, suggested)) {
            line.append("_Alignas(").append(alignment).append(") ");
        }
        line.append(declare(type, memberName, suggested)).append(';');
        List<String> remarks = new ArrayList<>();
        if (!memberName.equals(member.name())) {
            remarks.add(member.name());
        }
        remarks.addAll(CRemarks.of(type));
        if (owner instanceof UnionType union) {
            union.discriminator()
                    .ifPresent(tells -> remarks.add("where " + tells.member() + " is "
                            + tells.values().get(index)));
        }
        return remarks.isEmpty() ? line.toString() : line + " /* " + String.join(", ", remarks) + " */";
    }

    private static String comment(MemoryType type, long alignment) {
        return alignment == type.byteAlignment()
                ? ""
                : "/* Stands at multiples of " + type.byteAlignment()
                        + ", an alignment that C has not for types of this size. */\n";
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

    private void asserts(MemoryType type, String name, List<String> memberNames, long alignment) {
        text.append(String.format(Locale.ROOT, "_Static_assert(sizeof(%1$s) == %2$d, \"size of %1$s\");\n", name,
                type.byteSize()));
        text.append(String.format(Locale.ROOT, "_Static_assert(_Alignof(%1$s) == %2$d, \"alignment of %1$s\");\n", name,
                alignment));
        for (int i = 0; i < memberNames.size(); i++) {
            text.append(String.format(Locale.ROOT,
                    "_Static_assert(offsetof(%1$s, %2$s) == %3$d, \"offset of %1$s.%2$s\");\n", name,
                    memberNames.get(i),
                    Definitions.membersOf(type).get(i).byteOffset()));
        }
        text.append('\n');
    }

    /// Members that fill holes, named unlike those that stand there.
    private static final class Padding {
        private final Set<String> taken;
        private int number;

        Padding(List<String> taken) {
            this.taken = new HashSet<>(taken);
        }

        String of(long byteSize) {
            String name;
            do {
                name = "pad" + number++;
            } while (taken.contains(name));
            return "    uint8_t " + name + "[" + byteSize + "];\n";
        }
    }
}
