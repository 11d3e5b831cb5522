package dev.arenakit.tool.export;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldRun;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Declares the types of a Kaitai Struct specification.
final class KsyTypes {
    /*
     * Each use of a struct or union states its size, and so gives it a stream of its own, in which `pos` counts from
     * its beginning. The members of a struct are its `seq`, padding included. Unions are instances of the struct, and
     * padding in the `seq`: an instance is parsed when it is used, and so after its discriminator, even if the
     * discriminator follows the union. The discriminator is a parameter of the union, and so is the count of an array
     * in it.
     *
     * Arrays have one dimension: elements that are arrays themselves are types of their own.
     */
    private static final String UNNAMED = "unnamed";

    private final UniqueNames typeNames;
    private final UniqueNames enumNames = KsyIdentifiers.scope();
    private final Map<Variant, String> reserved = new HashMap<>();
    private final Map<Object, String> declared = new HashMap<>();
    private final StringBuilder types = new StringBuilder();
    private final StringBuilder enums = new StringBuilder();
    private final KsyBits bits = new KsyBits(this);

    /// A type, and the paths of its parameters.
    private record Variant(MemoryType type, List<String> paths) {
        Variant(MemoryType type) {
            this(type, List.of());
        }
    }

    /// @param id the id of the specification, which no type may have
    KsyTypes(String id) {
        typeNames = KsyIdentifiers.scope();
        typeNames.take(id);
    }

    /// Reserves the name of a struct, so that no nested type gets this name.
    void reserve(StructType struct) {
        reserved.computeIfAbsent(new Variant(struct),
                _ -> typeNames.take(struct.name().isEmpty() ? UNNAMED : KsyIdentifiers.like(struct.name())));
    }

    /// Returns the lines that give the type of an attribute, and declares the types that it needs.
    List<String> attributes(MemoryType type) {
        return attributes(type, UNNAMED, KsyReferences.none());
    }

    /// The text of all declarations, for the end of the specification.
    String text() {
        return (types.isEmpty() ? "" : "types:\n" + types) + (enums.isEmpty() ? "" : "enums:\n" + enums);
    }

    private List<String> attributes(MemoryType type, String suggested, KsyReferences known) {
        List<String> lines = new ArrayList<>();
        switch (type) {
            case ValueType value -> lines.add("type: " + word(value));
            case UnsignedType unsigned when unsigned.byteSize() > Integer.BYTES && !unsigned.isPowerOfTwo() -> {
                lines.add("type: " + wide(unsigned));
                lines.add("size: " + unsigned.byteSize());
            }
            case UnsignedType unsigned -> lines.add("type: " + word(unsigned));
            case BitFieldType _ -> throw new AssertionError(type);
            case AddressType address -> lines.add("type: u8" + order(address.order(), address.byteSize()));
            case EnumType constants -> {
                lines.add("type: " + (constants.isUnsigned() ? "u" : "s") + constants.byteSize()
                        + order(constants.order(), constants.byteSize()));
                if (!constants.constants().isEmpty()) {
                    lines.add("enum: " + constants(constants, suggested));
                }
            }
            case StringType text when text.prefixByteSize() > 0 -> {
                lines.add("type: " + prefixed(text, suggested));
                lines.add("size: " + text.byteSize());
            }
            case StringType text -> {
                boolean padded = text.padding() == StringType.Padding.SPACE;
                lines.add(padded ? "type: str" : "type: strz");
                lines.add("size: " + text.byteSize());
                // `pad-right` removes bytes, not code units of two bytes.
                if (padded && text.unitByteSize() == 1) {
                    lines.add("pad-right: 0x20");
                }
                lines.add(encoding(text));
            }
            case StructType struct -> {
                lines.add("type: " + struct(struct, suggested));
                lines.add("size: " + struct.byteSize());
            }
            case UnionType union -> {
                KsyReferences references = known.in(union);
                lines.add("type: " + union(union, suggested, references) + references.arguments());
                lines.add("size: " + union.byteSize());
            }
            case ArrayType array -> {
                if (array.element() instanceof ArrayType row) {
                    KsyReferences references = known.in(row);
                    lines.add("type: " + row(row, suggested + "_row", references) + references.arguments());
                    lines.add("size: " + row.byteSize());
                } else {
                    lines.addAll(attributes(array.element(), suggested, known));
                }
                lines.add("repeat: expr");
                lines.add("repeat-expr: " + array.count()
                        .flatMap(known::expression)
                        .map(count -> "'" + TypeProperties.validLength(count, "or", array.length()) + "'")
                        .orElse(Long.toString(array.length())));
            }
        }
        return lines;
    }

