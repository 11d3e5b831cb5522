package dev.arenakit.tool.export;

import dev.arenakit.layout.type.BitFieldRun;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.ValueType;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;

/// Declares bit fields in a Kaitai Struct specification. Kaitai Struct reads several bits as an unsigned integer, and
/// one bit as a boolean. Other numbers are instances that are computed from the bits.
final class KsyBits {
    /// The largest number of bits whose sign an expression can extend: 2^62 is the largest power of two in all
    /// languages.
    private static final int MAX_SIGNED = 62;

    /// The suffix of names of bits from which a number is computed. Names of members never have this suffix.
    private static final String BITS = "_bits_";

    private final KsyTypes types;

    KsyBits(KsyTypes types) {
        this.types = types;
    }

    /// Appends bit fields that share bytes. Bit fields with different byte orders become padding, and an instance for
    /// each bit field.
    ///
    /// @param ids the names of the members
    void append(BitFieldRun run, List<Member> members, Map<String, String> ids, String owner, StringBuilder sequence,
            StringBuilder instances) {
        if (run.order().isEmpty()) {
            sequence.append(KsyMembers.hole(run.byteSize()));
            run.fields().forEach(field -> {
                String id = ids.getOrDefault(field.name(), "");
                instances.append(KsyMembers.instance(id, field, types.ofBits(field, owner + "_" + id), ""));
            });
            return;
        }
        ByteOrder order = run.order().get();
        String suffix = order == ByteOrder.BIG_ENDIAN ? "" : "le";
        for (BitFieldRun.Part part : run.parts(order)) {
            String word = "type: b" + part.bitSize() + suffix + "\n";
            if (part.index() < 0) {
                sequence.append("      - ").append(word);
                continue;
            }
            Member member = members.get(part.index());
            BitFieldType type = (BitFieldType) member.type();
            String id = ids.getOrDefault(member.name(), "");
            String value = value(type, id + BITS);
            sequence.append("      - id: ").append(id).append(value.isEmpty() ? "" : BITS).append('\n');
            KsyMembers.original(sequence, id, member.name());
            sequence.append("        ").append(word);
            if (TypeProperties.isNamed(type)) {
                sequence.append("        enum: ")
                        .append(types.constants((EnumType) type.declared(), owner + "_" + id))
                        .append('\n');
            }
            if (!value.isEmpty()) {
                instances.append("      ").append(id).append(":\n        value: '").append(value).append("'\n");
            }
        }
    }

    /// The expression that computes the number of a bit field, or "" if it is the unsigned number in the bits. One bit
    /// is a boolean.
    private static String value(BitFieldType type, String bits) {
        if (TypeProperties.isNamed(type) || isBoolean(type) || type.bitSize() > MAX_SIGNED) {
            return "";
        }
        if (type.bitSize() == 1) {
            return bits + " ? " + (type.isSigned() ? -1 : 1) + " : 0";
        }
        long sign = 1L << (type.bitSize() - 1);
        return type.isSigned() ? bits + " < " + sign + " ? " + bits + " : " + bits + " - " + 2 * sign : "";
    }

    private static boolean isBoolean(BitFieldType type) {
        return type.declared() instanceof ValueType value && value.carrier() == boolean.class;
    }
}
