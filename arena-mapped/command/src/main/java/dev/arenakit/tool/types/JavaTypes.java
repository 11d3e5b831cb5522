package dev.arenakit.tool.types;

import dev.arenakit.layout.text.CHeaderTypes;
import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

/// Prints Java classes that map the structs of a header: a record for a struct, the interface of a view for a union and
/// for a struct that no record maps, and an enum for an enum.
final class JavaTypes {
    private static final String ANONYMOUS = "anon_";
    private static final String IMPORTS = """
            import dev.arenakit.layout.annotation.*;
            import java.lang.foreign.MemorySegment;

            """;
    /// Keywords of Java that are no keywords of C, and methods of `Object`.
    private static final Set<String> RESERVED = Set.of("_", "abstract", "assert", "boolean", "byte", "catch", "class",
            "extends", "false", "final", "finally", "implements", "import", "instanceof", "interface", "native", "new",
            "null", "package", "private", "protected", "public", "strictfp", "super", "synchronized", "this", "throw",
            "throws", "transient", "true", "try", "clone", "finalize", "getClass", "hashCode", "notify", "notifyAll",
            "toString", "wait");
    /// A record has fewer components: a method has at most 255 slots for parameters, and a `long` takes two.
    private static final int MOST_COMPONENTS = 120;
    /// The size of the largest component that an array on the heap can hold.
    private static final int MOST_BYTES = Integer.MAX_VALUE - Long.BYTES;
    /// The types of the elements of arrays of unsigned integers, by their sizes.
    private static final Map<Long, String> PATTERNS = Map.of(1L, "byte", 2L, "short", 4L, "int", 8L, "long");

    /// The types that other types refer to, by their names in C.
    private final Map<String, MemoryType> groups;
    private final Map<String, String> classes = new HashMap<>();
    private final Set<String> used = new HashSet<>(Set.of("Align", "Anonymous", "Bits", "ByteSize", "Length", "Members",
            "MemorySegment", "Name", "Object", "Packed", "String", "TargetType", "Union", "Unsigned", "Value"));
    /// The classes that are not printed yet.
    private final Deque<Runnable> pending = new ArrayDeque<>();
    private final StringBuilder text = new StringBuilder();

    JavaTypes(CHeaderTypes types) {
        groups = groups(types);
    }

    /// Returns the structs, unions and enums by their names in C, each of them once, whatever typedefs it has.
    static Map<String, MemoryType> groups(CHeaderTypes types) {
        Map<String, MemoryType> groups = new LinkedHashMap<>();
        for (MemoryType type : types.types().values()) {
            if (isGroup(type) && !type.name().isEmpty()) {
                groups.putIfAbsent(key(type), declared(type));
            }
        }
        return groups;
    }

    /// The name in C of a struct, union or enum: `struct stat`.
    static String key(MemoryType type) {
        return (type instanceof StructType ? "struct " : type instanceof UnionType ? "union " : "enum ") + type.name();
    }

    /// Returns the source of a class that contains the classes of the types.
    ///
    /// @param problems gets messages about the types that no class maps
    String print(String name, List<MemoryType> types, List<String> problems) {
        used.add(name);
        for (MemoryType type : types) {
            if (type.byteSize() > 0 && isGroup(type) && isMapped(type)) {
                classOf(type, "");
            } else {
                problems.add((isGroup(type) ? key(type) : type) + ": has a layout or a size that no record has");
            }
            while (!pending.isEmpty()) {
                pending.remove().run();
            }
        }
        return "%spublic final class %s {%n    private %2$s() {}%n%s}%n".formatted(IMPORTS, name, text);
    }

