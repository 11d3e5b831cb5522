package dev.arenakit.internal.layout.value;

import dev.arenakit.internal.layout.declaration.ComponentDeclaration;
import dev.arenakit.layout.Ref;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StructType;

/// The references of one component, and their numbers in memory.
///
/// @param references creates references
/// @param type       the type in memory
/// @param array      the name of the allocation that is an array of the struct, or ""
/// @param where      class and component, for messages
public record RefCodec(RefTarget.Factory references, RefType type, String array, String where) implements NumberCodec {
    /// Returns the codec of a component.
    ///
    /// @param struct the struct that the component refers to
    /// @throws IllegalArgumentException if the type in memory refers to another struct, or has another size
    public static RefCodec of(ComponentDeclaration component, RefType memory, StructType struct, RefTarget target) {
        if (component.referenceByteSize() != memory.byteSize() || !memory.suits(struct)) {
            throw component.disagreement(memory);
        }
        return new RefCodec(target.references(), memory, memory.allocation().orElse(""), component.where());
    }

    @Override
    public Object decode(long stored) {
        return references.at(type.byteOffset(stored), array);
    }

    @Override
    public long encode(Object reference) {
        long byteOffset = ((Ref<?>) ValueChecks.required(reference, where)).byteOffset();
        long stored = type.stored(byteOffset);
        if (stored == 0 && byteOffset != -1) {
            throw new IllegalArgumentException("Reference does not fit: " + where + ", byteOffset=" + byteOffset
                    + ", byteAlignment=" + type.unit() + ", largest=" + 0xffff_fffeL * type.unit()
                    + "; use Ref, and an offset that is a multiple of the alignment");
        }
        return stored;
    }
}
