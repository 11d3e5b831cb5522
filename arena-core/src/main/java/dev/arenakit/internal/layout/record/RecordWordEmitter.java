package dev.arenakit.internal.layout.record;

import dev.arenakit.internal.layout.emit.Descriptors;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Emits the code that reads or writes a primitive value in an array of longs. The value is within one long.
///
/// Shifts and masks are much less work for the JIT compiler than a VarHandle.
///
/// @param carrier the type of the value
/// @param size    the size of the value in bytes
/// @param word    the index of the long
/// @param shift   the number of bits of the long below the value
/// @param swapped whether the byte order of the value differs from the native byte order
/// @param clears  whether the array contains previous bytes
record RecordWordEmitter(ClassDesc carrier, int size, int word, int shift, boolean swapped,
        boolean clears) implements RecordValueEmitter {
    /// @param offset the offset in the array, in bytes
    /// @param clears whether the array contains previous bytes
    static RecordWordEmitter of(ValueLayout value, long offset, boolean clears) {
        int size = (int) value.byteSize();
        int before = (int) (offset % Long.BYTES);
        int below = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? before : Long.BYTES - size - before;
        return new RecordWordEmitter(Descriptors.of(value.carrier()), size, (int) (offset / Long.BYTES),
                Byte.SIZE * below, size > 1 && value.order() != ByteOrder.nativeOrder(), clears);
    }

    /// Returns whether a value is within one long.
    static boolean isWithin(ValueLayout value, long offset) {
        return offset % Long.BYTES + value.byteSize() <= Long.BYTES;
    }

    @Override
    public void get(CodeBuilder code, Place place) {
        code.aload(place.array()).loadConstant(word).laload();
        if (shift > 0) {
            code.loadConstant(shift).lushr();
        }
        switch (kind()) {
            case LONG -> swap(code, ConstantDescs.CD_Long, TypeKind.LONG);
            case DOUBLE -> {
                swap(code, ConstantDescs.CD_Long, TypeKind.LONG);
                call(code, ConstantDescs.CD_Double, "longBitsToDouble", TypeKind.LONG, TypeKind.DOUBLE);
            }
            case FLOAT -> {
                swap(code.l2i(), ConstantDescs.CD_Integer, TypeKind.INT);
                call(code, ConstantDescs.CD_Float, "intBitsToFloat", TypeKind.INT, TypeKind.FLOAT);
            }
            case SHORT -> swap(code.l2i().i2s(), ConstantDescs.CD_Short, TypeKind.SHORT);
            case CHAR -> swap(code.l2i().i2c(), ConstantDescs.CD_Character, TypeKind.CHAR);
            case BYTE -> code.l2i().i2b();
            case BOOLEAN -> code.l2i().i2b().ifThenElse(CodeBuilder::iconst_1, CodeBuilder::iconst_0);
            default -> swap(code.l2i(), ConstantDescs.CD_Integer, TypeKind.INT);
        }
    }

    @Override
    public void beginSet(CodeBuilder code, Place place) {
        code.aload(place.array()).loadConstant(word);
        if (size < Long.BYTES) {
            code.dup2().laload();
            if (clears) {
                code.loadConstant(~(mask() << shift)).land();
            }
        }
    }

    private long mask() {
        return -1L >>> (Long.SIZE - Byte.SIZE * size);
    }

    @Override
    public void endSet(CodeBuilder code) {
        switch (kind()) {
            case LONG -> swap(code, ConstantDescs.CD_Long, TypeKind.LONG);
            case DOUBLE -> {
                call(code, ConstantDescs.CD_Double, "doubleToRawLongBits", TypeKind.DOUBLE, TypeKind.LONG);
                swap(code, ConstantDescs.CD_Long, TypeKind.LONG);
            }
            case FLOAT -> {
                call(code, ConstantDescs.CD_Float, "floatToRawIntBits", TypeKind.FLOAT, TypeKind.INT);
                swap(code, ConstantDescs.CD_Integer, TypeKind.INT);
            }
            case SHORT -> swap(code, ConstantDescs.CD_Short, TypeKind.SHORT);
            case CHAR -> swap(code, ConstantDescs.CD_Character, TypeKind.CHAR);
            case BYTE, BOOLEAN -> {
            }
            default -> swap(code, ConstantDescs.CD_Integer, TypeKind.INT);
        }
        if (size < Long.BYTES) {
            code.i2l().loadConstant(mask()).land();
            if (shift > 0) {
                code.loadConstant(shift).lshl();
            }
            code.lor();
        }
        code.lastore();
    }

    private void swap(CodeBuilder code, ClassDesc owner, TypeKind kind) {
        if (swapped) {
            call(code, owner, "reverseBytes", kind, kind);
        }
    }

    private static void call(CodeBuilder code, ClassDesc owner, String name, TypeKind from, TypeKind to) {
        code.invokestatic(owner, name, MethodTypeDesc.of(to.upperBound(), from.upperBound()));
    }
}
