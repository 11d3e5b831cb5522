package dev.arenakit.internal.layout.view;

import dev.arenakit.internal.layout.declaration.ComponentDeclaration;
import dev.arenakit.internal.layout.declaration.DeclaredTargets;
import dev.arenakit.internal.layout.declaration.StructTypeReader;
import dev.arenakit.internal.layout.declaration.UserLookup;
import dev.arenakit.internal.layout.declaration.ViewDeclaration;
import dev.arenakit.internal.layout.emit.ClassTemplate;
import dev.arenakit.internal.layout.emit.MapperCache;
import dev.arenakit.internal.layout.value.RecordCodec;
import dev.arenakit.layout.type.StructType;
import java.util.Optional;

/// Creates the mappers of views: a generated class that implements the interface, and a copy of the template of mappers.
public final class ViewMappers {
    private ViewMappers() {}

    /// The class data of a copy of the template.
    ///
    /// @param type           the struct
    /// @param view           the interface
    /// @param implementation its class
    public record ClassData(StructType type, Class<?> view, ViewClass implementation) {}

    /// Returns the mapper of an interface, which is created once.
    ///
    /// @param struct   the struct, or empty for the struct that the interface declares
    /// @param template the class of mappers: the class data of its copies is a [ClassData]
    /// @param records  finds the constructors of records in views
    /// @param nested   provides the mappers of these records
    /// @return a copy of the template
    public static Object of(Class<?> type, Optional<StructType> struct, ClassTemplate template, UserLookup records,
            RecordCodec.Source nested) {
        ViewPackage viewPackage = new ViewPackage(records, nested, template.host());
        return MapperCache.of(type, struct, template, viewPackage, () -> create(type, struct, template, viewPackage));
    }

    private static Object create(Class<?> type, Optional<StructType> given, ClassTemplate template,
            ViewPackage viewPackage) {
        ViewDeclaration.checkView(type);
        StructType struct = given.orElseGet(() -> new StructTypeReader(ViewDeclaration::componentsOf).read(type));
        if (struct.byteSize() == 0) {
            throw ComponentDeclaration.refusal(type, "Struct has no size",
                    "the number of views in a segment would be infinite: struct="
                            + struct.name() + ", byteSize=0; give it a member that has one");
        }
        ViewClass view = ViewClass.of(type, DeclaredTargets.of(struct, type), viewPackage);
        return template.instance(new ClassData(struct, type, view));
    }
}
