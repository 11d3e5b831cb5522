package dev.arenakit.internal.layout.view;

import dev.arenakit.internal.layout.declaration.ViewDeclaration;
import dev.arenakit.internal.layout.emit.HiddenClassBuilder;
import dev.arenakit.internal.layout.emit.KnownMethods;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Collection;
import java.util.List;

/// The generated class of a view over one struct.
///
/// @param factory     `(MemorySegment, long)Object`, creates a view of the struct at an offset in a segment
/// @param type        the generated class
/// @param segment     `(Object)MemorySegment`, returns the segment of a view
/// @param offset      `(Object)long`, returns the offset of a view in its segment
public record ViewClass(MethodHandle factory, Class<?> type, MethodHandle segment, MethodHandle offset) {
    /// Generates the class.
    ///
    /// @param view        the interface
    /// @param type        a struct, or a union
    /// @param viewPackage where the class is defined
    /// @throws IllegalArgumentException if interface and type do not agree, or if the interface is not accessible
    static ViewClass of(Class<?> view, MemoryType type, ViewPackage viewPackage) {
        List<ViewPlanner.Plan> plans = ViewPlanner.of(view, type, viewPackage);
        Collection<Class<?>> named = ViewDeclaration.typesOf(view);
        HiddenClassBuilder target = new HiddenClassBuilder(viewPackage.lookupFor(view, named),
                view.getSimpleName() + "OfMemory");
        return of(new ViewClassEmitter(target, view, asStruct(type), plans).define());
    }

    private static ViewClass of(MethodHandles.Lookup lookup) {
        return new ViewClass(
                KnownMethods.findStatic(lookup, lookup.lookupClass(), ViewClassEmitter.FACTORY, Object.class,
                        MemorySegment.class, long.class),
                lookup.lookupClass(), getter(lookup, ViewClassEmitter.SEGMENT, MemorySegment.class),
                getter(lookup, ViewClassEmitter.OFFSET, long.class));
    }

    private static MethodHandle getter(MethodHandles.Lookup lookup, String name, Class<?> type) {
        return KnownMethods.findGetter(lookup, name, type).asType(MethodType.methodType(type, Object.class));
    }

    /// Returns the memory of a view.
    ///
    /// @throws IllegalArgumentException if another class implements the view
    public MemorySegment memory(Object view, StructType struct) {
        if (!type.isInstance(view)) {
            throw new IllegalArgumentException("View is not one of this mapper: class=" + view.getClass().getName()
                    + ", layout=" + struct.name() + "; take one that view or viewAtIndex has returned");
        }
        try {
            return ((MemorySegment) segment.invokeExact(view)).asSlice((long) offset.invokeExact(view),
                    struct.byteSize());
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("The getter of a field cannot throw", e);
        }
    }

    /// Returns the struct that messages describe. For a union, it has the name and the size of the union.
    private static StructType asStruct(MemoryType type) {
        return type instanceof UnionType union
                ? new StructType(union.name(), List.of(), union.byteSize(), union.byteAlignment())
                : (StructType) type;
    }
}
