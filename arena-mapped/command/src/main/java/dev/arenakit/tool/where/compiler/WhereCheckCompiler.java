package dev.arenakit.tool.where.compiler;

import dev.arenakit.layout.type.StringType;
import dev.arenakit.tool.where.compiler.WhereCondition.AmongCheck;
import dev.arenakit.tool.where.compiler.WhereCondition.BytesCheck;
import dev.arenakit.tool.where.compiler.WhereCondition.Check;
import dev.arenakit.tool.where.compiler.WhereCondition.FloatingCheck;
import dev.arenakit.tool.where.compiler.WhereCondition.FloatingValue;
import dev.arenakit.tool.where.compiler.WhereCondition.IntegerCheck;
import dev.arenakit.tool.where.compiler.WhereCondition.IntegerValue;
import dev.arenakit.tool.where.compiler.WhereCondition.NanCheck;
import dev.arenakit.tool.where.compiler.WhereCondition.Pair;
import dev.arenakit.tool.where.compiler.WhereCondition.Value;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.List;

/// Compiles comparisons. Each method jumps to a label if the comparison is true, and does not jump otherwise.
final class WhereCheckCompiler {
    private static final ClassDesc SEGMENT = MemorySegment.class.describeConstable().orElseThrow();
    private static final ClassDesc TEXT = WhereTextCondition.class.describeConstable().orElseThrow();
    private static final ClassDesc LONGS = ConstantDescs.CD_long.arrayType();
    private static final MethodTypeDesc COMPARE = MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_long,
            ConstantDescs.CD_long);
    private static final MethodTypeDesc TO_DOUBLE = MethodTypeDesc.of(ConstantDescs.CD_double, ConstantDescs.CD_long);

    private final CodeBuilder code;
    private final WhereClassData constants;

    WhereCheckCompiler(CodeBuilder code, WhereClassData constants) {
        this.code = code;
        this.constants = constants;
    }

    /// Compares the number on the stack.
    void number(Value value, Check check, Label isTrue) {
        switch (check) {
            case IntegerCheck integer -> {
                code.loadConstant(integer.constant());
                if (isUnsignedLong(value) && !integer.operator().isEquality()) {
                    code.invokestatic(ConstantDescs.CD_Long, "compareUnsigned", COMPARE);
                } else {
                    code.lcmp();
                }
                jump(integer.operator(), isTrue);
            }
            case AmongCheck among -> {
                long[] values = among.values().stream().mapToLong(Long::longValue).toArray();
                int local = code.allocateLocal(WhereCompiler.offsetKind());
                code.lstore(local);
                constants.load(code, long[].class, values);
                code.lload(local)
                        .invokestatic(WhereLoadCompiler.READS, "isAmong",
                                MethodTypeDesc.of(ConstantDescs.CD_boolean, LONGS, ConstantDescs.CD_long));
                jumpIf(among.isAmong(), isTrue);
            }
            case FloatingCheck floating -> {
                code.loadConstant(floating.constant());
                compareDoubles(floating.operator(), isTrue);
            }
            case NanCheck nan -> {
                code.invokestatic(ConstantDescs.CD_Double, "isNaN",
                        MethodTypeDesc.of(ConstantDescs.CD_boolean, ConstantDescs.CD_double));
                jumpIf(nan.isNan(), isTrue);
            }
            default -> throw new AssertionError("No check of a number: " + check);
        }
    }

    /// Compares two numbers.
    void pair(Runnable loadLeft, Pair pair, Runnable loadRight, Label isTrue) {
        if (pair.left() instanceof FloatingValue || pair.right() instanceof FloatingValue) {
            loadLeft.run();
            toDouble(pair.left());
            loadRight.run();
            toDouble(pair.right());
            compareDoubles(pair.operator(), isTrue);
            return;
        }
        boolean isLeftUnsigned = isUnsignedLong(pair.left());
        boolean isRightUnsigned = isUnsignedLong(pair.right());
        boolean areExchanged = isLeftUnsigned && !isRightUnsigned;
        (areExchanged ? loadRight : loadLeft).run();
        (areExchanged ? loadLeft : loadRight).run();
        if (isLeftUnsigned && isRightUnsigned) {
            code.invokestatic(ConstantDescs.CD_Long, "compareUnsigned", COMPARE);
        } else if (isLeftUnsigned || isRightUnsigned) {
            code.invokestatic(WhereLoadCompiler.READS, "compareSignedUnsigned", COMPARE);
        } else {
            code.lcmp();
        }
        jump(areExchanged ? pair.operator().reversed() : pair.operator(), isTrue);
    }

    /// Compares two texts. Each text is pushed as its type, the segment and its offset.
    void texts(Runnable loadLeft, WhereOperator operator, Runnable loadRight, Label isTrue) {
        MethodTypeDesc decode = MethodTypeDesc.of(ConstantDescs.CD_String,
                StringType.class.describeConstable().orElseThrow(), SEGMENT, ConstantDescs.CD_long);
        loadLeft.run();
        code.invokestatic(TEXT, "string", decode);
        loadRight.run();
        code.invokestatic(TEXT, "string", decode);
        code.invokevirtual(ConstantDescs.CD_String, "compareTo",
                MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_String));
        jump(operator, isTrue);
    }

    /// Tests a text. The stack contains the test, the segment and the offset.
    void text(Label isTrue) {
        code.invokevirtual(TEXT, "test",
                MethodTypeDesc.of(ConstantDescs.CD_boolean, SEGMENT, ConstantDescs.CD_long));
        code.ifne(isTrue);
    }

    /// Compares bytes, in as few and as large words as possible.
    void bytes(WhereOffset place, BytesCheck check, Label isTrue) {
        Label differs = code.newLabel();
        List<Byte> bytes = check.bytes();
        for (int at = 0; at < bytes.size();) {
            int size = Math.min(Long.BYTES, Integer.highestOneBit(bytes.size() - at));
            long word = 0;
            for (int i = size - 1; i >= 0; i--) {
                word = word << Byte.SIZE | (bytes.get(at + i) & 0xff);
            }
            WhereLoadCompiler.integer(code, place.plus(at),
                    WhereInteger.ofBytes(size, ByteOrder.LITTLE_ENDIAN, false));
            code.loadConstant(word).lcmp().ifne(check.isEqual() ? differs : isTrue);
            at += size;
        }
        if (check.isEqual()) {
            code.goto_(isTrue);
        }
        code.labelBinding(differs);
    }

    private void toDouble(Value value) {
        if (isUnsignedLong(value)) {
            code.invokestatic(WhereLoadCompiler.READS, "doubleOfUnsigned", TO_DOUBLE);
        } else if (!(value instanceof FloatingValue)) {
            code.l2d();
        }
    }

    /// Compares the doubles on the stack as Java does: with NaN, only `!=` is true.
    private void compareDoubles(WhereOperator operator, Label isTrue) {
        switch (operator) {
            case LESS, LESS_OR_EQUAL -> code.dcmpg();
            default -> code.dcmpl();
        }
        jump(operator, isTrue);
    }

    private void jump(WhereOperator operator, Label isTrue) {
        switch (operator) {
            case EQUAL -> code.ifeq(isTrue);
            case NOT_EQUAL -> code.ifne(isTrue);
            case LESS -> code.iflt(isTrue);
            case LESS_OR_EQUAL -> code.ifle(isTrue);
            case GREATER -> code.ifgt(isTrue);
            case GREATER_OR_EQUAL -> code.ifge(isTrue);
            case MATCHES, MATCHES_NOT -> throw new AssertionError("No comparison: " + operator);
        }
    }

    private void jumpIf(boolean expected, Label isTrue) {
        if (expected) {
            code.ifne(isTrue);
        } else {
            code.ifeq(isTrue);
        }
    }

    private static boolean isUnsignedLong(Value value) {
        return value instanceof IntegerValue integer && integer.form().isUnsignedLong();
    }
}
