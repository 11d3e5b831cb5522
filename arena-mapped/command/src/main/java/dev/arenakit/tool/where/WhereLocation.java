package dev.arenakit.tool.where;

import java.lang.classfile.CodeBuilder;

/// An offset in compiled code: the value of a local variable, and a constant that is added to it.
record WhereLocation(int local, long constant) {
    WhereLocation plus(long byteSize) {
        return new WhereLocation(local, constant + byteSize);
    }

    /// Pushes the offset.
    void load(CodeBuilder code) {
        code.lload(local);
        if (constant != 0) {
            code.loadConstant(constant).ladd();
        }
    }
}
