package dev.arenakit.internal.layout.record;

import dev.arenakit.internal.layout.emit.Descriptors;
import dev.arenakit.internal.layout.record.RecordValueEmitter.Place;
import dev.arenakit.layout.type.ColumnTableFormat;
import dev.arenakit.layout.type.ColumnTableFormat.Column;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Emits the static methods `read` and `write` that access a row of a table of columns.
final class ColumnMethodEmitter implements Consumer<ClassBuilder> {
    private static final MethodTypeDesc READ = MethodTypeDesc.of(ConstantDescs.CD_Object, Descriptors.SEGMENT,
            ConstantDescs.CD_long, ConstantDescs.CD_long);
    private static final MethodTypeDesc WRITE = READ.insertParameterTypes(3, ConstantDescs.CD_Object)
            .changeReturnType(ConstantDescs.CD_void);
    /// The local variables of the parameters.
    private static final int TABLE = 0;
    private static final int CAPACITY = 1;
    private static final int INDEX = 3;
    private static final int RECORD = 5;

    private final ColumnTableFormat table;
    private final RecordPlan.Struct root;

    ColumnMethodEmitter(ColumnTableFormat table, RecordPlan.Struct root) {
        this.table = table;
        this.root = root;
    }

    @Override
    public void accept(ClassBuilder builder) {
        builder.withMethodBody("read", READ, ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC, this::read);
        builder.withMethodBody("write", WRITE, ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC, this::write);
    }

    private void read(CodeBuilder code) {
        List<Part> parts = parts(code);
        root.calls().beginNew(code);
        for (Part part : parts) {
            RecordReadEmitter reader = new RecordReadEmitter(code, part.place());
            for (int i = part.from(); i < part.to(); i++) {
                reader.read(root.components().get(i).node());
                root.calls().cast(code, i);
            }
        }
        root.calls().endNew(code);
        code.areturn();
    }

    private void write(CodeBuilder code) {
        code.aload(RECORD);
        RecordWriteEmitter.required(code, root.where());
        code.astore(RECORD);
        List<Part> parts = parts(code);
        List<RecordWriteEmitter> writers = new ArrayList<>();
        for (Part part : parts) {
            writers.add(new RecordWriteEmitter(code, part.place()));
            writers.getLast().prepareRange(root, part.from(), part.to(), RECORD);
        }
        for (int i = 0; i < parts.size(); i++) {
            writers.get(i).write(root.components().subList(parts.get(i).from(), parts.get(i).to()));
        }
        code.return_();
    }

    /// The components that a column has.
    ///
    /// @param place the element of the row
    private record Part(Place place, int from, int to) {}

    /// Computes the offset of the row's element in each column.
    private List<Part> parts(CodeBuilder code) {
        List<Part> parts = new ArrayList<>();
        int from = 0;
        for (Column column : table.columns()) {
            int offset = code.allocateLocal(TypeKind.LONG);
            code.lload(CAPACITY).loadConstant(column.precedingByteSize()).lmul();
            code.loadConstant(column.unused()).ladd();
            code.lload(INDEX).loadConstant(column.element().byteSize()).lmul().ladd().lstore(offset);
            int to = from + column.element().members().size();
            parts.add(new Part(new Place(TABLE, offset, -1), from, to));
            from = to;
        }
        return parts;
    }
}
