package dev.arenakit.internal.layout.value;

import dev.arenakit.internal.layout.declaration.ComponentDeclaration;
import dev.arenakit.layout.Ref;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StructType;
import java.lang.invoke.MethodHandle;

/// The references of one component, and their numbers in memory.
///
/// @param create `(long, String)Object`, creates a reference from its offset
/// @param type   the type in memory
/// @param array  the name of the allocation that is an array of the struct, or ""
/// @param where  class and component, for messages
public record RefCodec(MethodHandle create, RefType type, String array, String where) implements NumberCodec {
    /// Returns the codec of a component.
    ///
    /// @param struct the struct that the component refers to
    /// @throws IllegalArgumentException if the type in memory refers to another struct, or has another size
    public static RefCodec of(ComponentDeclaration component, RefType memory, StructType struct, RefTarget target) {
        if (component.referenceByteSize() != memory.byteSize() || struct.byteSize() != memory.targetByteSize()
                || struct.byteAlignment() != memory.targetByteAlignment()) {
            throw component.disagreement(memory);
        }
        return new RefCodec(target.create(), memory, memory.allocation().orElse(""), component.where());
    }

    @Override
    public Object decode(long stored) {
        try {
            return (Object) create.invokeExact(type.byteOffset(stored), array);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("A constructor that only stores its arguments cannot throw", e);
        }
    }

    @Override
    public long encode(Object reference) {
        long byteOffset = ((Ref<?>) ValueChecks.required(reference, where)).byteOffset();
        long unit = type.unit();
        long stored = byteOffset == -1 ? 0 : byteOffset / unit + 1;
        if (unit > 1 && (byteOffset < -1 || stored > 0xffff_ffffL || (stored != 0 && byteOffset % unit != 0))) {
            throw new IllegalArgumentException("Reference does not fit: " + where + ", byteOffset=" + byteOffset
                    + ", byteAlignment=" + unit + ", largest=" + 0xffff_fffeL * unit
                    + "; use Ref, and an offset that is a multiple of the alignment");
        }
        return stored;
    }
}