    private String struct(StructType struct, String suggested) {
        return declare(new Variant(struct), struct.name(), suggested, name -> {
            Map<String, String> ids = KsyMembers.ids(struct.members());
            StringBuilder sequence = new StringBuilder();
            StringBuilder instances = new StringBuilder();
            long end = 0;
            for (int i = 0; i < struct.members().size(); i++) {
                Member member = struct.members().get(i);
                if (member.type() instanceof BitFieldType) {
                    BitFieldRun run = BitFieldRun.of(struct.members(), i);
                    sequence.append(KsyMembers.hole(run.byteOffset() - end));
                    bits.append(run, struct.members(), ids, name, sequence, instances);
                    end = run.byteOffset() + run.byteSize();
                    i = run.end() - 1;
                    continue;
                }
                String id = ids.getOrDefault(member.name(), "");
                KsyReferences references = KsyReferences.of(struct, member.type());
                List<String> lines = attributes(member.type(), name + "_" + id, references);
                if (TypeProperties.union(member.type()).isPresent() || !references.paths().isEmpty()) {
                    instances.append(KsyMembers.instance(id, member, lines, ""));
                } else {
                    sequence.append(KsyMembers.hole(member.byteOffset() - end))
                            .append("      - id: ")
                            .append(id)
                            .append('\n');
                    KsyMembers.original(sequence, id, member.name());
                    lines.forEach(line -> sequence.append("        ").append(line).append('\n'));
                    end = member.limit();
                }
            }
            sequence.append(KsyMembers.hole(struct.byteSize() - end));
            return (sequence.isEmpty() ? "    seq: []\n" : "    seq:\n" + sequence)
                    + (instances.isEmpty() ? "" : "    instances:\n" + instances);
        });
    }

    /// The lines for a single bit field. It needs a struct of its own, since an instance consists of whole bytes.
    List<String> ofBits(Member member, String suggested) {
        Member only = new Member(member.name(), 0, member.type());
        return attributes(new StructType("", List.of(only), only.limit(), 1), suggested, KsyReferences.none());
    }

    /// The type of a text that follows its length.
    private String prefixed(StringType text, String suggested) {
        return declare(new Variant(text.withByteAlignment(1)), "", suggested + "_text", _ -> {
            String length = "length" + (text.unitByteSize() == 1 ? "" : " * " + text.unitByteSize());
            long largest = text.length() * text.unitByteSize();
            return "    seq:\n      - id: length\n        type: u" + text.prefixByteSize()
                    + order(text.prefixOrder(), text.prefixByteSize()) + "\n      - id: text\n        type: str\n"
                    + "        size: '" + length + " < " + largest + " ? " + length + " : " + largest + "'\n        "
                    + encoding(text) + "\n";
        });
    }

    /// The type of an integer of 5, 6 or 7 bytes. Its value is computed, since not all languages read more than 32
    /// bits.
    private String wide(UnsignedType unsigned) {
        boolean big = unsigned.order() == ByteOrder.BIG_ENDIAN;
        return declare(new Variant(unsigned.withByteAlignment(1)), "",
                "uint" + Byte.SIZE * unsigned.byteSize() + (big ? "be" : ""), _ -> {
                    String high = "      - id: high\n        type: b"
                            + Byte.SIZE * (unsigned.byteSize() - Integer.BYTES)
                            + (big ? "" : "le") + "\n";
                    String low = "      - id: low\n        type: u4" + (big ? "be" : "") + "\n";
                    return "    seq:\n" + (big ? high + low : low + high)
                            + "    instances:\n      value:\n        value: 'high * 4294967296 + low'\n";
                });
    }

