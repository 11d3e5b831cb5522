package dev.arenakit.layout;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import java.lang.foreign.MemoryLayout.PathElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The path of a field in a struct, from the outermost member: `a.b[3].c`.
///
/// @param byteOffset the offset of the field
/// @param type       the type of the field
/// @param elements   the same path for [java.lang.foreign.MemoryLayout]
record FieldPath(long byteOffset, MemoryType type, List<PathElement> elements) {
    private static final Pattern STEP = Pattern.compile("(?:^|(?!^)\\.)(\\w+)|\\[(\\d{1,18})]");

    /// @throws IllegalArgumentException if there is no such field
    static FieldPath of(StructType struct, String path) {
        FieldPath place = new FieldPath(0, struct, List.of());
        Matcher step = STEP.matcher(path);
        int end = 0;
        while (end < path.length()) {
            if (!step.find() || step.start() != end) {
                throw refusal(struct, path, "write names and indices, as in a.b[3].c");
            }
            end = step.end();
            place = step.group(1) != null
                    ? place.member(struct, path, step.group(1))
                    : place.element(struct, path, Long.parseLong(step.group(2)));
        }
        if (place.elements().isEmpty()) {
            throw refusal(struct, path, "the path is empty");
        }
        return place;
    }

    private FieldPath member(StructType struct, String path, String name) {
        List<Member> members = switch (type) {
            case StructType nested -> nested.members();
            case UnionType union -> union.members();
            default -> throw refusal(struct, path, "\"" + name + "\" is not in a struct or union");
        };
        Optional<Member> found = members.stream().filter(member -> member.name().equals(name)).findFirst();
        Member member = found.orElseThrow(() -> refusal(struct, path, "\"" + name + "\" is not among "
                + members.stream().map(Member::name).toList()));
        return then(member.byteOffset(), member.type(), PathElement.groupElement(name));
    }

    private FieldPath element(StructType struct, String path, long index) {
        return switch (type) {
            case ArrayType array when index < array.length() ->
                then(index * array.element().byteSize(), array.element(), PathElement.sequenceElement(index));
            case ArrayType array ->
                throw refusal(struct, path, "[" + index + "] is beyond the length of " + array.length());
            default -> throw refusal(struct, path, "[" + index + "] is not in an array");
        };
    }

    private FieldPath then(long offset, MemoryType inner, PathElement element) {
        List<PathElement> longer = new ArrayList<>(elements);
        longer.add(element);
        return new FieldPath(byteOffset + offset, inner, List.copyOf(longer));
    }

    private static IllegalArgumentException refusal(StructType struct, String path, String reason) {
        return new IllegalArgumentException("No such field: layout=" + struct.name() + ", path=" + path + "; "
                + reason);
    }
}
