package dev.arenakit.layout;

import dev.arenakit.layout.HiddenClassBuilder.Constant;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/// The plan by which a mapper accesses one component: the kind of access, and the constants for it.
sealed interface RecordPlan {
    /// Returns the number of memory accesses in the code of a node.
    static int size(RecordPlan node) {
        return switch (node) {
            case Direct _,Coded _ -> 1;
            case Struct struct -> struct.components().stream().mapToInt(component -> size(component.node())).sum();
            case OneOf oneOf -> oneOf.variants().stream().mapToInt(RecordPlan::size).sum();
        };
    }

    /// One value of a VarHandle. Its coordinates are a segment and the offset of the outermost struct.
    sealed interface Direct extends RecordPlan {
        Constant handle();

        ClassDesc carrier();
    }

    /// A primitive value.
    record Primitive(Constant handle, ClassDesc carrier) implements Direct {}

    /// A constant of an enum, which an [EnumCodec] converts.
    record Enumerated(Constant handle, ClassDesc carrier, Constant codec) implements Direct {}

    /// An address.
    ///
    /// @param hasTarget whether the size of its target is known
    record Address(Constant handle, ClassDesc carrier, boolean hasTarget, String where) implements Direct {}

    /// A value that a [ComponentCodec] reads and writes.
    record Coded(Constant codec) implements RecordPlan {}

    /// A record, with its constructor and accessors.
    record Struct(Constant constructor, MethodTypeDesc constructorType, List<Component> components, String where)
            implements
                RecordPlan {}

    /// A component of a record.
    record Component(Constant accessor, MethodTypeDesc accessorType, RecordPlan node) {}

    /// A union: one of several records.
    ///
    /// @param discriminator the component of the same record that identifies the record
    /// @param table         an [OrdinalTable] of the values of the discriminator
    /// @param classes       the classes of the records
    /// @param variants      the records
    record OneOf(Direct discriminator, Constant table, List<Constant> classes, List<RecordPlan> variants, String where)
            implements
                RecordPlan {}
}
