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
import org.jspecify.annotations.Nullable;

/// The class of the references to one struct of a record class or a view. All references to this struct share it,
/// however they were made, so that a call site that follows them has one receiver class.
///
/// A struct may refer to itself: the class exists before the mapper of the struct, which is looked up when it exists or
/// when a reference is first followed.
public final class RefTarget {
    private static final ClassTemplate TEMPLATE = new ClassTemplate(MethodHandles.lookup(), RefTemplate.class);
    /// Reads the struct at an offset.
    private static final MethodType ACCESS = MethodType.methodType(Object.class, MemorySegment.class, long.class);
    private static final StructType NO_STRUCT = new StructType("", List.of(), 0, 1);

    private final MethodHandle create;
    private final MutableCallSite access = new MutableCallSite(ACCESS);
    /// Returns the method of the mapper; null when it was found, because the supplier may know a Lookup of the user.
    private volatile @Nullable Supplier<MethodHandle> mapper;

    /// The class data of a copy of the template.
    ///
    /// @param struct the struct
    /// @param access `(MemorySegment, long)Object`, reads the struct at an offset
    public record ClassData(StructType struct, MethodHandle access) {}

    private RefTarget(StructType struct, Supplier<MethodHandle> mapper) {
        this.mapper = mapper;
        access.setTarget(KnownMethods.bind(MethodHandles.lookup(), this, "firstAccess", ACCESS));
        MethodHandles.Lookup copy = TEMPLATE.define(new ClassData(struct, access.dynamicInvoker()));
        create = KnownMethods.findStatic(copy, copy.lookupClass(), "create", Object.class, long.class, String.class);
    }

    /// Returns the target of references to a struct, which is created once.
    ///
    /// @param type   the record class or the view
    /// @param struct the struct
    /// @param mapper returns the method `(MemorySegment, long)Object` of the mapper, which reads the struct at an offset
    public static RefTarget of(Class<?> type, StructType struct, Supplier<MethodHandle> mapper) {
        return (RefTarget) MapperCache.target(type, struct, () -> new RefTarget(struct, mapper));
    }

    /// Returns the reference that points to nothing.
    public static Object none() {
        return None.REFERENCE;
    }

    /// Returns `(long, String)Object`, which creates a reference from its offset and the name of the allocation that is
    /// an array of the struct.
    public MethodHandle create() {
        return create;
    }

    /// Creates a reference.
    public Object reference(long byteOffset) {
        try {
            return (Object) create.invokeExact(byteOffset, "");
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("A constructor that only stores its arguments cannot throw", e);
        }
    }

    /// Finds the mapper, unless it is known.
    ///
    /// @throws IllegalArgumentException if the class is not accessible
    public void findMapper() {
        Supplier<MethodHandle> wanted = mapper;
        if (wanted != null) {
            access.setTarget(wanted.get());
            mapper = null;
        }
    }

    /// Reads a struct before the mapper is known, or before the thread knows it.
    private Object firstAccess(MemorySegment memory, long byteOffset) throws Throwable {
        findMapper();
        return (Object) access.getTarget().invokeExact(memory, byteOffset);
    }

    private static final class None {
        static final Object REFERENCE = new RefTarget(NO_STRUCT, () -> {
            throw new AssertionError("Nothing is read through it");
        }).reference(-1);
    }
}
