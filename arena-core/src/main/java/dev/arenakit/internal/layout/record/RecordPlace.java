package dev.arenakit.internal.layout.record;

import java.lang.classfile.CodeBuilder;

/// The local variables of generated code that locate the struct in memory, or in an array of longs.
///
/// @param segment the variable of the segment
/// @param offset  the variable of the offset of the struct, or -1 if it is 0
/// @param array   the variable of the array on which the segment is based, or -1 if there is none
record RecordPlace(int segment, int offset, int array) {
    /// The parameters of a method that accesses memory.
    static final RecordPlace MEMORY = new RecordPlace(0, 1, -1);

    boolean isArray() {
        return array >= 0;
    }

    /// Pushes the segment and the offset of the struct.
    CodeBuilder push(CodeBuilder code) {
        code.aload(segment);
        return offset < 0 ? code.lconst_0() : code.lload(offset);
    }
}
