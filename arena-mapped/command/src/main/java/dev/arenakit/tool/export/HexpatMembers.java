package dev.arenakit.tool.export;

import dev.arenakit.layout.type.BitFieldRun;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The names of the members of one struct or union in an ImHex pattern. Bit fields that share bytes are the fields of
/// one variable.
final class HexpatMembers {
    private final Map<String, String> names = new HashMap<>();
    /// The names of the variables that consist of bit fields, by the index of the first bit field.
    private final Map<Integer, String> runs = new HashMap<>();
    private final UniqueNames taken = new UniqueNames();

    HexpatMembers(List<Member> members) {
        members.forEach(member -> names.put(member.name(), taken.take(HexpatText.identifier(member.name()))));
        for (int i = 0; i < members.size(); i++) {
            if (members.get(i).type() instanceof BitFieldType) {
                runs.put(i, taken.take(HexpatText.identifier(members.get(i).name() + "_bits")));
                i = run(members, i).end() - 1;
            }
        }
    }

    /// Returns the bit fields that form a variable together with a given bit field. These are the bit fields that share
    /// bytes with it, or the given one alone if they have different byte orders: a variable has one byte order.
    static BitFieldRun run(List<Member> members, int index) {
        BitFieldRun run = BitFieldRun.of(members, index);
        Member member = members.get(index);
        return run.order().isPresent() ? run : new BitFieldRun(index, List.of(member), member.type().byteSize());
    }

    String of(Member member) {
        return names.getOrDefault(member.name(), "");
    }

    /// The name of a variable that consists of bit fields.
    String of(BitFieldRun run) {
        return runs.getOrDefault(run.first(), "");
    }

    /// Returns a name that no member has.
    String take(String wanted) {
        return taken.take(wanted);
    }

    /// Returns the variable that contains the first member of a path: the member itself, or the variable of its bit
    /// fields.
    static String variable(StructType struct, String path) {
        HexpatMembers names = new HexpatMembers(struct.members());
        int index = index(struct, path);
        Member member = struct.members().get(index);
        return member.type() instanceof BitFieldType
                ? names.of(run(struct.members(), index))
                : names.of(member);
    }

    /// Returns the part after the variable of the expression that reads the member at a path.
    static String rest(StructType struct, String path) {
        Member member = struct.members().get(index(struct, path));
        if (member.type() instanceof BitFieldType) {
            return "." + new HexpatMembers(struct.members()).of(member);
        }
        if (member.type() instanceof StructType inner && path.indexOf('.') >= 0) {
            String inside = path.substring(path.indexOf('.') + 1);
            return "." + variable(inner, inside) + rest(inner, inside);
        }
        return "";
    }

    /// The index of the first member of a path.
    static int index(StructType struct, String path) {
        String first = path.indexOf('.') < 0 ? path : path.substring(0, path.indexOf('.'));
        return struct.members().indexOf(struct.member(first).orElseThrow());
    }
}
