package dev.arenakit.internal.dump;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/// Decodes a struct, member by member.
final class StructDecoder implements Decoder {
    private final StructType type;
    private final Member[] members;
    private final Decoder[] decoders;
    /// The discriminators of unions and the counts of arrays, by their paths.
    private final Map<String, Integral> integers = new HashMap<>();

    /// @param decoders the decoders of the members
    StructDecoder(StructType type, Decoder[] decoders) {
        this.type = type;
        this.decoders = decoders;
        members = type.members().toArray(Member[]::new);
        for (Member member : members) {
            addIntegers(member.type());
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

    /// Reads the discriminator of a union, or the count of an array.
    ///
    /// @param path     the path of the member
    /// @param structAt the offset of this struct in the bytes
    /// @return the value, or empty if there is no such member or the bytes end before it
    OptionalLong integer(String path, DecoderContext context, long structAt) {
        Integral found = integers.get(path);
        if (found == null || context.bytesFrom(structAt + found.byteOffset) < found.reader.byteSize()) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(found.reader.read(context, structAt + found.byteOffset));
    }

    /// Finds the discriminators of the unions and the counts of the arrays in a type.
    private void addIntegers(MemoryType type) {
        switch (type) {
            case ArrayType array -> {
                array.count().ifPresent(this::addInteger);
                addIntegers(array.element());
            }
            case UnionType union -> {
                union.discriminator().ifPresent(discriminator -> addInteger(discriminator.member()));
                union.members().forEach(member -> addIntegers(member.type()));
            }
            default -> {
            }
        }
    }

    private void addInteger(String path) {
        this.type.nested(path)
                .ifPresent(member -> IntegerReader.of(member.type())
                        .ifPresent(reader -> integers.put(path, new Integral(member.byteOffset(), reader))));
    }

    /// A member that is an integer or an enum.
    private record Integral(long byteOffset, IntegerReader reader) {}
}
