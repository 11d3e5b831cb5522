package dev.arenakit.layout;

import dev.arenakit.layout.HiddenClassBuilder.Constant;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/// The code that reads or writes one number or address.
sealed interface RecordAccess
        permits RecordAccess.OfHandle, RecordAccess.Extended, RecordAccess.OfBits, RecordWordAccess {
    /// The type of the value that is pushed and popped.
    ClassDesc carrier();

    /// Pushes the value in memory.
    void get(CodeBuilder code, RecordPlace place);

    /// Writes a value to memory.
    ///
    /// @param value pushes the value
    void set(CodeBuilder code, RecordPlace place, Runnable value);

    default TypeKind kind() {
        return TypeKind.from(carrier());
    }

    /// A VarHandle whose coordinates are a segment and the offset of the outermost struct. It checks that the whole
    /// struct is within the segment.
    record OfHandle(Constant handle, ClassDesc carrier) implements RecordAccess {
        @Override
        public void get(CodeBuilder code, RecordPlace place) {
            handle.load(code);
            place.push(code)
                    .invokevirtual(ConstantDescs.CD_VarHandle, "get",
                            MethodTypeDesc.of(carrier, RecordReadEmitter.SEGMENT, ConstantDescs.CD_long));
        }

        @Override
        public void set(CodeBuilder code, RecordPlace place, Runnable value) {
            handle.load(code);
            place.push(code);
            value.run();
            code.invokevirtual(ConstantDescs.CD_VarHandle, "set", MethodTypeDesc.of(ConstantDescs.CD_void,
                    RecordReadEmitter.SEGMENT, ConstantDescs.CD_long, carrier));
        }
    }

    /// An integer of a smaller type, which is extended with zeros.
    record Extended(RecordAccess smaller) implements RecordAccess {
        @Override
        public ClassDesc carrier() {
            return smaller.kind() == TypeKind.INT ? ConstantDescs.CD_long : ConstantDescs.CD_int;
        }

        @Override
        public void get(CodeBuilder code, RecordPlace place) {
            smaller.get(code, place);
            switch (smaller.kind()) {
                case BYTE -> code.loadConstant(0xff).iand();
                case SHORT -> code.loadConstant(0xffff).iand();
                default -> code.i2l().loadConstant(0xffffffffL).land();
            }
        }

        @Override
        public void set(CodeBuilder code, RecordPlace place, Runnable value) {
            smaller.set(code, place, () -> {
                value.run();
                code.conversion(kind(), smaller.kind());
            });
        }
    }

    /// A [PackedInteger].
    ///
    /// @param byteOffset its offset in the outermost struct
    record OfBits(Constant integer, long byteOffset) implements RecordAccess {
        private static final ClassDesc PACKED = RecordReadEmitter.descriptor(PackedInteger.class);

        @Override
        public ClassDesc carrier() {
            return ConstantDescs.CD_long;
        }

        @Override
        public void get(CodeBuilder code, RecordPlace place) {
            integer.load(code);
            push(code, place);
            code.invokevirtual(PACKED, "get", MethodTypeDesc.of(ConstantDescs.CD_long, RecordReadEmitter.SEGMENT,
                    ConstantDescs.CD_long));
        }

        @Override
        public void set(CodeBuilder code, RecordPlace place, Runnable value) {
            integer.load(code);
            push(code, place);
            value.run();
            code.invokevirtual(PACKED, "set", MethodTypeDesc.of(ConstantDescs.CD_void, RecordReadEmitter.SEGMENT,
                    ConstantDescs.CD_long, ConstantDescs.CD_long));
        }

        private void push(CodeBuilder code, RecordPlace place) {
            place.push(code).loadConstant(byteOffset).ladd();
        }
    }
}
