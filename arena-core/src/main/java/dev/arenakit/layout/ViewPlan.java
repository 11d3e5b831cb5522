package dev.arenakit.layout;

/// How the class of a view accesses one member.
///
/// @param accessor the methods
/// @param handles  read and write a value
/// @param offset   the offset from which the handles reach a value: that of the member, or 0 if they start at the
///                 struct
/// @param count    the number of elements, or -1 if the member is not accessed by index
/// @param stride   the distance between two elements in bytes
record ViewPlan(ViewAccessor accessor, ViewValueHandles handles, long offset, long count, long stride) {
    /// Returns what `toString` prints of the member.
    ViewObjectMethods.PrintedMember printed() {
        return new ViewObjectMethods.PrintedMember(accessor.component().name(), handles.reader(), offset, count,
                stride);
    }
}
