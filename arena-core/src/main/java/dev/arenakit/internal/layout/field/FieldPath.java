package dev.arenakit.internal.layout.field;

import dev.arenakit.internal.layout.declaration.ComponentDeclaration;
import dev.arenakit.internal.layout.declaration.ComponentNames;
import dev.arenakit.internal.layout.declaration.ViewDeclaration;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.MemoryLayout.PathElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The path of a field in a struct, from the outermost member: `a.b[3].c`. A name is the name of a member in C or of
/// the component in Java.
///
/// @param struct     the outermost struct
/// @param path       the path as it was given
/// @param byteOffset the offset of the field
/// @param type       the type of the field
/// @param inJava     the class of the field in Java, or empty if it is unknown
/// @param elements   the path in the form that [java.lang.foreign.MemoryLayout] takes
public record FieldPath(StructType struct, String path, long byteOffset, MemoryType type, Optional<Class<?>> inJava,
        List<PathElement> elements) {
    private static final Pattern STEP = Pattern.compile("(?:^|(?!^)\\.)(\\w+)|\\[(\\d{1,18})]");

    /// @param struct the struct
    /// @param inJava the record or view that the struct was mapped to
    /// @throws IllegalArgumentException if there is no such field
    static FieldPath of(StructType struct, Class<?> inJava, String path) {
        FieldPath place = new FieldPath(struct, path, 0, struct, Optional.of(inJava), List.of());
        Matcher step = STEP.matcher(path);
        int end = 0;
        while (end < path.length()) {
            if (!step.find() || step.start() != end) {
                throw place.missing("write names and indices, as in a.b[3].c");
            }
            end = step.end();
            place = step.group(1) != null ? place.member(step.group(1)) : place.element(Long.parseLong(step.group(2)));
        }
        if (place.elements().isEmpty()) {
            throw place.missing("the path is empty");
        }
        return place;
    }

    private FieldPath member(String name) {
        List<Member> members = type.members();
        if (members.isEmpty()) {
            throw missing("\"" + name + "\" is not in a struct or union");
        }
        Optional<ComponentDeclaration> component = inJava
                .flatMap(owner -> ComponentNames.find(ViewDeclaration.allOf(owner), name));
        Member member = component.flatMap(declared -> ComponentNames.member(declared, members))
                .or(() -> members.stream().filter(candidate -> candidate.name().equals(name)).findFirst())
                .orElseThrow(() -> missing("\"" + name + "\" is not among "
                        + members.stream().map(Member::name).toList()));
        return then(member.byteOffset(), member.type(), component.map(ComponentDeclaration::structure),
                PathElement.groupElement(member.name()));
    }

    private FieldPath element(long index) {
        if (!(type instanceof ArrayType array)) {
            throw missing("[" + index + "] is not in an array");
        }
        if (index >= array.length()) {
            throw missing("[" + index + "] is beyond the length of " + array.length());
        }
        return then(index * array.element().byteSize(), array.element(), inJava.map(Class::getComponentType),
                PathElement.sequenceElement(index));
    }

    private FieldPath then(long offset, MemoryType inner, Optional<Class<?>> innerInJava, PathElement element) {
        List<PathElement> longer = new ArrayList<>(elements);
        longer.add(element);
        return new FieldPath(struct, path, byteOffset + offset, inner, innerInJava, List.copyOf(longer));
    }

    /// Returns the path in the form that [java.lang.foreign.MemoryLayout] takes, with further elements at its end.
    public PathElement[] steps(PathElement... others) {
        List<PathElement> steps = new ArrayList<>(elements);
        steps.addAll(List.of(others));
        return steps.toArray(PathElement[]::new);
    }

    /// Returns the number of elements, or -1 if the field is not an array.
    long length() {
        return type instanceof ArrayType array ? array.length() : -1;
    }

    /// The exception for a field that cannot be accessed in the requested way.
    public IllegalArgumentException refusal(String what, String remedy) {
        String named = type instanceof ValueType value
                ? value.carrier().getName()
                : type instanceof UnsignedType unsigned ? unsigned.cName() : type.getClass().getSimpleName();
        return new IllegalArgumentException(what + ", layout=" + struct.name() + ", path=" + path + ", type=" + named
                + "; " + remedy);
    }

    private IllegalArgumentException missing(String reason) {
        return new IllegalArgumentException("No such field: layout=" + struct.name() + ", path=" + path + "; "
                + reason);
    }
}
