package dev.arenakit.dump;

import dev.arenakit.layout.EnumType;
import dev.arenakit.layout.Member;
import dev.arenakit.layout.StructType;
import dev.arenakit.layout.ValueType;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/// A struct, member by member.
final class StructStep implements Step {
    private final StructType type;
    private final Member[] members;
    private final Step[] steps;
    /// The members that can tell which one of a union is valid.
    private final Map<String, Integral> integers = new HashMap<>();

    /// @param steps those of the members
    StructStep(StructType type, Step[] steps) {
        this.type = type;
        this.steps = steps;
        members = type.members().toArray(Member[]::new);
        for (Member member : members) {
            Integral integral = Integral.of(member);
            if (integral != null) {
                integers.put(member.name(), integral);
            }
        }
    }

    @Override
    public void walk(StructWalk walk, long at, StructStep struct, long structAt) throws IOException {
        walk.visitor().beginGroup(type, walk.offset(at));
        members(walk, at);
        walk.visitor().endGroup();
    }

    void members(StructWalk walk, long at) throws IOException {
        for (int i = 0; i < members.length; i++) {
            Member member = members[i];
            long memberAt = at + member.byteOffset();
            walk.visitor().member(member, walk.offset(memberAt));
            steps[i].walk(walk, memberAt, this, at);
        }
    }

    /// The member of that name, where it is an integer.
    @Nullable
    Integral integral(String name) {
        return integers.get(name);
    }

    /// An integer or an enum among the members.
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

        boolean isIn(StructWalk walk, long structAt) {
            return walk.bytesFrom(structAt + byteOffset) >= byteSize;
        }

        long read(StructWalk walk, long structAt) {
            return walk.integer(byteSize, order, structAt + byteOffset) & mask;
        }
    }
}
