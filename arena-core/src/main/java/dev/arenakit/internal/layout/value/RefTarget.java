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

/// Creates the references to one struct of a record class or a view. All of them have one class, however they were made,
/// so that a call site that follows them has one receiver class.
///
/// A struct may refer to itself: the class exists before the mapper of the struct, which is looked up when a
/// reference is first followed.
public interface RefTarget {
    /// The type of the method of a mapper that reads the struct at an offset.
    MethodType ACCESS = MethodType.methodType(Object.class, MemorySegment.class, long.class);
    /// The reference that points to nothing.
    Object NONE = create(new StructType("", List.of(), 0, 1), () -> {
        throw new AssertionError("Nothing is read through it");
    }).at(-1, "");

    /// Creates a reference.
    ///
    /// @param array the name of the allocation that is an array of the struct, or ""
    Object at(long byteOffset, String array);

    /// The class data of a copy of the template.
    ///
    /// @param access reads the struct at an offset
    record ClassData(StructType struct, MethodHandle access) {}

    /// The access before the mapper is known. The supplier may know a Lookup of the user, and can be collected
    /// afterwards.
    record FirstAccess(MutableCallSite site, Supplier<MethodHandle> mapper) {
        void install() {
            site.setTarget(KnownMethods.bind(MethodHandles.lookup(), this, "read", ACCESS));
        }

        Object read(MemorySegment memory, long byteOffset) throws Throwable {
            MethodHandle found = mapper.get();
            site.setTarget(found);
            return (Object) found.invokeExact(memory, byteOffset);
        }
    }

    private static RefTarget create(StructType struct, Supplier<MethodHandle> mapper) {
        MutableCallSite access = new MutableCallSite(ACCESS);
        new FirstAccess(access, mapper).install();
        return (RefTarget) new ClassTemplate(MethodHandles.lookup(), RefTemplate.class)
                .instance(new ClassData(struct, access.dynamicInvoker()));
    }

    /// Returns what creates the references to a struct. It is created once.
    ///
    /// @param type   the record class or the view
    /// @param mapper returns the method of the mapper that reads the struct at an offset
    static RefTarget of(Class<?> type, StructType struct, Supplier<MethodHandle> mapper) {
        return (RefTarget) MapperCache.target(type, struct, () -> create(struct, mapper));
    }
}
