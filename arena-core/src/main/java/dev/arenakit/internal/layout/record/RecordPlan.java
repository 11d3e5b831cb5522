package dev.arenakit.internal.layout.record;

import dev.arenakit.internal.layout.emit.HiddenClassBuilder.Call;
import dev.arenakit.internal.layout.emit.HiddenClassBuilder.Constant;
import dev.arenakit.internal.layout.value.ComponentCodec;
import dev.arenakit.internal.layout.value.CountedArrayCodec;
import dev.arenakit.internal.layout.value.IntegerRange;
import dev.arenakit.internal.layout.value.NumberCodec;
import dev.arenakit.internal.layout.value.OrdinalTable;
import dev.arenakit.layout.type.MemoryType;
import java.lang.classfile.TypeKind;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The plan by which a mapper accesses one component: the kind of access, and the constants for it.
///
/// Code that the first mapper of a process runs distinguishes plans and types in memory by `instanceof`, and the
/// commonest first: each switch over patterns takes a hundredth of the time of the first mapper to link, and loads all
/// classes that it names.
sealed interface RecordPlan {
    /// Returns the number of memory accesses in the code of a node.
    static int size(RecordPlan node) {
        return switch (node) {
            case Direct _,Coded _ -> 1;
            case Struct struct -> struct.components().stream().mapToInt(component -> size(component.node())).sum();
            case OneOf oneOf -> oneOf.variants().stream().mapToInt(RecordPlan::size).sum();
        };
    }

    /// Returns the kind of the value on the stack, where small integers are ints.
    default TypeKind kind() {
        return TypeKind.REFERENCE;
    }

    /// Returns the first access if it is through a VarHandle, which checks that the whole struct is within the segment.
    default Optional<RecordValueEmitter.OfHandle> firstHandle() {
        return Optional.empty();
    }

    /// One number or address.
    sealed interface Direct extends RecordPlan {
        RecordValueEmitter access();

        @Override
        default TypeKind kind() {
            return access().kind().asLoadable();
        }

        @Override
        default Optional<RecordValueEmitter.OfHandle> firstHandle() {
            return access().ofHandle();
        }

        /// Returns whether the bits that [#access] gives are an unsigned integer, which must be extended with zeros.
        default boolean unsigned() {
            return false;
        }
    }

    /// A primitive value.
    ///
    /// @param unsigned whether its bits are an unsigned integer
    record Primitive(RecordValueEmitter access, boolean unsigned) implements Direct {}

    /// An integer that is smaller in memory than its type in Java.
    ///
    /// @param type  the type in Java
    /// @param checked the method of an [IntegerRange]
    record Ranged(RecordValueEmitter access, TypeKind type, Call checked) implements Direct {}

    /// A constant of an enum, or a reference.
    ///
    /// @param unsigned whether the bits in memory are an unsigned integer
    /// @param decode   the `decode` method of the [NumberCodec]
    /// @param encode   the `encode` method of the codec
    record Decoded(RecordValueEmitter access, boolean unsigned, Call decode, Call encode) implements Direct {}

    /// An address.
    ///
    /// @param present the method that is applied to an address after a read, if there is a target
    /// @param checked the method that checks an address before a write; its second argument is `where`
    record Address(RecordValueEmitter access, Optional<Call> present, Call checked, String where) implements Direct {}

    /// A value that a [ComponentCodec] reads and writes.
    ///
    /// @param read    the `read` method of the codec
    /// @param prepare the `prepare` method of the codec
    /// @param write   the `write` method of the codec
    /// @param counted how the number of elements is checked
    record Coded(Call read, Call prepare, Call write, Optional<Counted> counted) implements RecordPlan {}

    /// The number of elements of an array.
    ///
    /// @param count      the component
    /// @param check      the method of a [CountedArrayCodec] for an array that was prepared
    /// @param checkArray the method of the codec for any array
    record Counted(Reference count, Call check, Call checkArray) {}

    /// A record.
    record Struct(RecordCalls calls, List<Component> components, String where) implements RecordPlan {
        @Override
        public Optional<RecordValueEmitter.OfHandle> firstHandle() {
            return components.isEmpty() ? Optional.empty() : components.getFirst().node().firstHandle();
        }

        /// Returns the node of a member, or null if the record does not have it.
        @Nullable
        RecordPlan find(String member) {
            return components.stream()
                    .filter(component -> component.member().equals(member))
                    .findFirst()
                    .map(Component::node)
                    .orElse(null);
        }
    }

    /// A component of a record.
    ///
    /// @param member the name of the member
    record Component(String member, RecordPlan node) {}

    /// A component to which another one refers: the discriminator of a union, the count of an array.
    ///
    /// @param node       the node of the component; it was not prepared if it is in a record with a mapper of its own,
    ///                   so that only its memory is accessible
    /// @param type       the type in memory
    /// @param byteOffset the offset in the outermost struct
    record Reference(Direct node, MemoryType type, long byteOffset) {}

    /// A union: one of several records.
    ///
    /// @param discriminator the component that identifies the record
    /// @param position      the method of an [OrdinalTable] that gives the position of the record
    /// @param check         the method of the table that compares the position with the discriminator
    /// @param classes       the classes of the records
    /// @param variants      the records
    record OneOf(Reference discriminator, Call position, Call check, List<Constant> classes, List<RecordPlan> variants,
            String where) implements RecordPlan {
        @Override
        public TypeKind kind() {
            return TypeKind.INT;
        }
    }
}
