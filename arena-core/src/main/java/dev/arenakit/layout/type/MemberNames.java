package dev.arenakit.layout.type;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds members by their names. Each list of members is searched once, whatever the number of names is, because a
/// struct may have many thousands of members and names.
final class MemberNames {
    private final IdentityHashMap<List<Member>, Map<String, Member>> known = new IdentityHashMap<>();

    Optional<Member> member(List<Member> members, String name) {
        return Optional.ofNullable(known.computeIfAbsent(members, MemberNames::byName).get(name));
    }

    /// Returns a member of a struct or of a nested struct, with its offset in the outer struct.
    ///
    /// @param path names, with dots between them
    Optional<Member> nested(List<Member> members, String path) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            return member(members, path);
        }
        return member(members, path.substring(0, dot)).flatMap(outer -> outer.type() instanceof StructType struct
                ? nested(struct.members(), path.substring(dot + 1))
                        .map(inner -> new Member(inner.name(), outer.byteOffset() + inner.byteOffset(), inner.type()))
                : Optional.empty());
    }

    private static Map<String, Member> byName(List<Member> members) {
        Map<String, Member> names = new HashMap<>();
        members.forEach(member -> names.putIfAbsent(member.name(), member));
        return names;
    }
}
