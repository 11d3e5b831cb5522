package dev.arenakit.internal.layout.record;

import dev.arenakit.internal.layout.emit.Descriptors;
import dev.arenakit.internal.layout.emit.HiddenClassBuilder.Call;
import dev.arenakit.internal.layout.record.RecordValueEmitter.Place;
import dev.arenakit.layout.type.StructType;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Emits the static methods `read` and `write` that access a record of one class.
///
/// The JIT compiler needs much time, memory and native stack for each access to a segment. A method with many accesses
/// is not compiled as a whole, and too many accesses exhaust the stack of the compiler. A large record is therefore
/// read from an array and written to an array, which is copied as a whole. A very large record is written in groups of
/// components.
record RecordMethodEmitter(ClassDesc owner, StructType type,
        RecordPlanner.Plan plan) implements Consumer<ClassBuilder> {
    private static final MethodTypeDesc READ = MethodTypeDesc.of(ConstantDescs.CD_Object, Descriptors.SEGMENT,
            ConstantDescs.CD_long);
    private static final MethodTypeDesc WRITE = MethodTypeDesc.of(ConstantDescs.CD_void, Descriptors.SEGMENT,
            ConstantDescs.CD_long, ConstantDescs.CD_Object);

    private static final ClassDesc WORDS = ConstantDescs.CD_long.arrayType();
    /// The local variable of the record, which is a parameter of `write`.
    private static final int RECORD = 3;

    private static final MethodTypeDesc FILL = MethodTypeDesc.of(ConstantDescs.CD_void, Descriptors.SEGMENT,
            ConstantDescs.CD_Object, WORDS, ConstantDescs.CD_Object.arrayType());
    /// The parameters of a method that fills an array.
    private static final Place FILL_PLACE = new Place(0, -1, 2);
    private static final int FILL_RECORD = 1;
    private static final int FILL_REFERRING = 3;

    /// Adds the methods to the class.
    @Override
    public void accept(ClassBuilder builder) {
        method(builder, "read", READ, new Body(false));
        List<List<Integer>> groups = plan.buffer().isPresent() ? groups() : List.of();
        for (int i = 0; groups.size() > 1 && i < groups.size(); i++) {
            List<Integer> group = groups.get(i);
            method(builder, "fill" + i, FILL, code -> fill(code, group));
        }
        method(builder, "write", WRITE, new Body(true));
    }

    /// The code of `read` or `write`. One class is loaded in less time than two lambdas are linked.
    private final class Body implements Consumer<CodeBuilder> {
        private final boolean writes;

        Body(boolean writes) {
            this.writes = writes;
        }

        @Override
        public void accept(CodeBuilder code) {
            if (writes) {
                write(code);
            } else {
                read(code);
            }
        }
    }

    private static void method(ClassBuilder builder, String name, MethodTypeDesc signature,
            Consumer<CodeBuilder> code) {
        builder.withMethodBody(name, signature, ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC, code);
    }

    private void read(CodeBuilder code) {
        if (plan.buffer().isPresent()) {
            readBuffer(code, plan.buffer().get());
            return;
        }
        RecordReadEmitter record = new RecordReadEmitter(code, Place.MEMORY);
        record.check(plan.root(), type.byteSize(), type.byteAlignment());
        record.read(plan.root());
        code.areturn();
    }

    private void write(CodeBuilder code) {
        required(code);
        if (plan.buffer().isPresent()) {
            writeBuffer(code, plan.buffer().get());
            return;
        }
        RecordWriteEmitter record = new RecordWriteEmitter(code, Place.MEMORY);
        if (RecordSize.of(type).checksFirst()) {
            plan.root().firstHandle().ifPresent(record::check);
        }
        record.prepare(plan.root(), RECORD);
        new RecordReadEmitter(code, Place.MEMORY).check(plan.root(), type.byteSize(), type.byteAlignment());
        record.write(plan.root());
        code.return_();
    }

    private void readBuffer(CodeBuilder code, RecordPlanner.Buffer buffer) {
        Place place = place(code, buffer.read());
        new RecordReadEmitter(code, place).read(plan.root());
        code.areturn();
    }

    private void writeBuffer(CodeBuilder code, RecordPlanner.Buffer buffer) {
        List<List<Integer>> groups = groups();
        Place place = place(code, buffer.begin());
        RecordWriteEmitter record = new RecordWriteEmitter(code, place);
        if (groups.size() == 1) {
            record.prepare(plan.root(), RECORD);
        } else {
            int referring = record.readReferring(plan.root(), RECORD);
            for (int i = 0; i < groups.size(); i++) {
                code.aload(place.segment())
                        .aload(RECORD)
                        .aload(place.array())
                        .aload(referring)
                        .invokestatic(owner, "fill" + i, FILL);
            }
            record.checkReferences(plan.root(), referring);
        }
        buffer.end().begin(code);
        code.aload(place.array());
        Place.MEMORY.push(code);
        buffer.end().end(code);
        code.return_();
    }

    /// Divides the components into groups. One method for each group writes its components to the array.
    private List<List<Integer>> groups() {
        List<List<Integer>> groups = new ArrayList<>();
        int size = RecordSize.LARGEST_OF_ARRAY;
        for (int i = 0; i < plan.root().components().size(); i++) {
            int next = RecordPlan.size(plan.root().components().get(i).node());
            if (groups.isEmpty() || size + next > RecordSize.LARGEST_OF_ARRAY) {
                groups.add(new ArrayList<>());
                size = 0;
            }
            groups.getLast().add(i);
            size += next;
        }
        return groups;
    }

    private void fill(CodeBuilder code, List<Integer> group) {
        RecordWriteEmitter record = new RecordWriteEmitter(code, FILL_PLACE);
        group.forEach(component -> record.prepare(plan.root(), component, FILL_RECORD, FILL_REFERRING));
        code.return_();
    }

    /// Creates the array and the segment that is based on it.
    private static Place place(CodeBuilder code, Call method) {
        int array = code.allocateLocal(TypeKind.REFERENCE);
        int segment = code.allocateLocal(TypeKind.REFERENCE);
        method.begin(code);
        Place.MEMORY.push(code);
        method.end(code);
        code.dup()
                .astore(array)
                .invokestatic(Descriptors.SEGMENT, "ofArray", MethodTypeDesc.of(Descriptors.SEGMENT, WORDS),
                        true)
                .astore(segment);
        return new Place(segment, -1, array);
    }

    private void required(CodeBuilder code) {
        code.aload(RECORD);
        RecordWriteEmitter.required(code, plan.root().where());
        code.astore(RECORD);
    }
}
