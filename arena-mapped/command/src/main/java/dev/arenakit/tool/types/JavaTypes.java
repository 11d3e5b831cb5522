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
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
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
import java.util.stream.Collectors;
import javax.lang.model.SourceVersion;

/// Prints Java classes that map the structs of a header: a record for a struct, the interface of a view for a union and
/// for a struct that no record maps, and an enum for an enum.
final class JavaTypes {
    private static final String ANONYMOUS = "anon_";
    private static final String ANNOTATIONS = "dev.arenakit.layout.annotation.";
    private static final Set<String> OF_OBJECT = Set.of("clone", "finalize", "getClass", "hashCode", "notify",
            "notifyAll", "toString", "wait");
    /// The slots of the parameters of a method, of which a `long` takes two. A record has fewer components.
    private static final int MOST_COMPONENTS = 120;

    /// The types of the elements of arrays, by their sizes.
    private static final Map<Integer, String> HEAP = Map.of(1, "byte", 2, "short", 4, "int", 8, "long");

    /// The types that other types refer to, by their names in C.
    private final Map<String, MemoryType> named = new HashMap<>();
    private final Map<String, String> classes = new HashMap<>();
    private final Set<String> used = new HashSet<>(Set.of("Align", "Anonymous", "Bits", "ByteSize", "Length", "Members",
            "MemorySegment", "Name", "Object", "Packed", "String", "TargetType", "Union", "Unsigned", "Value"));
    /// The bodies that are not printed yet.
    private final Deque<Runnable> pending = new ArrayDeque<>();
    private final List<String> refused = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();

    JavaTypes(CHeaderTypes types) {
        types.types().values().forEach(type -> named.putIfAbsent(key(type), declared(type)));
    }

    /// The name in C of a struct, union or enum: `struct stat`.
    static String key(MemoryType type) {
        return (type instanceof StructType
                ? "struct "
                : type instanceof UnionType ? "union " : type instanceof EnumType ? "enum " : "") + type.name();
    }

    /// The structs that neither a record nor a view maps.
    List<String> refused() {
        return refused;
    }

    /// Returns the source of a class that contains the classes of the types.
    String print(Path header, List<MemoryType> types) {
        types.forEach(type -> {
            String problem = type.byteSize() == 0 ? "it has no size" : problem(type);
            if (problem.isEmpty()) {
                classOf(type, "");
            } else {
                refused.add(key(type) + ": no record maps it: " + problem);
            }
            while (!pending.isEmpty()) {
                pending.poll().run();
            }
        });
        String name = header.getFileName().toString().replaceAll("\\W+", "_").replaceFirst("^_?$", "types");
        return "import " + ANNOTATIONS + "*;\nimport java.lang.foreign.MemorySegment;\n\npublic final class " + name
                + " {\n    private " + name + "() {}\n" + text + "}\n";
    }

    /// Returns why no class maps a type, or "".
    private String problem(MemoryType type) {
        MemoryType declared = declared(type);
        for (Member member : declared.members()) {
            MemoryType element = element(member.type());
            String inner = element instanceof AddressType ? "" : problem(element);
            boolean last = declared instanceof UnionType || member.equals(declared.members().getLast());
            boolean indexed = isFlexible(member.type()) || (isArray(member.type()) && isView(element));
            if (!inner.isEmpty()) {
                return inner;
            }
            if (indexed && (!last && isFlexible(member.type()) || ((ArrayType) member.type())
                    .element() instanceof ArrayType)) {
                return member.name() + " is an array of arrays, or a flexible array before other members";
            }
        }
        if (declared instanceof StructType struct) {
            return struct.members().isEmpty()
                    ? "it has no members"
                    : packing(struct).isPresent()
                            ? ""
                            : "unnamed bits or alignments";
        }
        return declared instanceof UnionType union && !rebuilt(union).equals(union) ? "size or alignment" : "";
    }

    private static boolean isArray(MemoryType type) {
        return type instanceof ArrayType;
    }

    private static boolean isFlexible(MemoryType type) {
        return type instanceof ArrayType array && array.length() == 0;
    }

