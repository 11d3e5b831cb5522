package dev.arenakit.layout;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.IdentityHashMap;
import java.util.Objects;

/// Where the code of a mapper keeps a value between two steps.
///
/// A node of the record has one value; for a union it is which record it is, and those of its records come besides.
sealed interface PreparedValues {
    /// Takes the value of a node from the stack.
    void store(RecordNode node);

    /// Pushes the value of a node.
    void load(RecordNode node);

    /// Gives a value to a node that has none on some path, where the verifier asks for one.
    void clear(RecordNode node);

    /// Values in local variables, for one method.
    record InVariables(CodeBuilder code, IdentityHashMap<RecordNode, Integer> slots) implements PreparedValues {
        InVariables(CodeBuilder code) {
            this(code, new IdentityHashMap<>());
        }

        @Override
        public void store(RecordNode node) {
            code.storeLocal(kind(node), slot(node));
        }

        @Override
        public void load(RecordNode node) {
            code.loadLocal(kind(node), slot(node));
        }

        @Override
        public void clear(RecordNode node) {
            switch (kind(node)) {
                case LONG -> code.lconst_0();
                case FLOAT -> code.fconst_0();
                case DOUBLE -> code.dconst_0();
                case REFERENCE -> code.aconst_null();
                default -> code.iconst_0();
            }
            store(node);
        }

        private int slot(RecordNode node) {
            return slots.computeIfAbsent(node, _ -> code.allocateLocal(kind(node)));
        }
    }

    /// Values in an array of objects, which several methods share.
    ///
    /// @param slot     the local variable that holds the array
    /// @param elements the index of each node in it
    record InArray(CodeBuilder code, int slot,
            IdentityHashMap<RecordNode, Integer> elements) implements PreparedValues {
        @Override
        public void store(RecordNode node) {
            storeElement(code, slot, index(node), kind(node));
        }

        @Override
        public void load(RecordNode node) {
            loadElement(code, slot, index(node), kind(node));
        }

        private int index(RecordNode node) {
            return Objects.requireNonNull(elements.get(node));
        }

        @Override
        public void clear(RecordNode node) {
            // An element that is not needed stays null.
        }
    }

    /// Takes a value from the stack, and puts it into an array of objects.
    static void storeElement(CodeBuilder code, int array, int index, TypeKind kind) {
        if (kind != TypeKind.REFERENCE) {
            ClassDesc box = box(kind);
            code.invokestatic(box, "valueOf", MethodTypeDesc.of(box, kind.upperBound()));
        }
        code.aload(array).swap().loadConstant(index).swap().aastore();
    }

    /// Pushes what stands in an array of objects.
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

    /// How a value stands on the stack: small integers are ints there.
    private static TypeKind kind(RecordNode node) {
        return switch (node) {
            case RecordNode.Direct direct -> TypeKind.from(direct.carrier()).asLoadable();
            case RecordNode.OneOf _ -> TypeKind.INT;
            default -> TypeKind.REFERENCE;
        };
    }
}
