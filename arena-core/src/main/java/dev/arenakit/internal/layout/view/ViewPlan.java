package dev.arenakit.internal.layout.view;

import dev.arenakit.internal.layout.declaration.PackedInteger;
import dev.arenakit.internal.layout.declaration.ViewAccessor;
import dev.arenakit.layout.type.Member;
import java.util.Optional;

/// How the class of a view accesses one member.
///
/// @param accessor the methods
/// @param handles  read and write a value
/// @param offset   the offset that is added to the offset of the struct for the handles: the offset of the member, or 0
///                 if the handles themselves start at the struct
/// @param count    the number of elements, or -1 if the member is not accessed by index
/// @param stride   the distance between two elements in bytes
/// @param counter  the member that is the number of valid elements, if the member is accessed by index
record ViewPlan(ViewAccessor accessor, ViewValueHandles handles, long offset, long count, long stride,
        Optional<Member> counter) {
    /// Returns the description of the member for `toString`.
    ViewObjectMethods.PrintedMember printed() {
        return new ViewObjectMethods.PrintedMember(accessor.component().name(), handles.reader(), offset, count,
                stride, counter.map(member -> PackedInteger.of(member.type())),
                counter.map(Member::byteOffset).orElse(0L));
    }
}