    /// Whether a class maps a type.
    private static boolean isMapped(MemoryType type) {
        MemoryType declared = declared(type);
        for (Member member : declared.members()) {
            MemoryType element = element(member.type());
            if (member.type().byteSize() > MOST_BYTES) {
                return false;
            }
            if (member.type() instanceof ArrayType array && (array.length() == 0 || isView(element))) {
                boolean last = declared instanceof UnionType || member.equals(declared.members().getLast());
                if (array.element() instanceof ArrayType
                        || (array.length() == 0 && (!last || element instanceof StringType))) {
                    return false;
                }
            }
            if (!(element instanceof AddressType || isMapped(element))) {
                return false;
            }
        }
        return !isGroup(declared) || declared instanceof EnumType || (!declared.members().isEmpty()
                && (isDerived(declared, false) || isDerived(declared, true)));
    }

    private static boolean isGroup(MemoryType type) {
        return type instanceof StructType || type instanceof UnionType || type instanceof EnumType;
    }

    private static boolean isDerived(MemoryType type, boolean packed) {
        return derived(type, packed, type.byteAlignment()).equals(type);
    }

    /// Returns the type that a mapper derives from the class of a struct or union.
    private static MemoryType derived(MemoryType type, boolean packed, long byteAlignment) {
        StructType.Builder struct = StructType.builder(type.name()).byteAlignment(byteAlignment);
        struct = packed ? struct.packed() : struct;
        SequencedMap<String, MemoryType> union = new LinkedHashMap<>();
        for (Member member : type.members()) {
            if (member.type() instanceof BitFieldType bits) {
                MemoryType integer = bits.declared().withByteAlignment(bits.declared().byteSize());
                struct.addBits(member.name(), integer, bits.bitSize());
                union.put(member.name(), new BitFieldType(integer, 0, bits.bitSize()));
            } else {
                struct.add(member.name(), member.type());
                union.put(member.name(), member.type());
            }
        }
        return type instanceof UnionType ? UnionType.of(type.name(), union, Optional.empty()) : struct.build();
    }

    private static MemoryType element(MemoryType type) {
        return type instanceof ArrayType array
                ? element(array.element())
                : type instanceof BitFieldType bits ? bits.declared() : type;
    }

    /// The struct or union with its own alignment, which it does not have in a packed struct.
    private static MemoryType declared(MemoryType type) {
        return switch (type) {
            case StructType struct -> struct.declared().orElse(struct);
            case UnionType union -> union.declared().orElse(union);
            default -> type;
        };
    }

    /// Whether the class is the interface of a view: records have neither flexible arrays nor arrays of unions, nor
    /// unions of views.
    private static boolean isView(MemoryType type) {
        return type instanceof UnionType || type.members().size() > MOST_COMPONENTS || type.members()
                .stream()
                .map(Member::type)
                .anyMatch(member -> (member instanceof ArrayType array && array.length() == 0)
                        || (member instanceof UnionType
                                ? member.members().stream().anyMatch(inner -> isView(element(inner.type())))
                                : isView(element(member))));
    }

