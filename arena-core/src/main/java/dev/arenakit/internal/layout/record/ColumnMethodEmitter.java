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
import java.util.List;
import java.util.function.Consumer;

/// Emits the static methods `read` and `write` that access a row of a table of columns.
record ColumnMethodEmitter(ColumnTableFormat table, RecordPlan.Struct root) implements Consumer<ClassBuilder> {
    private static final MethodTypeDesc READ = MethodTypeDesc.of(ConstantDescs.CD_Object, Descriptors.SEGMENT,
            ConstantDescs.CD_long, ConstantDescs.CD_long);
    private static final MethodTypeDesc WRITE = READ.insertParameterTypes(3, ConstantDescs.CD_Object)
            .changeReturnType(ConstantDescs.CD_void);
    /// The local variables of the parameters.
    private static final int TABLE = 0;
    private static final int CAPACITY = 1;
    private static final int INDEX = 3;
    private static final int RECORD = 5;

    @Override
    public void accept(ClassBuilder builder) {
        builder.withMethodBody("read", READ, ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC, this::read);
        builder.withMethodBody("write", WRITE, ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC, this::write);
    }

    private void read(CodeBuilder code) {
        Place place = place(code);
        RecordReadEmitter reader = new RecordReadEmitter(code, place);
        root.calls().beginNew(code);
        int i = 0;
        for (Column column : table.columns()) {
            locate(code, column, place);
            for (int end = i + column.element().members().size(); i < end; i++) {
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
        Place place = place(code);
        RecordWriteEmitter writer = new RecordWriteEmitter(code, place);
        for (boolean prepared : new boolean[]{false, true}) {
            int from = 0;
            for (Column column : table.columns()) {
                int to = from + column.element().members().size();
                List<RecordPlan.Component> components = root.components().subList(from, to);
                // Direct values need no offset before they are written.
                if (prepared || !components.stream().allMatch(one -> one.node() instanceof RecordPlan.Direct)) {
                    locate(code, column, place);
                }
                if (prepared) {
                    writer.write(components);
                } else {
                    writer.prepareRange(root, from, to, RECORD);
                }
                from = to;
            }
        }
        code.return_();
    }

    private static Place place(CodeBuilder code) {
        return new Place(TABLE, code.allocateLocal(TypeKind.LONG), -1);
    }

    /// Computes the offset of the row's element in a column when it is needed: C2 saves variables at each access.
    private static void locate(CodeBuilder code, Column column, Place place) {
        code.lload(CAPACITY).loadConstant(column.precedingByteSize()).lmul();
        code.loadConstant(column.unused()).ladd();
        code.lload(INDEX).loadConstant(column.element().byteSize()).lmul().ladd().lstore(place.offset());
    }
}
