package dev.arenakit.internal.layout.record;

import java.lang.classfile.CodeBuilder;
import java.util.IdentityHashMap;

/// The local variables in which generated code stores the values of a record between preparation and write.
///
/// Each node of the plan has one variable. The variable of a union holds the position of the record; the components of
/// the record have variables of their own.
final class RecordVariables {
    private final CodeBuilder code;
    private final IdentityHashMap<RecordPlan, Integer> variables = new IdentityHashMap<>();

    RecordVariables(CodeBuilder code) {
        this.code = code;
    }

    /// Pops the value of a node from the stack into its variable.
    void store(RecordPlan node) {
        code.storeLocal(node.kind(), variable(node));
    }

    /// Pushes the value of a node.
    void load(RecordPlan node) {
        code.loadLocal(node.kind(), variable(node));
    }

    /// Initialises the variable of a node that has no value on some path, as the verifier requires.
    void clear(RecordPlan node) {
        switch (node.kind()) {
            case LONG -> code.lconst_0();
            case FLOAT -> code.fconst_0();
            case DOUBLE -> code.dconst_0();
            case REFERENCE -> code.aconst_null();
            default -> code.iconst_0();
        }
        store(node);
    }

    private int variable(RecordPlan node) {
        Integer variable = variables.get(node);
        if (variable == null) {
            variable = code.allocateLocal(node.kind());
            variables.put(node, variable);
        }
        return variable;
    }
}
