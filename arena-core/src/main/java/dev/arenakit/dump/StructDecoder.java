package dev.arenakit.dump;

import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/// Decodes a struct, member by member.
final class StructDecoder implements Decoder {
    private final StructType type;
    private final Member[] members;
    private final Decoder[] decoders;
    /// The members that can be discriminators of unions.
    private final Map<String, Integral> integers = new HashMap<>();

    /// @param decoders the decoders of the members
    StructDecoder(StructType type, Decoder[] decoders) {
        this.type = type;
        this.decoders = decoders;
        members = type.members().toArray(Member[]::new);
        for (Member member : members) {
            Integral integral = Integral.of(member);
            if (integral != null) {
                integers.put(member.name(), integral);
            }
        }
    }

    @Override
    public void decode(DecoderContext context, long at, StructDecoder struct, long structAt) throws IOException {
        context.visitor().beginGroup(type, context.offset(at));
        decodeMembers(context, at);
        context.visitor().endGroup();
    }

    void decodeMembers(DecoderContext context, long at) throws IOException {
        for (int i = 0; i < members.length; i++) {
            Member member = members[i];
            long memberAt = at + member.byteOffset();
            context.visitor().member(member, context.offset(memberAt));
            decoders[i].decode(context, memberAt, this, at);
        }
    }

    /// The member of the given name, or null if it is no integer and no enum.
    @Nullable
    Integral integral(String name) {
        return integers.get(name);
    }

    /// A member that is an integer or an enum.
    record Integral(long byteOffset, int byteSize, ByteOrder order, long mask) {
        static @Nullable Integral of(Member member) {
            return switch (member.type()) {
                case EnumType constants -> of(member, constants.value(), -1);
                case ValueType value when value.carrier() == float.class || value.carrier() == double.class -> null;
                case ValueType value -> of(member, value, value.carrier() == char.class ? 0xffff : -1);
                default -> null;
            };
        }

        private static Integral of(Member member, ValueType value, long mask) {
            return new Integral(member.byteOffset(), (int) value.byteSize(), value.order(), mask);
        }

        boolean isIn(DecoderContext context, long structAt) {
            return context.bytesFrom(structAt + byteOffset) >= byteSize;
        }

        long read(DecoderContext context, long structAt) {
            return context.integer(byteSize, order, structAt + byteOffset) & mask;
        }
    }
}
