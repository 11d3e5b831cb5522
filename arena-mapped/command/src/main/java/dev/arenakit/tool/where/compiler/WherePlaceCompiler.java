package dev.arenakit.tool.where.compiler;

import dev.arenakit.tool.where.compiler.WherePlace.Each;
import dev.arenakit.tool.where.compiler.WherePlace.Element;
import dev.arenakit.tool.where.compiler.WherePlace.Enter;
import dev.arenakit.tool.where.compiler.WherePlace.Move;
import dev.arenakit.tool.where.compiler.WherePlace.Require;
import dev.arenakit.tool.where.compiler.WherePlace.Step;
import dev.arenakit.tool.where.compiler.WherePlace.Stored;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Optional;

/// Compiles the steps to a field, with loops over the elements of arrays.
final class WherePlaceCompiler {
    /// The code for a field.
    @FunctionalInterface
    interface Body {
        /// Compiles the code for a field.
        ///
        /// @param place the offset of the field
        /// @param fail  the label for a field that does not satisfy the condition
        void compile(WhereOffset place, Label fail);
    }

    private static final MethodTypeDesc VALID_LENGTH = MethodTypeDesc.of(ConstantDescs.CD_long, ConstantDescs.CD_long,
            ConstantDescs.CD_long);

    private final CodeBuilder code;
    private final List<Step> steps;
    private final Body body;

    WherePlaceCompiler(CodeBuilder code, List<Step> steps, Body body) {
        this.code = code;
        this.steps = steps;
        this.body = body;
    }

    /// Compiles the steps.
    ///
    /// @param fail the label for a struct without such a field
    void compile(WhereOffset start, Label fail) {
        compile(0, start, start, fail);
    }

    private void compile(int step, WhereOffset at, WhereOffset struct, Label fail) {
        if (step == steps.size()) {
            body.compile(at, fail);
            return;
        }
        switch (steps.get(step)) {
            case Move move -> compile(step + 1, at.plus(move.byteSize()), struct, fail);
            case Enter _ -> compile(step + 1, at, at, fail);
            case Require require -> {
                require(require, struct, fail);
                compile(step + 1, at, struct, fail);
            }
            case Element element -> {
                element.count().ifPresent(count -> {
                    load(count, struct);
                    code.loadConstant(Long.MAX_VALUE)
                            .invokestatic(WhereLoadCompiler.READS, "validLength", VALID_LENGTH);
                    code.loadConstant(element.index()).lcmp().ifle(fail);
                });
                compile(step + 1, at.plus(element.index() * element.byteSize()), struct, fail);
            }
            case Each each -> each(step, each, at, struct, fail);
        }
    }

    private void each(int step, Each each, WhereOffset at, WhereOffset struct, Label fail) {
        int place = code.allocateLocal(WhereCompiler.offsetKind());
        int end = code.allocateLocal(WhereCompiler.offsetKind());
        Label top = code.newLabel();
        Label next = code.newLabel();
        at.load(code);
        code.lstore(place);
        length(each, struct);
        code.loadConstant(each.byteSize()).lmul().lload(place).ladd().lstore(end);
        code.labelBinding(top);
        code.lload(place).lload(end).lcmp().ifge(fail);
        compile(step + 1, new WhereOffset(place, 0), struct, next);
        code.labelBinding(next);
        code.lload(place).loadConstant(each.byteSize()).ladd().lstore(place);
        code.goto_(top);
    }

    /// Pushes the number of valid elements.
    private void length(Each each, WhereOffset struct) {
        Optional<Stored> count = each.count();
        if (count.isEmpty()) {
            code.loadConstant(each.length());
            return;
        }
        load(count.get(), struct);
        code.loadConstant(each.length());
        code.invokestatic(WhereLoadCompiler.READS, "validLength", VALID_LENGTH);
    }

    private void require(Require require, WhereOffset struct, Label fail) {
        Label isThere = code.newLabel();
        Label isOther = code.newLabel();
        for (long value : require.values()) {
            load(require.discriminator(), struct);
            code.loadConstant(value).lcmp().ifeq(require.isOneOfThem() ? isThere : isOther);
        }
        code.goto_(require.isOneOfThem() ? fail : isThere);
        code.labelBinding(isOther);
        code.goto_(fail);
        code.labelBinding(isThere);
    }

    private void load(Stored stored, WhereOffset struct) {
        WhereLoadCompiler.integer(code, struct.plus(stored.byteOffset()), stored.form());
    }
}
