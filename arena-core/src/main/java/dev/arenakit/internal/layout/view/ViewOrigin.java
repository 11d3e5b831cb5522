package dev.arenakit.internal.layout.view;

import dev.arenakit.internal.layout.declaration.PackedInteger;
import dev.arenakit.internal.layout.value.PackedField;
import dev.arenakit.layout.type.MemoryType;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.invoke.VarHandle;
import java.util.List;

/// The start of an access to a value of a view. The access checks that the whole type at this place is within the
/// segment and aligned.
///
/// @param type       the struct or union that contains the value, or the type of the value itself
/// @param byteOffset the offset of the value in the type
/// @param path       the path of the value in the type
record ViewOrigin(MemoryType type, long byteOffset, List<PathElement> path) {
    /// Returns the VarHandle of the value.
    VarHandle handle() {
        return type.layout().varHandle(path.toArray(PathElement[]::new));
    }

    /// Returns the access to an integer that has no VarHandle.
    PackedField packed(PackedInteger integer) {
        return new PackedField(integer, type.byteSize(), type.byteAlignment(), byteOffset, -1);
    }
}