    private static String encoding(StringType text) {
        return "encoding: " + (text.charset().name().equals("US-ASCII") ? "ASCII" : text.charset().name());
    }

    private String union(UnionType union, String suggested, KsyReferences references) {
        return declare(new Variant(union, references.paths()), union.name(), suggested, name -> {
            UniqueNames names = KsyIdentifiers.scope();
            KsyReferences parameters = references.parameters(union, names);
            StringBuilder instances = new StringBuilder();
            for (int i = 0; i < union.members().size(); i++) {
                Member member = union.members().get(i);
                String id = names.take(KsyIdentifiers.like(member.name()));
                int index = i;
                String condition = union.discriminator()
                        .flatMap(discriminator -> parameters.expression(discriminator.member())
                                .map(parameter -> KsyMembers.condition(discriminator, index, parameter)))
                        .orElse("");
                List<String> lines = member.type() instanceof BitFieldType
                        ? ofBits(member, name + "_" + id)
                        : attributes(member.type(), name + "_" + id, parameters);
                instances.append(KsyMembers.instance(id, member, lines, condition));
            }
            return parameters.declarations() + "    seq: []\n"
                    + (instances.isEmpty() ? "" : "    instances:\n" + instances);
        });
    }

    private String row(ArrayType row, String suggested, KsyReferences references) {
        return declare(new Variant(row, references.paths()), "", suggested, name -> {
            UniqueNames names = KsyIdentifiers.scope();
            names.take("items");
            KsyReferences parameters = references.parameters(row, names);
            StringBuilder text = new StringBuilder(parameters.declarations() + "    seq:\n      - id: items\n");
            attributes(row, name, parameters)
                    .forEach(line -> text.append("        ").append(line).append('\n'));
            return text.toString();
        });
    }

    String constants(EnumType type, String suggested) {
        MemoryType key = TypeProperties.key(type);
        String known = declared.get(key);
        if (known != null) {
            return known;
        }
        String name = enumNames.take(type.name().isEmpty() ? suggested : KsyIdentifiers.like(type.name()));
        declared.put(key, name);
        enums.append("  ").append(name).append(":\n");
        UniqueNames names = KsyIdentifiers.scope();
        type.constants().forEach(constant -> {
            String id = names.take(KsyIdentifiers.like(constant.name()));
            enums.append("    ").append(constant.value()).append(":\n      id: ").append(id).append('\n');
            if (!id.equals(constant.name())) {
                enums.append("      -orig-id: \"").append(constant.name()).append("\"\n");
            }
        });
        return name;
    }

    /// Declares a type if it is not declared yet. Making the body may declare other types.
    private String declare(Variant key, String own, String suggested, Body body) {
        String known = declared.get(key);
        if (known != null) {
            return known;
        }
        String taken = reserved.get(key);
        String name = taken != null ? taken : typeNames.take(own.isEmpty() ? suggested : KsyIdentifiers.like(own));
        declared.put(key, name);
        String text = body.of(name);
        types.append("  ").append(name).append(":\n").append(text);
        return name;
    }

    @FunctionalInterface
    private interface Body {
        String of(String name);
    }

    private static String word(UnsignedType unsigned) {
        if (unsigned.isPowerOfTwo()) {
            return "u" + unsigned.byteSize() + order(unsigned.order(), unsigned.byteSize());
        }
        return "b" + Byte.SIZE * unsigned.byteSize() + (unsigned.order() == ByteOrder.BIG_ENDIAN ? "" : "le");
    }

    private static String word(ValueType value) {
        String kind = switch (value.carrier().getName()) {
            case "boolean", "char" -> "u";
            case "float", "double" -> "f";
            default -> "s";
        };
        return kind + value.byteSize() + order(value.order(), value.byteSize());
    }

    /// The suffix of a type whose byte order differs from the default of the specification.
    private static String order(ByteOrder order, long byteSize) {
        return TypeProperties.isBig(order, byteSize) ? "be" : "";
    }
}
