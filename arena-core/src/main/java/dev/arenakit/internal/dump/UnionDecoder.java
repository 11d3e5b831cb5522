package dev.arenakit.internal.dump;

import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.UnionType;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/// Decodes the valid member of a union, or all members if the valid member is unknown.
final class UnionDecoder implements Decoder {
    private final UnionType type;
    private final Member[] members;
    private final Decoder[] decoders;
    /// The path of the discriminator in the enclosing struct, or "".
    private final String discriminator;
    /// The values of the discriminator for each member.
    private final long[][] values;
    /// The index of the member that is valid for all other values, or -1.
    private final int otherwise;

    /// @param decoders the decoders of the members
    UnionDecoder(UnionType type, Decoder[] decoders) {
        this.type = type;
        this.decoders = decoders;
        members = type.members().toArray(Member[]::new);
        discriminator = type.discriminator().map(UnionType.Discriminator::member).orElse("");
        values = type.discriminator()
                .map(UnionType.Discriminator::values)
                .orElse(List.of())
                .stream()
                .map(ofMember -> ofMember.stream().mapToLong(Long::longValue).toArray())
                .toArray(long[][]::new);
        otherwise = type.discriminator().flatMap(UnionType.Discriminator::otherwise).isPresent()
                ? members.length - 1
                : -1;
    }

    @Override
    public void decode(DecoderContext context, long at, StructDecoder struct, long structAt) throws IOException {
        context.visitor().beginGroup(type, context.offset(at));
        int valid = validMember(context, struct, structAt);
        int first = Math.max(0, valid);
        int end = valid < 0 ? members.length : valid + 1;
        for (int i = first; i < end; i++) {
            context.visitor().member(members[i], context.offset(at));
            decoders[i].decode(context, at, struct, structAt);
        }
        context.visitor().endGroup();
    }

    /// The index of the valid member, or -1 if it is unknown.
    private int validMember(DecoderContext context, StructDecoder struct, long structAt) {
        OptionalLong value = struct.integer(discriminator, context, structAt);
        if (value.isEmpty()) {
            return -1;
        }
        for (int i = 0; i < values.length; i++) {
            for (long each : values[i]) {
                if (each == value.getAsLong()) {
                    return i;
                }
            }
        }
        return otherwise;
    }
}
