package dev.arenakit.layout.text;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RandomTypes;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Structs as a C programmer writes them: without offsets, padding and assertions. It shares no code with the C headers
/// that are compared with it.
final class PlainC {
    private final Map<String, String> attributes;
    private final Set<String> declared = new HashSet<>();
    private final StringBuilder text = new StringBuilder();

    private PlainC(Map<String, String> attributes) {
        this.attributes = attributes;
    }

    public static String of(RandomTypes.OfC generated) {
        PlainC plain = new PlainC(generated.attributes());
        plain.declare("struct", generated.struct().name(), generated.struct().members());
        return plain.text.toString();
    }

    private void declare(String kind, String name, List<Member> members) {
        if (!declared.add(name)) {
            return;
        }
        StringBuilder body = new StringBuilder();
        members.forEach(member -> body.append("    ").append(member(member.type(), member.name())).append(";\n"));
        String attribute = attributes.containsKey(name) ? "__attribute__((" + attributes.get(name) + ")) " : "";
        text.append(kind).append(' ').append(attribute).append(name).append(" {\n").append(body).append("};\n");
    }

    private String member(MemoryType type, String name) {
        return switch (type) {
            case ValueType value -> switch (value.carrier().getName()) {
                case "boolean" -> "_Bool ";
                case "byte" -> "signed char ";
                case "char" -> "unsigned short ";
                case "long" -> "long long ";
                default -> value.carrier().getName() + " ";
            } + name;
            case UnsignedType unsigned -> switch ((int) unsigned.byteSize()) {
                case 1 -> "unsigned char " + name;
                case 2 -> "unsigned short " + name;
                case 4 -> "unsigned " + name;
                case 8 -> "unsigned long long " + name;
                default -> "unsigned char " + name + "[" + unsigned.byteSize() + "]";
            };
            case BitFieldType bits -> member(bits.declared(), name) + " : " + bits.bitSize();
            case StringType string -> (string.unitByteSize() == 1 ? "char " : "unsigned short ") + name + "["
                    + string.length() + "]";
            case AddressType _ -> "void *" + name;
            case ArrayType array -> member(array.element(), name + "[" + array.length() + "]");
            case EnumType constants -> {
                if (declared.add(constants.name())) {
                    text.append("enum ")
                            .append(constants.name())
                            .append(" { ")
                            .append(constants.name())
                            .append("_C };\n");
                }
                yield "enum " + constants.name() + " " + name;
            }
            case StructType struct -> {
                declare("struct", struct.name(), struct.members());
                yield "struct " + struct.name() + " " + name;
            }
            case UnionType union -> {
                declare("union", union.name(), union.members());
                yield "union " + union.name() + " " + name;
            }
        };
    }
}
