package dev.arenakit.internal.dump;

import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StoredInteger;
import dev.arenakit.layout.type.StructType;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// Decodes a struct, member by member.
final class StructDecoder implements Decoder {
    private final StructType type;
    private final Member[] members;
    private final Decoder[] decoders;
    /// The discriminators of unions and the counts of arrays, by their paths.
    private final Map<String, Optional<Integral>> integers = new HashMap<>();

    /// @param decoders the decoders of the members
    StructDecoder(StructType type, Decoder[] decoders) {
        this.type = type;
        this.decoders = decoders;
        members = type.members().toArray(Member[]::new);
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

    /// Reads the discriminator of a union, or the count of an array.
    ///
    /// @param path     the path of the member
    /// @param structAt the offset of this struct in the bytes
    /// @return the value, or empty if there is no such member or the bytes end before it
    OptionalLong integer(String path, DecoderContext context, long structAt) {
        Integral found = integers.computeIfAbsent(path, this::integral).orElse(null);
        if (found == null || context.bytesFrom(structAt + found.byteOffset) < found.stored.byteSize()) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(context.read(found.stored, structAt + found.byteOffset));
    }

    private Optional<Integral> integral(String path) {
        return type.nested(path)
                .flatMap(member -> member.type()
                        .integer()
                        .map(stored -> new Integral(member.byteOffset(), stored)));
    }

    /// A member that is an integer or an enum.
    private record Integral(long byteOffset, StoredInteger stored) {}
}
