package dev.arenakit.tool;

import dev.arenakit.layout.AddressType;
import dev.arenakit.layout.ArrayType;
import dev.arenakit.layout.EnumType;
import dev.arenakit.layout.Member;
import dev.arenakit.layout.MemoryType;
import dev.arenakit.layout.StringType;
import dev.arenakit.layout.StructType;
import dev.arenakit.layout.UnionType;
import dev.arenakit.layout.ValueType;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The types of a specification of Kaitai Struct.
final class KsyTypes {
    /*
     * Each struct or union is told its size where it is used, and so has a stream of its own, in which `pos` counts from its
     * beginning. The members of a struct are its `seq`, holes included. Unions are its instances, and leave a hole in the `seq`:
     * an instance is parsed when it is asked for, and so after the member that tells which of the union's is valid, wherever that
     * stands. The union takes it as a parameter.
     *
     * An array has one dimension: elements that are arrays themselves are types of their own.
     */
    private static final String TELLS = "tells";
    private static final String UNNAMED = "unnamed";
    private static final String PARAMETER = "    params:\n      - id: " + TELLS + "\n        type: s8\n";

    private final UniqueNames typeNames;
    private final UniqueNames enumNames = KsyNames.scope();
    private final Map<Variant, String> reserved = new HashMap<>();
    private final Map<Object, String> declared = new HashMap<>();
    private final StringBuilder types = new StringBuilder();
    private final StringBuilder enums = new StringBuilder();

    /// An array in an array, or a union whose member is told by a parameter.
    private record Variant(MemoryType type, boolean isTold) {}

    /// @param id of the specification, which no type may have
    KsyTypes(String id) {
        typeNames = KsyNames.scope();
        typeNames.take(id);
    }

    /// Gives a struct its name before those that others consist of have theirs.
    void reserve(StructType struct) {
        reserved.computeIfAbsent(new Variant(struct, false),
                _ -> typeNames.take(struct.name().isEmpty() ? UNNAMED : KsyNames.like(struct.name())));
    }

    /// What a key of an attribute says about a type, line by line; declares what it needs.
    List<String> attributes(MemoryType type) {
        return attributes(type, UNNAMED, "");
    }

    /// The declarations, to stand at the end of the specification.
    String text() {
        return (types.isEmpty() ? "" : "types:\n" + types) + (enums.isEmpty() ? "" : "enums:\n" + enums);
    }

    /// @param tells an expression for what tells which member of the unions is valid, or ""
    private List<String> attributes(MemoryType type, String suggested, String tells) {
        List<String> lines = new ArrayList<>();
        switch (type) {
            case ValueType value -> lines.add("type: " + word(value));
            case AddressType address -> lines.add("type: u8" + order(address.order(), address.byteSize()));
            case EnumType constants -> {
                lines.add("type: " + word(constants.value()));
                if (!constants.constants().isEmpty()) {
                    lines.add("enum: " + constants(constants, suggested));
                }
            }
            case StringType text -> {
                lines.add("type: strz");
                lines.add("size: " + text.byteSize());
                lines.add("encoding: " + (text.charset().name().equals("US-ASCII") ? "ASCII" : text.charset().name()));
            }
            case StructType struct -> {
                lines.add("type: " + struct(struct, suggested));
                lines.add("size: " + struct.byteSize());
            }
            case UnionType union -> {
                lines.add("type: " + union(union, suggested, !tells.isEmpty()) + argument(tells));
                lines.add("size: " + union.byteSize());
            }
            case ArrayType array -> {
                if (array.element() instanceof ArrayType row) {
                    lines.add("type: " + row(row, suggested + "_row", !tells.isEmpty()) + argument(tells));
                    lines.add("size: " + row.byteSize());
                } else {
                    lines.addAll(attributes(array.element(), suggested, tells));
                }
                lines.add("repeat: expr");
                lines.add("repeat-expr: " + array.length());
            }
        }
        return lines;
    }

    private String struct(StructType struct, String suggested) {
        return declare(new Variant(struct, false), struct.name(), suggested, name -> {
            UniqueNames names = KsyNames.scope();
            Map<String, String> ids = new HashMap<>();
            struct.members().forEach(member -> ids.put(member.name(), names.take(KsyNames.like(member.name()))));
            StringBuilder sequence = new StringBuilder();
            StringBuilder instances = new StringBuilder();
            long end = 0;
            for (Member member : struct.members()) {
                String id = ids.getOrDefault(member.name(), "");
                String tells = TypeParts.discriminator(struct, member).map(found -> number(found, ids)).orElse("");
                List<String> lines = attributes(member.type(), name + "_" + id, tells);
                if (TypeParts.union(member.type()).isPresent()) {
                    instances.append(instance(id, member, lines, ""));
                } else {
                    sequence.append(hole(member.byteOffset() - end)).append("      - id: ").append(id).append('\n');
                    original(sequence, id, member.name());
                    lines.forEach(line -> sequence.append("        ").append(line).append('\n'));
                    end = member.byteOffset() + member.type().byteSize();
                }
            }
            sequence.append(hole(struct.byteSize() - end));
            return (sequence.isEmpty() ? "    seq: []\n" : "    seq:\n" + sequence)
                    + (instances.isEmpty() ? "" : "    instances:\n" + instances);
        });
    }

