package dev.arenakit.internal.layout.record;

import dev.arenakit.internal.layout.emit.Descriptors;
import dev.arenakit.internal.layout.record.RecordValueEmitter.Place;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/// Emits the code that reads a record. An access through a VarHandle checks segment and offset for the whole struct.
record RecordReadEmitter(CodeBuilder code, Place place) {
    private static final ClassDesc SEGMENT = Descriptors.SEGMENT;
    private static final ClassDesc LONG = ConstantDescs.CD_long;

    /// Checks that the struct is within the segment, unless the first access checks it.
    void check(RecordPlan.Struct struct, long byteSize, long byteAlignment) {
        if (struct.firstHandle().isEmpty()) {
            place.push(code)
                    .loadConstant(byteSize)
                    .loadConstant(byteAlignment)
                    .invokeinterface(SEGMENT, "asSlice", MethodTypeDesc.of(SEGMENT, LONG, LONG, LONG))
                    .pop();
        }
    }

    /// Pushes the record.
    void read(RecordPlan.Struct struct) {
        struct.calls().beginNew(code);
        for (int i = 0; i < struct.components().size(); i++) {
            read(struct.components().get(i).node());
            struct.calls().cast(code, i);
        }
        struct.calls().endNew(code);
    }

    /// Pushes the value of a component.
    void read(RecordPlan node) {
        if (node instanceof RecordPlan.Primitive primitive) {
            primitive.access().get(code, place);
        } else if (node instanceof RecordPlan.Struct struct) {
            read(struct);
        } else if (node instanceof RecordPlan.Ranged ranged) {
            ranged.access().get(code, place);
            code.conversion(ranged.access().kind(), ranged.type());
        } else if (node instanceof RecordPlan.Decoded decoded) {
            decoded.decode().begin(code);
            readAsLong(decoded);
            decoded.decode().end(code);
        } else if (node instanceof RecordPlan.Address address) {
            address.present().ifPresent(present -> present.begin(code));
            address.access().get(code, place);
            address.present().ifPresent(present -> present.end(code));
        } else if (node instanceof RecordPlan.Coded coded) {
            coded.read().begin(code);
            place.push(code);
            coded.read().end(code);
        } else {
            read((RecordPlan.OneOf) node);
        }
    }

    private void read(RecordPlan.OneOf oneOf) {
        oneOf.position().begin(code);
        readAsLong(oneOf.discriminator().node());
        oneOf.position().end(code);
        select(code, oneOf.variants().size(), i -> read(oneOf.variants().get(i)));
    }

    /// Pushes a number in memory as a long.
    void readAsLong(RecordPlan.Direct direct) {
        direct.access().get(code, place);
        toLong(direct);
    }

    /// Converts the number on the stack to a long.
    void toLong(RecordPlan.Direct direct) {
        TypeKind kind = direct.access().kind();
        code.conversion(kind, TypeKind.LONG);
        if (direct.unsigned() && kind != TypeKind.LONG) {
            code.loadConstant(-1L >>> (Long.SIZE - Byte.SIZE * bytes(kind))).land();
        }
    }

    private static int bytes(TypeKind kind) {
        return switch (kind) {
            case BYTE -> Byte.BYTES;
            case SHORT -> Short.BYTES;
            default -> Integer.BYTES;
        };
    }

    /// Emits a switch that executes the piece of code with the number on the stack.
    static void select(CodeBuilder code, int count, IntConsumer piece) {
        Label end = code.newLabel();
        List<SwitchCase> cases = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            cases.add(SwitchCase.of(i, code.newLabel()));
        }
        code.tableswitch(cases.getLast().target(), cases);
        for (SwitchCase one : cases) {
            code.labelBinding(one.target());
            piece.accept(one.caseValue());
            code.goto_(end);
        }
        code.labelBinding(end);
    }
}
