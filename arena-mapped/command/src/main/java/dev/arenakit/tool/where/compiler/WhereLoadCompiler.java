package dev.arenakit.tool.where.compiler;

import dev.arenakit.tool.where.compiler.WhereCondition.FloatingValue;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The code that pushes values of fields.
final class WhereLoadCompiler {
    static final ClassDesc READS = WhereRuntime.class.describeConstable().orElseThrow();
    private static final ClassDesc SEGMENT = MemorySegment.class.describeConstable().orElseThrow();

    private WhereLoadCompiler() {}

    /// Pushes an integer as `long`.
    static void integer(CodeBuilder code, WhereOffset place, WhereInteger form) {
        int shift = Long.SIZE - form.bitSize() - form.shift();
        boolean isWhole = form.bitSize() == Byte.SIZE * form.byteSize();
        boolean isDone = isWhole && (!form.isSigned() || Integer.bitCount(form.byteSize()) == 1);
        load(code, place, form.byteSize(), form.isBigEndian(), form.isSigned());
        if (!isDone) {
            code.loadConstant(shift).lshl().loadConstant(Long.SIZE - form.bitSize());
            if (form.isSigned()) {
                code.lshr();
            } else {
                code.lushr();
            }
        }
    }

    /// Replaces an integer by 1 if it is not 0.
    static void bool(CodeBuilder code) {
        code.invokestatic(READS, "bool", MethodTypeDesc.of(ConstantDescs.CD_long, ConstantDescs.CD_long));
    }

    /// Pushes a floating-point number as `double`.
    static void floating(CodeBuilder code, WhereOffset place, FloatingValue value) {
        load(code, place, value.byteSize(), value.isBigEndian(), true);
        if (value.byteSize() == Float.BYTES) {
            code.l2i();
            code.invokestatic(ConstantDescs.CD_Float, "intBitsToFloat",
                    MethodTypeDesc.of(ConstantDescs.CD_float, ConstantDescs.CD_int));
            code.f2d();
        } else {
            code.invokestatic(ConstantDescs.CD_Double, "longBitsToDouble",
                    MethodTypeDesc.of(ConstantDescs.CD_double, ConstantDescs.CD_long));
        }
    }

    /// Pushes bytes as `long`. The access is emitted inline: the JVM does not inline a method that it has compiled to
    /// many instructions.
    private static void load(CodeBuilder code, WhereOffset place, int byteSize, boolean isBigEndian,
            boolean isSigned) {
        code.aload(WhereCompiler.bytesLocal());
        switch (byteSize) {
            case 1 -> get(code, place, "BYTE", ValueLayout.OfByte.class, ConstantDescs.CD_byte).i2l();
            case 2 -> get(code, place, "SHORT" + order(isBigEndian), ValueLayout.OfShort.class,
                    ConstantDescs.CD_short).i2l();
            case 4 -> get(code, place, "INT" + order(isBigEndian), ValueLayout.OfInt.class, ConstantDescs.CD_int)
                    .i2l();
            case 8 -> get(code, place, "LONG" + order(isBigEndian), ValueLayout.OfLong.class, ConstantDescs.CD_long);
            default -> {
                place.load(code);
                code.loadConstant(byteSize).loadConstant(isBigEndian ? 1 : 0);
                code.invokestatic(READS, "unsigned", MethodTypeDesc.of(ConstantDescs.CD_long, SEGMENT,
                        ConstantDescs.CD_long, ConstantDescs.CD_int, ConstantDescs.CD_boolean));
            }
        }
        if (!isSigned && byteSize < Integer.BYTES + 1 && Integer.bitCount(byteSize) == 1) {
            code.loadConstant(-1L >>> (Long.SIZE - Byte.SIZE * byteSize)).land();
        }
    }

    private static CodeBuilder get(CodeBuilder code, WhereOffset place, String layout, Class<?> type,
            ClassDesc result) {
        ClassDesc desc = type.describeConstable().orElseThrow();
        code.getstatic(READS, layout, desc);
        place.load(code);
        return code.invokeinterface(SEGMENT, "get", MethodTypeDesc.of(result, desc, ConstantDescs.CD_long));
    }

    private static String order(boolean isBigEndian) {
        return isBigEndian ? "_BE" : "_LE";
    }
}
