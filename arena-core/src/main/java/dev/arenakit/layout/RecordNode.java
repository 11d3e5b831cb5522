package dev.arenakit.layout;

import dev.arenakit.layout.HiddenClass.Constant;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/// What the code of a mapper does for a component, and the constants it does it with.
sealed interface RecordNode {
    /// How many accesses to memory the code for a node has.
    static int size(RecordNode node) {
        return switch (node) {
            case Direct _,Coded _ -> 1;
            case Struct struct -> struct.components().stream().mapToInt(component -> size(component.node())).sum();
            case OneOf oneOf -> oneOf.variants().stream().mapToInt(RecordNode::size).sum();
        };
    }

    /// One value of a VarHandle, whose coordinates are a segment and the offset of the outermost struct.
    sealed interface Direct extends RecordNode {
        Constant handle();

        ClassDesc carrier();
    }

    /// A primitive value.
    record Primitive(Constant handle, ClassDesc carrier) implements Direct {}

    /// A constant of an enum, by an [EnumCodec].
    record Enumerated(Constant handle, ClassDesc carrier, Constant codec) implements Direct {}

    /// An address.
    record Address(Constant handle, ClassDesc carrier, String where) implements Direct {}

    /// What a [ComponentCodec] reads and writes.
    record Coded(Constant codec) implements RecordNode {}

    /// A record, by its constructor and accessors.
    record Struct(Constant constructor, MethodTypeDesc constructorType, List<Component> components, String where)
            implements
                RecordNode {}

    /// A component of a record.
    record Component(Constant accessor, MethodTypeDesc accessorType, RecordNode node) {}

    /// One of several records.
    ///
    /// @param discriminator the component of the same record that tells which
    /// @param table         a [ValueTable] of what it says for each
    /// @param classes       the classes of the records
    /// @param variants      the records
    record OneOf(Direct discriminator, Constant table, List<Constant> classes, List<RecordNode> variants, String where)
            implements
                RecordNode {}
}
