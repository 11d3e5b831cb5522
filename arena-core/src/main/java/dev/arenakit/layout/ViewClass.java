package dev.arenakit.layout;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// The class of a view over a struct, made for both.
///
/// @param constructor `(MemorySegment, long)Object`, makes a view of a segment and an offset
/// @param mover       `(Object, long)void`, sets the offset of a view
record ViewClass(MethodHandle constructor, MethodHandle mover) {
    /// An accessor and the member that it reads and writes.
    ///
    /// @param accessor the methods
    /// @param element  how a value is read and written
    /// @param offset   where the handles begin: at the member, or at 0 where they reach it from the beginning of the struct
    /// @param count    how many elements there are, or -1 where it is not read by index
    /// @param stride   from one element to the next
    record Bound(Accessor accessor, ViewElement element, long offset, long count, long stride) {
        ViewText.Told told() {
            return new ViewText.Told(accessor.part().name(), element.reader(), offset, count, stride);
        }
    }

    /// Makes the class.
    ///
    /// @param view the interface
    /// @param type a struct, or a union
    /// @param host where it is made
    /// @throws IllegalArgumentException when interface and type do not agree, or the interface is out of reach
    static ViewClass of(Class<?> view, MemoryType type, ViewHost host) {
        List<Bound> bound = new ArrayList<>();
        List<Accessor> accessors = new ArrayList<>(ViewReader.accessors(view).values());
        accessors.sort(Comparator.comparingLong(accessor -> member(accessor.part(), type).byteOffset()));
        for (Accessor accessor : accessors) {
            bound.add(bind(accessor, member(accessor.part(), type), type.layout(), host));
        }
        if (bound.isEmpty()) {
            throw Part.refusal(view, "View has no accessors", "declare methods such as `int x()`");
        }
        Collection<Class<?>> named = ViewReader.typesOf(view);
        HiddenClass target = new HiddenClass(host.lookupFor(view, named), view.getSimpleName() + "OfMemory");
        MethodHandles.Lookup lookup = new ViewCode(target, view, asStruct(type), bound).define();
        return of(lookup);
    }

    private static ViewClass of(MethodHandles.Lookup lookup) {
        Class<?> made = lookup.lookupClass();
        try {
            MethodHandle constructor = lookup.findConstructor(made,
                    MethodType.methodType(void.class, MemorySegment.class, long.class));
            MethodHandle mover = lookup.findSetter(made, ViewCode.OFFSET, long.class);
            return new ViewClass(constructor.asType(constructor.type().changeReturnType(Object.class)),
                    mover.asType(mover.type().changeParameterType(0, Object.class)));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("A class has what it was made with", e);
        }
    }

    private static Member member(Part part, MemoryType type) {
        return members(type).stream()
                .filter(candidate -> candidate.name().equals(part.name()))
                .findFirst()
                .orElseThrow(() -> part.refusal("Struct has no member of that name", "there is no \"" + part.name()
                        + "\" among " + members(type).stream().map(Member::name).toList()));
    }

    private static Bound bind(Accessor accessor, Member member, MemoryLayout layout, ViewHost host) {
        Part part = accessor.part();
        if (!accessor.indexed()) {
            // From the beginning of the struct all handles make the same checks, which the compiler then makes once.
            ViewElement element = ViewElement.of(part, member.type(),
                    () -> layout.varHandle(PathElement.groupElement(member.name())), host);
            boolean single = member.type().layout() instanceof ValueLayout;
            return new Bound(accessor, element, single ? 0 : member.byteOffset(), -1, 0);
        }
        if (!(member.type() instanceof ArrayType array)) {
            throw part.refusal("Member that is read by index is no array", "in memory is " + member.type());
        }
        ViewElement element = ViewElement.of(part.element(), array.element(),
                () -> array.element().layout().varHandle(), host);
        return new Bound(accessor, element, member.byteOffset(), array.length(), array.element().byteSize());
    }

    private static List<Member> members(MemoryType type) {
        return switch (type) {
            case StructType struct -> struct.members();
            case UnionType union -> union.members();
            default -> throw new AssertionError(type);
        };
    }

    /// What errors are about: of a union its name and size.
    private static StructType asStruct(MemoryType type) {
        return type instanceof UnionType union
                ? new StructType(union.name(), List.of(), union.byteSize(), union.byteAlignment())
                : (StructType) type;
    }
}
