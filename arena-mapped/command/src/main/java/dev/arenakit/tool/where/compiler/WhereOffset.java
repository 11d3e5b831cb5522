package dev.arenakit.tool.where.compiler;

import java.lang.classfile.CodeBuilder;

/// An offset in compiled code: the value of a local variable plus a constant.
record WhereOffset(int local, long constant) {
    WhereOffset plus(long byteSize) {
        return new WhereOffset(local, constant + byteSize);
    }

    /// Pushes the offset.
    void load(CodeBuilder code) {
        code.lload(local);
        if (constant != 0) {
            code.loadConstant(constant).ladd();
        }
    }
}
