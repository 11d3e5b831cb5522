package dev.arenakit.tool;

import dev.arenakit.layout.Member;
import dev.arenakit.layout.StructType;
import dev.arenakit.layout.ValueType;
import java.util.Optional;

/// Values that are no structs: an image records each as a struct without a name, whose one member is called `value`.
final class Values {
    private Values() {}

    /// The value that stands for itself; empty for structs.
    static Optional<ValueType> of(StructType struct) {
        if (!struct.name().isEmpty() || struct.members().size() != 1) {
            return Optional.empty();
        }
        Member only = struct.members().getFirst();
        return only.name().equals("value") && only.type() instanceof ValueType value
                && value.byteSize() == struct.byteSize() ? Optional.of(value) : Optional.empty();
    }
}