    private static MemoryType element(MemoryType type) {
        return type instanceof ArrayType array
                ? element(array.element())
                : type instanceof BitFieldType bits ? bits.declared() : type;
    }

    /// The struct or union without the alignment that it has in a packed struct.
    private static MemoryType declared(MemoryType type) {
        return switch (type) {
            case StructType struct -> struct.declared().orElse(struct);
            case UnionType union -> union.declared().orElse(union);
            default -> type;
        };
    }

    private static long naturalAlignment(MemoryType type) {
        return switch (type) {
            case ArrayType array -> naturalAlignment(array.element());
            case StructType _,UnionType _ -> declared(type).byteAlignment();
            case StringType _ -> 1;
            default -> type.byteSize();
        };
    }

    /// Returns whether a record of this struct is packed, or empty if no record has its layout.
    private static Optional<Boolean> packing(StructType struct) {
        for (boolean packed : new boolean[]{false, true}) {
            StructType.Builder builder = StructType.builder(struct.name()).byteAlignment(struct.byteAlignment());
            if (packed) {
                builder.packed();
            }
            for (Member member : struct.members()) {
                if (member.type() instanceof BitFieldType bits) {
                    builder.addBits(member.name(), natural(bits.declared()), bits.bitSize());
                } else {
                    builder.add(member.name(), member.type());
                }
            }
            if (builder.build().equals(struct)) {
                return Optional.of(packed);
            }
        }
        return Optional.empty();
    }

    private static MemoryType natural(MemoryType type) {
        return type.withByteAlignment(naturalAlignment(type));
    }

    private static UnionType rebuilt(UnionType union) {
        SequencedMap<String, MemoryType> members = new LinkedHashMap<>();
        union.members()
                .forEach(member -> members.put(member.name(), member.type() instanceof BitFieldType bits
                        ? new BitFieldType(natural(bits.declared()), 0, bits.bitSize())
                        : member.type()));
        return UnionType.of(union.name(), members, Optional.empty());
    }

    /// Whether the class is the interface of a view: records have neither flexible arrays nor arrays of unions, nor
    /// unions of views.
    private static boolean isView(MemoryType type) {
        return type instanceof UnionType || type.members().size() > MOST_COMPONENTS || type.members()
                .stream()
                .map(Member::type)
                .anyMatch(member -> isFlexible(member) || (member instanceof UnionType
                        ? member.members().stream().anyMatch(inner -> isView(element(inner.type())))
                        : isView(element(member))));
    }

    /// Returns the name of the class of a type, which is printed later.
    ///
    /// @param suggested the name for a type without a name
    private String classOf(MemoryType type, String suggested) {
        MemoryType declared = declared(type);
        String key = declared.name().isEmpty() ? suggested : key(declared);
        return classes.computeIfAbsent(key, _ -> {
            String name = Arrays.stream((declared.name().isEmpty() ? suggested : declared.name()).split("_+"))
                    .filter(word -> !word.isEmpty())
                    .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
                    .collect(Collectors.joining());
            String free = name.isEmpty() || Character.isDigit(name.charAt(0)) ? "T" + name : name;
            while (!used.add(free)) {
                free += "_";
            }
            String unique = free;
            pending.add(() -> body(named.getOrDefault(key, declared), unique));
            return unique;
        });
    }

