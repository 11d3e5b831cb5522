package dev.arenakit.tool.export;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldRun;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.tool.export.HexpatTypes.Declarator;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Declares the structs of an ImHex pattern. A union with a discriminator becomes a condition, an array with a count
/// gets the count as its length, and bit fields that share bytes become a variable with a type of its own.
final class HexpatStructs {
    private final HexpatTypes types;
    /// The names of the types of bit fields, by their bodies.
    private final Map<String, String> bitTypes = new HashMap<>();

    HexpatStructs(HexpatTypes types) {
        this.types = types;
    }

    /// Returns the declaration of a struct without the attributes after it.
    String of(StructType struct, String name) {
        StringBuilder body = new StringBuilder("struct " + name + " {\n");
        List<Member> members = struct.members();
        HexpatMembers names = new HexpatMembers(members);
        long end = 0;
        for (int i = 0; i < members.size();) {
            Member member = members.get(i);
            body.append(HexpatTypes.padding(member.byteOffset() - end));
            if (member.type() instanceof BitFieldType) {
                BitFieldRun run = BitFieldRun.of(members, i);
                body.append(run.order().isPresent()
                        ? "    " + bits(members, run, names, name) + "\n"
                        : ofBothOrders(members, run, names, name));
                end = run.byteOffset() + run.byteSize();
                i = run.end();
                continue;
            }
            Optional<String> discriminator = TypeProperties.discriminator(struct, member);
            Map<String, String> counts = new HashMap<>();
            for (String path : TypeProperties.counts(member.type())) {
                if (TypeProperties.hasInteger(struct, path)) {
                    counts.put(path, read(struct, member, path, body, names, name));
                }
            }
            if (discriminator.isPresent()) {
                String read = read(struct, member, discriminator.get(), body, names, name);
                MemoryType type = struct.nested(discriminator.get()).orElseThrow().type();
                body.append(branches(member, names, type, read, counts, name));
            } else {
                body.append(member(member, names, counts, name));
            }
            end = member.limit();
            i++;
        }
        return body.append(HexpatTypes.padding(struct.byteSize() - end)).append('}').toString();
    }

    /// Returns the expression of the member at a path. If the member follows the member that needs it, it is read
    /// ahead.
    private String read(StructType struct, Member needed, String path, StringBuilder body, HexpatMembers names,
            String owner) {
        int index = HexpatMembers.index(struct, path);
        String variable = HexpatMembers.variable(struct, path);
        if (index > struct.members().indexOf(needed)) {
            Member member = struct.members().get(index);
            String ahead = names.take(variable + "_ahead");
            boolean isBits = member.type() instanceof BitFieldType;
            String type = isBits
                    ? bitsType(struct.members(), HexpatMembers.run(struct.members(), index), names, owner)
                    : types.declarator(member.type(), owner + "_" + member.name(), Map.of()).type();
            long byteOffset = isBits
                    ? HexpatMembers.run(struct.members(), index).byteOffset()
                    : member.byteOffset();
            body.append("    %s %s @ addressof(this) + %d [[hidden]];\n".formatted(type, ahead, byteOffset));
            variable = ahead;
        }
        return variable + HexpatMembers.rest(struct, path);
    }

    /// The declaration of a variable that consists of bit fields of one byte order. ImHex shows each bit field.
    String bits(List<Member> members, BitFieldRun run, HexpatMembers names, String owner) {
        return bitsType(members, run, names, owner) + " " + names.of(run) + ";";
    }

    /// The declarations of bit fields with different byte orders that share bytes. Each bit field is a variable that is
    /// placed at these bytes.
    private String ofBothOrders(List<Member> members, BitFieldRun run, HexpatMembers names, String owner) {
        StringBuilder text = new StringBuilder();
        for (int i = run.first(); i < run.end(); i++) {
            BitFieldRun one = HexpatMembers.run(members, i);
            text.append("    %s %s @ addressof(this) + %d;\n".formatted(bitsType(members, one, names, owner),
                    names.of(one), one.byteOffset()));
        }
        return text + HexpatTypes.padding(run.byteSize());
    }

