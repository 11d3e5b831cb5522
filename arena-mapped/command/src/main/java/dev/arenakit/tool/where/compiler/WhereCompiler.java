package dev.arenakit.tool.where.compiler;

import dev.arenakit.layout.type.StringType;
import dev.arenakit.tool.where.compiler.WhereCondition.Check;
import dev.arenakit.tool.where.compiler.WhereCondition.FloatingValue;
import dev.arenakit.tool.where.compiler.WhereCondition.IntegerValue;
import dev.arenakit.tool.where.compiler.WhereCondition.Value;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessFlag;

/// Compiles a predicate to a class with a loop over structs, which the JVM optimises like any other loop.
///
/// ```text
/// long next(MemorySegment bytes, long from, long to, long index) {
///     for (; from <= to - byteSize; from += byteSize, index++) {
///         if (predicate) {
///             return from;
///         }
///     }
///     return -1;
/// }
/// ```
///
/// A large predicate is divided into methods with the same parameters: see [WhereMethodSplit].
public final class WhereCompiler {
    private static final ClassDesc MATCHER = WhereMatcher.class.describeConstable().orElseThrow();
    private static final ClassDesc SEGMENT = MemorySegment.class.describeConstable().orElseThrow();
    private static final MethodTypeDesc NEXT = MethodTypeDesc.of(ConstantDescs.CD_long, SEGMENT,
            ConstantDescs.CD_long, ConstantDescs.CD_long, ConstantDescs.CD_long);
    private static final MethodTypeDesc TEST = NEXT.changeReturnType(ConstantDescs.CD_boolean);
    private static final ClassDesc COMPILED = ClassDesc.of(WhereCompiler.class.getPackageName(), "Where");
    private static final int BYTES = 1;
    private static final int FROM = 2;
    private static final int TO = 4;
    private static final int INDEX = 6;

    private final CodeBuilder code;
    private final WhereClassData constants;
    private final WhereCheckCompiler checks;

    private WhereCompiler(CodeBuilder code, WhereClassData constants) {
        this.code = code;
        this.constants = constants;
        checks = new WhereCheckCompiler(code, constants);
    }

    /// Compiles a predicate.
    ///
    /// @param byteSize the size of a struct, at least 1
    /// @throws IllegalArgumentException if the predicate is too long
    public static WhereMatcher compile(WhereCondition condition, long byteSize) {
        WhereClassData constants = new WhereClassData();
        byte[] bytes = classFile(condition, byteSize, constants);
        try {
            MethodHandles.Lookup matcher = MethodHandles.lookup()
                    .defineHiddenClassWithClassData(bytes, constants.values(), true);
            return (WhereMatcher) matcher
                    .findConstructor(matcher.lookupClass(), MethodType.methodType(void.class))
                    .asType(MethodType.methodType(WhereMatcher.class))
                    .invokeExact();
        } catch (Throwable e) {
            throw new LinkageError("A compiled predicate cannot be loaded", e);
        }
    }