    private String union(UnionType union, String suggested, boolean isTold) {
        return declare(new Variant(union, isTold), union.name(), suggested, name -> {
            UniqueNames names = KsyNames.scope();
            names.take(TELLS);
            StringBuilder instances = new StringBuilder();
            for (int i = 0; i < union.members().size(); i++) {
                Member member = union.members().get(i);
                String id = names.take(KsyNames.like(member.name()));
                String condition = isTold
                        ? TELLS + " == " + union.discriminator().orElseThrow().values().get(i)
                        : "";
                instances.append(instance(id, member, attributes(member.type(), name + "_" + id, ""), condition));
            }
            return (isTold ? PARAMETER : "") + "    seq: []\n"
                    + (instances.isEmpty() ? "" : "    instances:\n" + instances);
        });
    }

    private String row(ArrayType row, String suggested, boolean isTold) {
        return declare(new Variant(row, isTold), "", suggested, name -> {
            StringBuilder text = new StringBuilder((isTold ? PARAMETER : "") + "    seq:\n      - id: items\n");
            attributes(row, name, isTold ? TELLS : "")
                    .forEach(line -> text.append("        ").append(line).append('\n'));
            return text.toString();
        });
    }

    private String constants(EnumType type, String suggested) {
        MemoryType key = TypeParts.key(type);
        String known = declared.get(key);
        if (known != null) {
            return known;
        }
        String name = enumNames.take(type.name().isEmpty() ? suggested : KsyNames.like(type.name()));
        declared.put(key, name);
        enums.append("  ").append(name).append(":\n");
        UniqueNames names = KsyNames.scope();
        type.constants().forEach(constant -> {
            String id = names.take(KsyNames.like(constant.name()));
            enums.append("    ").append(constant.value()).append(":\n      id: ").append(id).append('\n');
            if (!id.equals(constant.name())) {
                enums.append("      -orig-id: \"").append(constant.name()).append("\"\n");
            }
        });
        return name;
    }

    /// Makes the body of a type, which may declare others, where it is not known.
    private String declare(Variant key, String own, String suggested, Body body) {
        String known = declared.get(key);
        if (known != null) {
            return known;
        }
        String taken = reserved.get(key);
        String name = taken != null ? taken : typeNames.take(own.isEmpty() ? suggested : KsyNames.like(own));
        declared.put(key, name);
        String text = body.of(name);
        types.append("  ").append(name).append(":\n").append(text);
        return name;
    }

    @FunctionalInterface
    private interface Body {
        String of(String name);
    }

    private static String instance(String id, Member member, List<String> lines, String condition) {
        StringBuilder text = new StringBuilder("      " + id + ":\n");
        if (!id.equals(member.name())) {
            text.append("        -orig-id: \"").append(member.name()).append("\"\n");
        }
        text.append("        pos: ").append(member.byteOffset()).append('\n');
        lines.forEach(line -> text.append("        ").append(line).append('\n'));
        if (!condition.isEmpty()) {
            text.append("        if: ").append(condition).append('\n');
        }
        return text.toString();
    }

    private static void original(StringBuilder text, String id, String name) {
        if (!id.equals(name)) {
            text.append("        -orig-id: \"").append(name).append("\"\n");
        }
    }

    private static String hole(long byteSize) {
        return byteSize == 0 ? "" : "      - size: " + byteSize + "\n";
    }

    /// The number in the member that tells.
    private static String number(Member tells, Map<String, String> ids) {
        boolean hasNames = tells.type() instanceof EnumType constants && !constants.constants().isEmpty();
        return ids.getOrDefault(tells.name(), "") + (hasNames ? ".to_i" : "");
    }

    private static String argument(String tells) {
        return tells.isEmpty() ? "" : "(" + tells + ")";
    }

    private static String word(ValueType value) {
        String kind = switch (value.carrier().getName()) {
            case "boolean", "char" -> "u";
            case "float", "double" -> "f";
            default -> "s";
        };
        return kind + value.byteSize() + order(value.order(), value.byteSize());
    }

    /// Behind a type whose bytes are in another order than the specification says.
    private static String order(ByteOrder order, long byteSize) {
        return TypeParts.isBig(order, byteSize) ? "be" : "";
    }
}
