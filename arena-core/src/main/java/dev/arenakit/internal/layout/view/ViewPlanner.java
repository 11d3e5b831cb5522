package dev.arenakit.internal.layout.view;

import dev.arenakit.internal.layout.declaration.ComponentDeclaration;
import dev.arenakit.internal.layout.declaration.ComponentNames;
import dev.arenakit.internal.layout.declaration.ViewDeclaration;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemoryLayout.PathElement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Finds the member of each accessor of a view, and decides how the accessor reads and writes it.
final class ViewPlanner {
    /// The size of the address space. The segment limits a flexible array, and no offset in the array overflows.
    private static final long LARGEST_FLEXIBLE = 1L << 47;

    private ViewPlanner() {}

    /// How the class of a view accesses one member.
    ///
    /// @param accessor the methods
    /// @param handles  read and write a value
    /// @param offset   the offset that is added to the offset of the struct for the handles: the offset of the member,
    ///                 or 0 if the handles themselves start at the struct
    /// @param count    the number of elements, or -1 if the member is not accessed by index
    /// @param stride   the distance between two elements in bytes
    /// @param counter  the member that is the number of valid elements, if the member is accessed by index
    record Plan(ViewDeclaration.Accessor accessor, ViewValueHandles handles, long offset, long count, long stride,
            Optional<Member> counter) {
        /// Returns the description of the member for `toString`.
        ViewObjectMethods.PrintedMember printed() {
            // The struct does not tell the length of a flexible array.
            long printed = count == LARGEST_FLEXIBLE / Math.max(1, stride) ? 0 : count;
            return new ViewObjectMethods.PrintedMember(accessor.component().name(), handles.reader(), offset, printed,
                    stride, counter.map(member -> member.type().integer().orElseThrow()),
                    counter.map(Member::byteOffset).orElse(0L));
        }
    }

    /// Returns the plans of all accessors, in the order of the members of the type.
    ///
    /// @param view        the interface
    /// @param type        a struct, or a union
    /// @param viewPackage where the classes of nested views are defined
    /// @throws IllegalArgumentException if interface and type do not agree
    static List<Plan> of(Class<?> view, MemoryType type, ViewPackage viewPackage) {
        List<ViewDeclaration.Accessor> accessors = new ArrayList<>(ViewDeclaration.accessors(view).values());
        List<String> names = type.members().stream().map(Member::name).toList();
        accessors.sort(Comparator.comparingInt(accessor -> names.indexOf(member(accessor.component(), type).name())));
        List<Plan> plans = new ArrayList<>();
        for (ViewDeclaration.Accessor accessor : accessors) {
            plans.add(plan(accessor, member(accessor.component(), type), type, viewPackage));
        }
        if (plans.isEmpty()) {
            throw ComponentDeclaration.refusal(view, "View has no accessors", "declare methods such as `int x()`");
        }
        return plans;
    }

    private static Plan plan(ViewDeclaration.Accessor accessor, Member member, MemoryType type,
            ViewPackage viewPackage) {
        ComponentDeclaration component = accessor.component();
        Optional<Member> count = count(member, type);
        if (!accessor.indexed() && count.isPresent()) {
            return new Plan(accessor, ViewValueHandles.ofCounted(component, member, count.get(), viewPackage), 0,
                    -1, 0, Optional.empty());
        }
        if (!accessor.indexed()) {
            // All accesses start at the struct and make the same checks, so that the compiler keeps only one copy of
            // the checks.
            ViewValueHandles handles = ViewValueHandles.of(component, member.type(), new ViewValueHandles.Origin(type,
                    member.byteOffset(), List.of(PathElement.groupElement(member.name()))), viewPackage);
            return new Plan(accessor, handles, member.type().isScalar() ? 0 : member.byteOffset(), -1, 0,
                    Optional.empty());
        }
        if (!(member.type() instanceof ArrayType array)) {
            throw component.refusal("Member that is accessed by index is not an array",
                    "the type in memory is " + member.type());
        }
        ViewValueHandles handles = ViewValueHandles.of(component.element(), array.element(),
                new ViewValueHandles.Origin(array.element(), 0, List.of()), viewPackage);
        long stride = array.element().byteSize();
        return new Plan(accessor, handles, member.byteOffset(), isFlexible(array, member, type)
                ? LARGEST_FLEXIBLE / Math.max(1, stride)
                : array.length(), stride, count);
    }

    /// Returns whether an array is as long as the segment.
    private static boolean isFlexible(ArrayType array, Member member, MemoryType type) {
        return array.length() == 0 && type instanceof StructType struct && struct.members().getLast().equals(member);
    }

    /// Returns the member that is the number of elements of an array.
    private static Optional<Member> count(Member member, MemoryType type) {
        return member.type() instanceof ArrayType array && type instanceof StructType struct
                ? array.count().flatMap(struct::member)
                : Optional.empty();
    }

    private static Member member(ComponentDeclaration component, MemoryType type) {
        return ComponentNames.member(component, type.members())
                .orElseThrow(
                        () -> component.refusal("Struct has no member of that name", "there is no \"" + component.name()
                                + "\" among " + type.members().stream().map(Member::name).toList()));
    }
}
