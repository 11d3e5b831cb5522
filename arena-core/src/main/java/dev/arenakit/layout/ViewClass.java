package dev.arenakit.layout;

import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Collection;
import java.util.List;

/// The generated class of a view over one struct.
///
/// @param constructor `(MemorySegment, long)Object`, creates a view of the struct at an offset in a segment
record ViewClass(MethodHandle constructor) {
    /// Generates the class.
    ///
    /// @param view        the interface
    /// @param type        a struct, or a union
    /// @param viewPackage where the class is defined
    /// @throws IllegalArgumentException if interface and type do not agree, or if the interface is not accessible
    static ViewClass of(Class<?> view, MemoryType type, ViewPackage viewPackage) {
        List<ViewPlan> plans = ViewPlanner.of(view, type, viewPackage);
        Collection<Class<?>> named = ViewDeclaration.typesOf(view);
        HiddenClassBuilder target = new HiddenClassBuilder(viewPackage.lookupFor(view, named),
                view.getSimpleName() + "OfMemory");
        MethodHandles.Lookup lookup = new ViewClassEmitter(target, view, asStruct(type), plans).define();
        return new ViewClass(HiddenClassBuilder.constructor(lookup, MemorySegment.class, long.class));
    }

    /// The struct that messages describe: a union is described by its name and size.
    private static StructType asStruct(MemoryType type) {
        return type instanceof UnionType union
                ? new StructType(union.name(), List.of(), union.byteSize(), union.byteAlignment())
                : (StructType) type;
    }
}
