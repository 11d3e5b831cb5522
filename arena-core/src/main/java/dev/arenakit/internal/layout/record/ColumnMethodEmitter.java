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
        List<Place> places = places(code);
        root.calls().beginNew(code);
        int component = 0;
        for (int i = 0; i < places.size(); i++) {
            RecordReadEmitter reader = new RecordReadEmitter(code, places.get(i));
            for (int limit = component + members(i); component < limit; component++) {
                reader.read(root.components().get(component).node());
                root.calls().cast(code, component);
            }
        }
        root.calls().endNew(code);
        code.areturn();
    }

    private void write(CodeBuilder code) {
        code.aload(RECORD);
        RecordWriteEmitter.required(code, root.where());
        code.astore(RECORD);
        List<RecordWriteEmitter> writers = places(code).stream()
                .map(place -> new RecordWriteEmitter(code, place))
                .toList();
        int component = 0;
        for (int i = 0; i < writers.size(); i++) {
            writers.get(i).prepareRange(root, component, component + members(i), RECORD);
            component += members(i);
        }
        component = 0;
        for (int i = 0; i < writers.size(); i++) {
            writers.get(i).write(root.components().subList(component, component + members(i)));
            component += members(i);
        }
        code.return_();
    }

    private int members(int column) {
        return table.columns().get(column).element().members().size();
    }

    /// Computes the offset of the row's element in each column.
    private List<Place> places(CodeBuilder code) {
        List<Place> places = new ArrayList<>();
        for (Column column : table.columns()) {
            int offset = code.allocateLocal(TypeKind.LONG);
            code.lload(CAPACITY)
                    .loadConstant(column.precedingByteSize())
                    .lmul()
                    .loadConstant(column.unused())
                    .ladd()
                    .lload(INDEX)
                    .loadConstant(column.element().byteSize())
                    .lmul()
                    .ladd()
                    .lstore(offset);
            places.add(new Place(TABLE, offset, -1));
        }
        return places;
    }
}
