package dev.arenakit.dump;

import dev.arenakit.layout.Member;
import dev.arenakit.layout.UnionType;
import java.io.IOException;
import java.util.List;

/// A union: the member that is valid, or all where that is not known.
final class UnionStep implements Step {
    private final UnionType type;
    private final Member[] members;
    private final Step[] steps;
    /// The name of what tells, or "".
    private final String tells;
    /// What that is while each of the members is valid.
    private final long[] values;

    /// @param steps those of the members
    UnionStep(UnionType type, Step[] steps) {
        this.type = type;
        this.steps = steps;
        members = type.members().toArray(Member[]::new);
        tells = type.discriminator().map(UnionType.Discriminator::member).orElse("");
        values = type.discriminator()
                .map(UnionType.Discriminator::values)
                .orElse(List.of())
                .stream()
                .mapToLong(Long::longValue)
                .toArray();
    }

    @Override
    public void walk(StructWalk walk, long at, StructStep struct, long structAt) throws IOException {
        walk.visitor().beginGroup(type, walk.offset(at));
        int valid = valid(walk, struct, structAt);
        int first = Math.max(0, valid);
        int end = valid < 0 ? members.length : valid + 1;
        for (int i = first; i < end; i++) {
            walk.visitor().member(members[i], walk.offset(at));
            steps[i].walk(walk, at, struct, structAt);
        }
        walk.visitor().endGroup();
    }

    /// The position of the valid member, or -1.
    private int valid(StructWalk walk, StructStep struct, long structAt) {
        StructStep.Integral tell = struct.integral(tells);
        if (tell == null || !tell.isIn(walk, structAt)) {
            return -1;
        }
        long value = tell.read(walk, structAt);
        for (int i = 0; i < values.length; i++) {
            if (values[i] == value) {
                return i;
            }
        }
        return -1;
    }
}
