package dev.arenakit.layout;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.IdentityHashMap;
import java.util.Objects;

/// The slots in which generated code stores the values of a record between preparation and write.
///
/// Each node of the plan has one slot. The slot of a union holds the position of the record; the components of the
/// record have slots of their own.
sealed interface RecordValueSlots {
    /// Pops the value of a node from the stack into its slot.
    void store(RecordPlan node);

    /// Pushes the value of a node.
    void load(RecordPlan node);

    /// Initialises the slot of a node that has no value on some path, as the verifier requires.
    void clear(RecordPlan node);

    /// Slots in the local variables of one method.
    record InVariables(CodeBuilder code, IdentityHashMap<RecordPlan, Integer> slots) implements RecordValueSlots {
        InVariables(CodeBuilder code) {
            this(code, new IdentityHashMap<>());
        }

        @Override
        public void store(RecordPlan node) {
            code.storeLocal(kind(node), slot(node));
        }

        @Override
        public void load(RecordPlan node) {
            code.loadLocal(kind(node), slot(node));
        }

        @Override
        public void clear(RecordPlan node) {
            switch (kind(node)) {
                case LONG -> code.lconst_0();
                case FLOAT -> code.fconst_0();
                case DOUBLE -> code.dconst_0();
                case REFERENCE -> code.aconst_null();
                default -> code.iconst_0();
            }
            store(node);
        }

        private int slot(RecordPlan node) {
            return slots.computeIfAbsent(node, _ -> code.allocateLocal(kind(node)));
        }
    }

    /// Slots in an array of objects that several methods share.
    ///
    /// @param slot     the local variable of the array
    /// @param elements the index of each node in the array
    record InArray(CodeBuilder code, int slot,
            IdentityHashMap<RecordPlan, Integer> elements) implements RecordValueSlots {
        @Override
        public void store(RecordPlan node) {
            storeElement(code, slot, index(node), kind(node));
        }

        @Override
        public void load(RecordPlan node) {
            loadElement(code, slot, index(node), kind(node));
        }

        private int index(RecordPlan node) {
            return Objects.requireNonNull(elements.get(node));
        }

        @Override
        public void clear(RecordPlan node) {
            // An unused element remains null.
        }
    }

    /// Pops a value from the stack into an element of an array of objects.
    static void storeElement(CodeBuilder code, int array, int index, TypeKind kind) {
        if (kind != TypeKind.REFERENCE) {
            ClassDesc box = box(kind);
            code.invokestatic(box, "valueOf", MethodTypeDesc.of(box, kind.upperBound()));
        }
        code.aload(array).swap().loadConstant(index).swap().aastore();
    }

    /// Pushes an element of an array of objects.
    static void loadElement(CodeBuilder code, int array, int index, TypeKind kind) {
        code.aload(array).loadConstant(index).aaload();
        if (kind != TypeKind.REFERENCE) {
            code.checkcast(box(kind))
                    .invokevirtual(box(kind), kind.upperBound().displayName() + "Value",
                            MethodTypeDesc.of(kind.upperBound()));
        }
    }

    private static ClassDesc box(TypeKind kind) {
        return switch (kind) {
            case LONG -> ConstantDescs.CD_Long;
            case FLOAT -> ConstantDescs.CD_Float;
            case DOUBLE -> ConstantDescs.CD_Double;
            default -> ConstantDescs.CD_Integer;
        };
    }

    /// Returns the kind of a value on the stack, where small integers are ints.
    private static TypeKind kind(RecordPlan node) {
        return switch (node) {
            case RecordPlan.Direct direct -> TypeKind.from(direct.carrier()).asLoadable();
            case RecordPlan.OneOf _ -> TypeKind.INT;
            default -> TypeKind.REFERENCE;
        };
    }
}
