package dev.arenakit.tool.export;

import dev.arenakit.layout.type.BitFieldRun;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType.Discriminator;
import dev.arenakit.layout.type.UnsignedType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// The names of members in a Kaitai Struct specification, expressions that read members, and lines that declare
/// members.
final class KsyMembers {
    private KsyMembers() {}

    /// The names of the members of a struct.
    static Map<String, String> ids(List<Member> members) {
        UniqueNames names = KsyIdentifiers.scope();
        Map<String, String> ids = new HashMap<>();
        members.forEach(member -> ids.put(member.name(), names.take(KsyIdentifiers.like(member.name()))));
        return ids;
    }

    static String condition(Discriminator discriminator, int index, String parameter) {
        List<List<Long>> values = discriminator.values();
        return index < values.size()
                ? values.get(index)
                        .stream()
                        .map(value -> parameter + " == " + value)
                        .collect(Collectors.joining(" or "))
                : values.stream()
                        .flatMap(List::stream)
                        .map(value -> parameter + " != " + value)
                        .collect(Collectors.joining(" and "));
    }

    static String instance(String id, Member member, List<String> lines, String condition) {
        StringBuilder text = new StringBuilder("      " + id + ":\n");
        original(text, id, member.name());
        text.append("        pos: ").append(member.byteOffset()).append('\n');
        lines.forEach(line -> text.append("        ").append(line).append('\n'));
        if (!condition.isEmpty()) {
            text.append("        if: ").append(condition).append('\n');
        }
        return text.toString();
    }

    static void original(StringBuilder text, String id, String name) {
        if (!id.equals(name)) {
            text.append("        -orig-id: \"").append(name).append("\"\n");
        }
    }

    static String hole(long byteSize) {
        return byteSize == 0 ? "" : "      - size: " + byteSize + "\n";
    }

    /// The expression for the number in a member at a path.
    static String number(StructType struct, String path) {
        int dot = path.indexOf('.');
        Member member = struct.member(dot < 0 ? path : path.substring(0, dot)).orElseThrow();
        String id = ids(struct.members()).getOrDefault(member.name(), "");
        if (dot >= 0) {
            return id + "." + number((StructType) member.type(), path.substring(dot + 1));
        }
        boolean hasNames = member.type() instanceof EnumType constants
                ? !constants.constants().isEmpty()
                : member.type() instanceof BitFieldType bits && TypeProperties.isNamed(bits);
        boolean isWide = member.type() instanceof UnsignedType unsigned && unsigned.byteSize() > Integer.BYTES
                && !unsigned.isPowerOfTwo();
        if (member.type() instanceof BitFieldType) {
            BitFieldRun run = BitFieldRun.of(struct.members(), struct.members().indexOf(member));
            String one = ids(List.of(member)).getOrDefault(member.name(), "");
            return (run.order().isPresent() ? id : id + "." + one) + (hasNames ? ".to_i" : "");
        }
        return id + (hasNames ? ".to_i" : isWide ? ".value" : "");
    }
}