    private void body(MemoryType type, String name) {
        boolean view = isView(type);
        boolean packed = type instanceof StructType struct && packing(struct).orElseThrow();
        long natural = type.members()
                .stream()
                .mapToLong(member -> packed
                        ? 1
                        : member.type() instanceof BitFieldType bits
                                ? naturalAlignment(bits.declared())
                                : member.type().byteAlignment())
                .max()
                .orElse(type.byteAlignment());
        List<String> members = new ArrayList<>();
        List<String> names = new ArrayList<>();
        type.members().forEach(member -> {
            names.add('"' + javaName(member.name()) + '"');
            members.add(member(member, name, packed, view));
        });
        text.append('\n')
                .append(name.equals(type.name()) ? "" : "    @Name(\"" + type.name() + "\")\n")
                .append(packed ? "    @Packed\n" : "")
                .append(type.byteAlignment() > natural ? "    @Align(" + type.byteAlignment() + ")\n" : "")
                .append(type instanceof UnionType ? "    @Union\n" : "")
                .append(view ? "    @Members({" + String.join(", ", names) + "})\n" : "");
        if (type instanceof EnumType constants) {
            text.append(type.byteSize() == Integer.BYTES ? "" : "    @ByteSize(" + type.byteSize() + ")\n")
                    .append("    public enum " + name + " {\n        ")
                    .append(constants.constants()
                            .stream()
                            .map(constant -> renamed(constant.name()) + "@Value(" + constant.value() + "L) "
                                    + javaName(constant.name()))
                            .collect(Collectors.joining(",\n        ")))
                    .append("\n    }\n");
        } else if (view) {
            text.append("    public interface " + name + " {\n        ")
                    .append(String.join(";\n        ", members))
                    .append(";\n    }\n");
        } else {
            text.append("    public record " + name + "(\n            ")
                    .append(String.join(",\n            ", members))
                    .append(") {}\n");
        }
    }

    private static long widest(MemoryType type) {
        return type instanceof BitFieldType bits ? bits.bitSize() : Byte.SIZE * type.byteSize();
    }

    private static String javaName(String name) {
        String inC = name.startsWith(ANONYMOUS) ? name.substring(ANONYMOUS.length()) : name;
        return SourceVersion.isKeyword(inC) || OF_OBJECT.contains(inC) ? inC + "_" : inC;
    }

    private static String renamed(String name) {
        return javaName(name).equals(name) || name.startsWith(ANONYMOUS) ? "" : "@Name(\"" + name + "\") ";
    }

    /// Returns the declaration of a component, or of the method of a view.
    private String member(Member member, String owner, boolean packed, boolean view) {
        String name = javaName(member.name());
        MemoryType type = member.type();
        MemoryType element = element(type);
        StringBuilder java = new StringBuilder(renamed(member.name()));
        java.append(member.name().startsWith(ANONYMOUS) ? "@Anonymous " : "");
        List<String> lengths = new ArrayList<>();
        String brackets = "";
        for (MemoryType inner = type; inner instanceof ArrayType array; inner = array.element()) {
            lengths.add(Long.toString(array.length()));
            brackets += "[]";
        }
        boolean indexed = view && !lengths.isEmpty() && (isFlexible(type) || isView(element));
        if (element instanceof StringType string) {
            lengths.add(Long.toString(string.length()));
        }
        if (!lengths.isEmpty()) {
            java.append(isFlexible(type)
                    ? "@Length(flexible = true) "
                    : "@Length(" + (lengths.size() > 1 ? "{" + String.join(", ", lengths) + "}" : lengths.getFirst())
                            + ") ");
        }
        if (type instanceof BitFieldType bits) {
            java.append("@Bits(").append(bits.bitSize()).append(") ");
        } else if (!packed && type.byteAlignment() != naturalAlignment(type)) {
            java.append("@Align(").append(type.byteAlignment()).append(") ");
        }
        String suggested = owner + "_" + name;
        java.append(switch (element) {
            case ValueType value -> value.carrier().getName();
            case UnsignedType unsigned -> "@Unsigned(" + unsigned.byteSize() + ") " + (isArray(type)
                    ? HEAP.get((int) unsigned.byteSize())
                    : widest(type) < Integer.SIZE ? "int" : "long");
            case StringType _ -> "String";
            case AddressType address -> address.target()
                    .filter(target -> problem(target).isEmpty())
                    .map(target -> "@TargetType(" + classOf(target, suggested) + ".class) ")
                    .orElse("") + "MemorySegment";
            case UnionType union when !view -> "@Union(of = " + classOf(union, suggested) + ".class) byte[]";
            default -> classOf(element, suggested);
        });
        return java + (indexed ? " " : brackets + " ") + name + (view ? indexed ? "(long index)" : "()" : "");
    }
}
