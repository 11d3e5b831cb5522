package dev.arenakit.internal.layout.declaration;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// The components of a class that is a struct or a union: a record, a view, or a sealed interface of records.
public final class DeclaredComponents {
    private DeclaredComponents() {}

    /// Returns the component of a class by its name.
    public static Optional<ComponentDeclaration> find(Class<?> owner, String name) {
        return ComponentNames.find(of(owner), name);
    }

    /// Returns the components of a class.
    ///
    /// @param owner a record, a view, or a sealed interface of records, whose components are these records
    static Collection<ComponentDeclaration> of(Class<?> owner) {
        if (owner.isSealed() && owner.isInterface()) {
            return UnionRecords.of(owner)
                    .stream()
                    .<ComponentDeclaration>map(
                            record -> new ComponentDeclaration(owner, DiscriminatorValues.memberName(record), record,
                                    Object.class))
                    .toList();
        }
        return ViewDeclaration.isView(owner)
                ? ViewDeclaration.accessors(owner).values().stream().map(ViewAccessor::component).toList()
                : ComponentDeclaration.ofRecord(owner).orElse(List.of());
    }
}