    private String bitsType(List<Member> members, BitFieldRun run, HexpatMembers names, String owner) {
        ByteOrder order = run.order().orElse(ByteOrder.LITTLE_ENDIAN);
        StringBuilder body = new StringBuilder();
        for (BitFieldRun.Part part : run.parts(order)) {
            body.append("    ");
            if (part.index() < 0) {
                body.append("padding");
            } else {
                BitFieldType type = (BitFieldType) members.get(part.index()).type();
                String name = names.of(members.get(part.index()));
                boolean isBoolean = type.declared() instanceof ValueType value && value.carrier() == boolean.class;
                body.append(TypeProperties.isNamed(type)
                        ? types.named(type.declared(), owner + "_" + name, Map.of()) + " "
                        : isBoolean ? "bool " : type.isSigned() ? "signed " : "").append(name);
            }
            body.append(" : ").append(part.bitSize()).append(";\n");
        }
        String type = bitTypes.computeIfAbsent(body.toString(), text -> {
            String name = names.of(run).isEmpty() ? owner : owner + "_" + names.of(run);
            String unique = types.take(HexpatText.identifier(name));
            types.append("bitfield " + unique + " {\n" + text + "};\n\n");
            return unique;
        });
        return HexpatTypes.order(order, Short.BYTES) + type;
    }

    /// The declaration of a member. ImHex shows the valid elements of an array only.
    ///
    /// @param counts expressions for the counts of arrays, by their paths
    String member(Member member, HexpatMembers names, Map<String, String> counts, String owner) {
        return member(member, names, counts, member.type(), owner + "_" + member.name());
    }

    private String member(Member member, HexpatMembers names, Map<String, String> counts, MemoryType type,
            String suggested) {
        Declarator declarator = types.declarator(type, suggested, counts);
        String count = TypeProperties.count(member.type()).map(path -> counts.getOrDefault(path, "")).orElse("");
        if (count.isEmpty()) {
            return "    " + declarator.of(names.of(member)) + "\n";
        }
        ArrayType array = (ArrayType) member.type();
        String length = TypeProperties.validLength(count, array.length());
        long each = array.element().byteSize();
        return "    " + declarator.type() + " " + names.of(member) + "[" + length + "];\n"
                + (each == 0 ? "" : "    padding[(" + array.length() + " - " + length + ") * " + each + "];\n");
    }

    private String branches(Member member, HexpatMembers names, MemoryType discriminator, String read,
            Map<String, String> counts, String owner) {
        UnionType union = TypeProperties.union(member.type()).orElseThrow();
        UnionType.Discriminator cases = union.discriminator().orElseThrow();
        List<List<Long>> values = cases.values();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < union.members().size(); i++) {
            Member valid = union.members().get(i);
            MemoryType only = HexpatTypes.alone(valid.name(), valid.type(), union.byteSize(), union.byteAlignment(),
                    counts);
            String branch = member(member, names, counts, HexpatTypes.with(member.type(), only),
                    owner + "_" + member.name() + "_" + valid.name());
            String condition = i == values.size()
                    ? ""
                    : values.get(i)
                            .stream()
                            .map(value -> read + " == " + HexpatText.number(discriminator, value))
                            .collect(Collectors.joining(" || ", "if (", ")"));
            String head = (i == 0 ? "" : condition.isEmpty() ? "else" : "else ") + condition;
            boolean isBlock = branch.indexOf('\n') < branch.length() - 1;
            text.append(head.isEmpty() ? "" : "    " + head + (isBlock ? " {\n" : "\n"))
                    .append(head.isEmpty() ? branch : branch.indent(4))
                    .append(isBlock && !head.isEmpty() ? "    }\n" : "");
        }
        String nothing = HexpatTypes.padding(member.type().byteSize()).stripTrailing();
        return nothing.isEmpty() || cases.otherwise().isPresent()
                ? text.toString()
                : values.isEmpty()
                        ? text + HexpatTypes.padding(member.type().byteSize())
                        : text + "    else\n    " + nothing + "\n";
    }
}