    static byte[] classFile(WhereCondition condition, long byteSize, WhereClassData constants) {
        WhereMethodSplit division = new WhereMethodSplit(condition);
        return ClassFile.of().build(COMPILED, type -> {
            type.withSuperclass(MATCHER)
                    .withFlags(AccessFlag.FINAL)
                    .withMethodBody(ConstantDescs.INIT_NAME, ConstantDescs.MTD_void, 0,
                            code -> code.aload(0)
                                    .invokespecial(MATCHER, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                                    .return_())
                    .withMethodBody("next", NEXT, 0,
                            code -> new WhereCompiler(code, constants).loop(division.root(), byteSize));
            for (int i = 0; i < division.methods().size(); i++) {
                WhereCondition part = division.methods().get(i);
                type.withMethodBody(methodName(i), TEST, 0, code -> new WhereCompiler(code, constants).test(part));
            }
        });
    }

    private static String methodName(int number) {
        return "test" + number;
    }

    private void test(WhereCondition part) {
        Label isTrue = code.newLabel();
        Label isFalse = code.newLabel();
        compile(part, isTrue, isFalse);
        code.labelBinding(isTrue).iconst_1().ireturn();
        code.labelBinding(isFalse).iconst_0().ireturn();
    }

    private void loop(WhereCondition condition, long byteSize) {
        Label top = code.newLabel();
        Label found = code.newLabel();
        Label next = code.newLabel();
        Label end = code.newLabel();
        code.labelBinding(top);
        code.lload(FROM).lload(TO).loadConstant(byteSize).lsub().lcmp().ifgt(end);
        compile(condition, found, next);
        code.labelBinding(next);
        code.lload(FROM).loadConstant(byteSize).ladd().lstore(FROM);
        code.lload(INDEX).lconst_1().ladd().lstore(INDEX);
        code.goto_(top);
        code.labelBinding(found);
        code.lload(FROM).lreturn();
        code.labelBinding(end);
        code.loadConstant(-1L).lreturn();
    }

    /// Jumps to one of two labels.
    private void compile(WhereCondition condition, Label isTrue, Label isFalse) {
        switch (condition) {
            case WhereCondition.Any any -> {
                for (WhereCondition term : any.terms()) {
                    Label other = code.newLabel();
                    compile(term, isTrue, other);
                    code.labelBinding(other);
                }
                code.goto_(isFalse);
            }
            case WhereCondition.All all -> {
                for (WhereCondition term : all.terms()) {
                    Label more = code.newLabel();
                    compile(term, more, isFalse);
                    code.labelBinding(more);
                }
                code.goto_(isTrue);
            }
            case WhereCondition.Negation negation -> compile(negation.term(), isFalse, isTrue);
            case WhereCondition.Call call -> {
                code.aload(0).aload(BYTES).lload(FROM).lload(TO).lload(INDEX);
                code.invokevirtual(COMPILED, methodName(call.method()), TEST).ifne(isTrue).goto_(isFalse);
            }
            case WhereCondition.Checked test -> at(test.value(), isFalse, (place, fail) -> {
                compile(test.value(), place, test.check(), isTrue);
                code.goto_(fail);
            });
            case WhereCondition.Pair pair -> at(pair.left(), isFalse,
                    (one, failOne) -> at(pair.right(), failOne, (two, fail) -> {
                        checks.pair(() -> load(pair.left(), one), pair, () -> load(pair.right(), two), isTrue);
                        code.goto_(fail);
                    }));
            case WhereCondition.TextPair pair -> at(pair.left(), isFalse,
                    (one, failOne) -> at(pair.right(), failOne, (two, fail) -> {
                        checks.texts(() -> loadText(pair.left(), one), pair.operator(),
                                () -> loadText(pair.right(), two), isTrue);
                        code.goto_(fail);
                    }));
        }
    }

    private void compile(Value value, WhereOffset place, Check check, Label isTrue) {
        switch (check) {
            case WhereCondition.Always always when always.result() -> code.goto_(isTrue);
            case WhereCondition.Always _ -> {
                // The condition is never true, so there is no jump.
            }
            case WhereCondition.BytesCheck bytes -> checks.bytes(place, bytes, isTrue);
            case WhereCondition.TextCheck text -> {
                constants.load(code, WhereTextCondition.class, text.text());
                code.aload(BYTES);
                place.load(code);
                checks.text(isTrue);
            }
            default -> {
                load(value, place);
                checks.number(value, check, isTrue);
            }
        }
    }

    /// Pushes an integer as `long`, or a floating-point number as `double`.
    private void load(Value value, WhereOffset place) {
        switch (value) {
            case WhereCondition.IndexValue _ -> code.lload(INDEX);
            case IntegerValue integer -> {
                WhereLoadCompiler.integer(code, place, integer.form());
                if (integer.place().isBoolean()) {
                    WhereLoadCompiler.bool(code);
                }
            }
            case FloatingValue floating -> WhereLoadCompiler.floating(code, place, floating);
            case WhereCondition.TextValue _ -> throw new AssertionError("No number");
        }
    }

    private void loadText(WhereCondition.TextValue text, WhereOffset place) {
        constants.load(code, StringType.class, text.type());
        code.aload(BYTES);
        place.load(code);
    }

    private void at(Value value, Label isFalse, WherePlaceCompiler.Body body) {
        WherePlace place = switch (value) {
            case WhereCondition.IndexValue _ -> null;
            case IntegerValue integer -> integer.place();
            case FloatingValue floating -> floating.place();
            case WhereCondition.TextValue text -> text.place();
        };
        WhereOffset start = new WhereOffset(FROM, 0);
        if (place == null) {
            body.compile(start, isFalse);
        } else {
            new WherePlaceCompiler(code, place.steps(), body).compile(start, isFalse);
        }
    }

    static int bytesLocal() {
        return BYTES;
    }

    /// The kind of the local variables that contain offsets.
    static TypeKind offsetKind() {
        return TypeKind.LONG;
    }
}
