package dev.arenakit.internal.layout.value;

import dev.arenakit.internal.layout.emit.ClassTemplate;
import dev.arenakit.internal.layout.emit.KnownMethods;
import dev.arenakit.internal.layout.emit.MapperCache;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.util.List;
import java.util.function.Supplier;

/// The class of the references to one struct of a record class or a view. All references to this struct share it,
/// however they were made, so that a call site that follows them has one receiver class.
///
/// A struct may refer to itself: the class exists before the mapper of the struct, which is looked up when a
/// reference is first followed.
///
/// @param references creates the references
public record RefTarget(Factory references) {
    /// The type of the method of a mapper that reads the struct at an offset.
    public static final MethodType ACCESS = MethodType.methodType(Object.class, MemorySegment.class, long.class);
    /// The reference that points to nothing.
    public static final Object NONE = create(new StructType("", List.of(), 0, 1), () -> {
        throw new AssertionError("Nothing is read through it");
    }).references.at(-1, "");

    /// Creates references of one class.
    public interface Factory {
        /// Creates a reference.
        ///
        /// @param array the name of the allocation that is an array of the struct, or ""
        Object at(long byteOffset, String array);
    }

    /// The class data of a copy of the template.
    ///
    /// @param access reads the struct at an offset
    record ClassData(StructType struct, MethodHandle access) {}

    /// The access before the mapper is known. The supplier may know a Lookup of the user, and can be collected
    /// afterwards.
    record FirstAccess(MutableCallSite site, Supplier<MethodHandle> mapper) {
        Object read(MemorySegment memory, long byteOffset) throws Throwable {
            MethodHandle found = mapper.get();
            site.setTarget(found);
            return (Object) found.invokeExact(memory, byteOffset);
        }
    }

    private static RefTarget create(StructType struct, Supplier<MethodHandle> mapper) {
        MutableCallSite access = new MutableCallSite(ACCESS);
        access.setTarget(KnownMethods.bind(MethodHandles.lookup(), new FirstAccess(access, mapper), "read", ACCESS));
        return new RefTarget((Factory) new ClassTemplate(MethodHandles.lookup(), RefTemplate.class)
                .instance(new ClassData(struct, access.dynamicInvoker())));
    }

    /// Returns the target of references to a struct, which is created once.
    ///
    /// @param type   the record class or the view
    /// @param mapper returns the method of the mapper that reads the struct at an offset
    public static RefTarget of(Class<?> type, StructType struct, Supplier<MethodHandle> mapper) {
        return (RefTarget) MapperCache.target(type, struct, () -> create(struct, mapper));
    }

}