    /// Returns the name of the class of a type, which is printed later.
    ///
    /// @param suggested the name for a type without a name
    private String classOf(MemoryType type, String suggested) {
        MemoryType declared = declared(type);
        String inC = declared.name().isEmpty() ? suggested : declared.name();
        String key = declared.name().isEmpty() ? suggested : key(declared);
        return classes.computeIfAbsent(key, _ -> {
            StringBuilder name = new StringBuilder();
            for (String word : inC.split("_+", -1)) {
                name.append(word.isEmpty() ? "" : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
            }
            name.insert(0, name.isEmpty() || Character.isDigit(name.charAt(0)) ? "T" : "");
            while (!used.add(name.toString())) {
                name.append('_');
            }
            pending.add(() -> print(groups.getOrDefault(key, declared), name.toString()));
            return name.toString();
        });
    }

    private void print(MemoryType type, String name) {
        boolean view = isView(type);
        boolean packed = type instanceof StructType && !isDerived(type, false);
        List<String> parts = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (Member member : type.members()) {
            names.add('"' + javaName(member.name()) + '"');
            parts.add(member(member, name, packed, view));
        }
        text.append(name.equals(type.name()) ? "\n" : "\n    @Name(\"" + type.name() + "\")\n");
        String kind = "record ";
        switch (type) {
            case EnumType constants -> {
                kind = "enum ";
                text.append(type.byteSize() == Integer.BYTES ? "" : "    @ByteSize(" + type.byteSize() + ")\n");
                constants.constants()
                        .forEach(constant -> parts.add("@Value(%d%s) %s%s".formatted(constant.value(),
                                constant.value() == (int) constant.value() ? "" : "L", renamed(constant.name()),
                                javaName(constant.name()))));
            }
            case UnionType _ -> text.append("    @Union\n");
            default -> text.append(packed ? "    @Packed\n" : "")
                    .append(type.equals(derived(type, packed, 1)) ? "" : "    @Align(" + type.byteAlignment() + ")\n");
        }
        if (view) {
            kind = "interface ";
            text.append("    @Members({" + String.join(", ", names) + "})\n");
        }
        boolean record = kind.equals("record ");
        String indent = record ? "\n            " : "\n        ";
        text.append("    public " + kind + name + (record ? "(" : " {") + indent)
                .append(String.join((view ? ";" : ",") + indent, parts))
                .append(record ? ") {}\n" : view ? ";\n    }\n" : "\n    }\n");
    }

    private static String javaName(String name) {
        String inC = name.startsWith(ANONYMOUS) ? name.substring(ANONYMOUS.length()) : name;
        // C may use the name with underscores, too.
        return RESERVED.contains(inC.replaceFirst("(?<=.)_+$", "")) ? inC + "_" : inC;
    }

    private static String renamed(String name) {
        return name.startsWith(ANONYMOUS)
                ? "@Anonymous "
                : javaName(name).equals(name) ? "" : "@Name(\"" + name + "\") ";
    }

    /// Returns the declaration of a component, or of the method of a view.
    private String member(Member member, String owner, boolean packed, boolean view) {
        String name = javaName(member.name());
        MemoryType type = member.type();
        MemoryType element = element(type);
        List<String> lengths = new ArrayList<>();
        for (MemoryType inner = type; inner instanceof ArrayType array; inner = array.element()) {
            lengths.add(Long.toString(array.length()));
        }
        int dimensions = lengths.size();
        boolean flexible = lengths.contains("0");
        boolean indexed = flexible || (view && dimensions > 0 && isView(element));
        if (element instanceof StringType string) {
            lengths.add(Long.toString(string.length()));
        }
        String length = flexible ? "flexible = true" : String.join(", ", lengths);
        String annotations = renamed(member.name())
                + (lengths.isEmpty() ? "" : "@Length(" + (lengths.size() > 1 ? "{" + length + "}" : length) + ") ")
                + (type instanceof BitFieldType bits
                        ? "@Bits(" + bits.bitSize() + ") "
                        : packed || type.byteAlignment() == type.naturalAlignment()
                                ? ""
                                : "@Align(" + type.byteAlignment() + ") ");
        long bits = type instanceof BitFieldType field ? field.bitSize() : Byte.SIZE * element.byteSize();
        String suggested = owner + "_" + name;
        String java = switch (element) {
            case ValueType value -> value.carrier().getName();
            case UnsignedType unsigned -> "@Unsigned(" + unsigned.byteSize() + ") " + (dimensions > 0
                    ? PATTERNS.get(unsigned.byteSize())
                    : bits < Integer.SIZE && unsigned.byteSize() < Long.BYTES ? "int" : "long");
            case StringType _ -> "String";
            case AddressType address -> address.target()
                    .filter(JavaTypes::isMapped)
                    .map(target -> "@TargetType(" + classOf(target, suggested) + ".class) ")
                    .orElse("") + "MemorySegment";
            case UnionType union when !view -> "@Union(of = " + classOf(union, suggested) + ".class) byte[]";
            default -> classOf(element, suggested);
        };
        return annotations + java + (indexed ? "" : "[]".repeat(dimensions)) + " " + name
                + (indexed ? "(long index)" : view ? "()" : "");
    }
}
