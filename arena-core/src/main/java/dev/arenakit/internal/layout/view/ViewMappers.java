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
import java.util.List;
import java.util.Optional;

/// Creates the mappers of views. A mapper has two classes: a generated class implements the interface, and a copy of the
/// template of mappers creates its objects.
public final class ViewMappers implements MapperCache.Source {
    private final ClassTemplate template;
    private final ViewPackage viewPackage;

    /// The class data of a copy of the template.
    ///
    /// @param type           the struct
    /// @param view           the interface
    /// @param implementation its class
    public record ClassData(StructType type, Class<?> view, ViewClass implementation) {}

    /// Keeps the arguments for the creation of mappers.
    ///
    /// @param template the class of a mapper: the class data of its copies is a [ClassData]
    /// @param records  finds the constructors of records in views
    /// @param nested   provides the mappers of these records
    public ViewMappers(ClassTemplate template, UserLookup records, RecordCodec.Source nested) {
        this.template = template;
        viewPackage = new ViewPackage(records, nested, template.host());
    }

    /// Returns the mapper of an interface, which is created once.
    ///
    /// @param struct the struct, or empty for the struct that the interface declares
    /// @return a copy of the template
    public Object of(Class<?> type, Optional<StructType> struct) {
        return MapperCache.of(type, struct, template, this);
    }

    @Override
    public List<Class<?>> reachedByLookup() {
        return viewPackage.reachedByLookup();
    }

    @Override
    public void checkReach(Class<?> type) {
        viewPackage.checkReach(type);
    }

    @Override
    public Object create(Class<?> type, Optional<StructType> given) {
        ViewDeclaration.checkView(type);
        StructType struct = given.orElseGet(() -> new StructTypeReader(ViewDeclaration::componentsOf).read(type));
        if (struct.byteSize() == 0) {
            throw ComponentDeclaration.refusal(type, "Struct has no size",
                    "the number of views in a segment would be infinite: struct="
                            + struct.name() + ", byteSize=0; give it a member that has one");
        }
        viewPackage.nested().begin(type, given, struct);
        ViewClass view = ViewClass.of(type, DeclaredTargets.of(struct, type), viewPackage);
        return template.instance(new ClassData(struct, type, view));
    }
}
