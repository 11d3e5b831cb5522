package dev.arenakit.layout;

import dev.arenakit.layout.type.StructType;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Consumer;

/// Emits the static methods `read` and `write` of a mapper.
///
/// The native stack of the JIT compiler grows with the number of memory accesses in a method, until the process dies. A
/// record with more accesses is read and written in groups of components. Each group has its own method, and all groups
/// share an array of values.
final class RecordMethodEmitter {
    static final MethodTypeDesc READ = MethodTypeDesc.of(ConstantDescs.CD_Object, RecordBodyEmitter.SEGMENT,
            ConstantDescs.CD_long);
    static final MethodTypeDesc WRITE = MethodTypeDesc.of(ConstantDescs.CD_void, RecordBodyEmitter.SEGMENT,
            ConstantDescs.CD_long, ConstantDescs.CD_Object);
    /// The maximum number of memory accesses in a method. With half the stack of a JIT compiler thread, 48 compile and
    /// 64 do not.
    static final int LARGEST = 40;

    private static final ClassDesc ARRAY = ConstantDescs.CD_Object.arrayType();
    private static final MethodTypeDesc GROUP = MethodTypeDesc.of(ConstantDescs.CD_void, RecordBodyEmitter.SEGMENT,
            ConstantDescs.CD_long, ConstantDescs.CD_Object, ARRAY);
    /// The local variables of the parameters. Methods that read have no record.
    private static final int RECORD_SLOT = 3;
    private static final int ARRAY_SLOT = 4;

    private final ClassBuilder builder;
    private final HiddenClassBuilder target;
    private final StructType type;
    private final RecordPlan.Struct root;
    private final IdentityHashMap<RecordPlan, Integer> elements = new IdentityHashMap<>();

    RecordMethodEmitter(ClassBuilder builder, HiddenClassBuilder target, StructType type, RecordPlan.Struct root) {
        this.builder = builder;
        this.target = target;
        this.type = type;
        this.root = root;
    }

    /// Adds the methods to the class.
    void add() {
        if (RecordPlan.size(root) <= LARGEST) {
            method("read", READ, this::read);
            method("write", WRITE, this::write);
        } else {
            root.components().forEach(component -> enumerate(component.node()));
            List<List<Integer>> groups = groups();
            for (int i = 0; i < groups.size(); i++) {
                List<Integer> group = groups.get(i);
                method("read" + i, GROUP, code -> readGroup(code, group));
                method("prepare" + i, GROUP, code -> prepareGroup(code, group));
                method("check" + i, GROUP, code -> checkGroup(code, group));
                method("write" + i, GROUP, code -> writeGroup(code, group));
            }
            method("read", READ, code -> readGroups(code, groups.size()));
            method("write", WRITE, code -> writeGroups(code, groups.size()));
        }
    }

    private void method(String name, MethodTypeDesc signature, Consumer<CodeBuilder> code) {
        builder.withMethodBody(name, signature, ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC, code);
    }

    private void read(CodeBuilder code) {
        RecordBodyEmitter record = inVariables(code);
        record.check(root, type.byteSize(), type.byteAlignment());
        record.read(root);
        code.areturn();
    }

    private void write(CodeBuilder code) {
        RecordBodyEmitter record = inVariables(code);
        required(code);
        record.prepare(root, RECORD_SLOT);
        record.check(root, type.byteSize(), type.byteAlignment());
        record.write(root);
        code.return_();
    }

    private void readGroups(CodeBuilder code, int groups) {
        RecordBodyEmitter record = inVariables(code);
        record.checkAll(type.byteSize(), type.byteAlignment());
        newArray(code, root.components().size());
        for (int i = 0; i < groups; i++) {
            code.aload(0).lload(1).aconst_null().aload(ARRAY_SLOT).invokestatic(target.type(), "read" + i, GROUP);
        }
        record.create(root, i -> RecordValueSlots.loadElement(code, ARRAY_SLOT, i, kind(i)));
        code.areturn();
    }

    private void writeGroups(CodeBuilder code, int groups) {
        required(code);
        newArray(code, elements.size());
        for (String step : List.of("prepare", "check")) {
            callGroups(code, step, groups);
        }
        inVariables(code).checkAll(type.byteSize(), type.byteAlignment());
        callGroups(code, "write", groups);
        code.return_();
    }

    private void callGroups(CodeBuilder code, String step, int groups) {
        for (int i = 0; i < groups; i++) {
            code.aload(0)
                    .lload(1)
                    .aload(RECORD_SLOT)
                    .aload(ARRAY_SLOT)
                    .invokestatic(target.type(), step + i, GROUP);
        }
    }

    private void readGroup(CodeBuilder code, List<Integer> group) {
        RecordBodyEmitter record = inArray(code);
        for (int i : group) {
            record.read(node(i));
            RecordValueSlots.storeElement(code, ARRAY_SLOT, i, kind(i));
        }
        code.return_();
    }

    private void prepareGroup(CodeBuilder code, List<Integer> group) {
        RecordBodyEmitter record = inArray(code);
        group.forEach(i -> record.prepare(root.components().get(i), RECORD_SLOT));
        code.return_();
    }

    private void checkGroup(CodeBuilder code, List<Integer> group) {
        RecordBodyEmitter record = inArray(code);
        group.forEach(i -> record.checkUnion(node(i)));
        code.return_();
    }

    private void writeGroup(CodeBuilder code, List<Integer> group) {
        RecordBodyEmitter record = inArray(code);
        group.forEach(i -> record.write(node(i)));
        code.return_();
    }

    private void required(CodeBuilder code) {
        code.aload(RECORD_SLOT)
                .loadConstant("class=" + type.name())
                .invokestatic(RecordBodyEmitter.descriptor(ValueChecks.class), "required",
                        MethodTypeDesc.of(ConstantDescs.CD_Object, ConstantDescs.CD_Object, ConstantDescs.CD_String))
                .astore(RECORD_SLOT);
    }

    private static void newArray(CodeBuilder code, int length) {
        code.loadConstant(length).anewarray(ConstantDescs.CD_Object).astore(ARRAY_SLOT);
    }

    private static RecordBodyEmitter inVariables(CodeBuilder code) {
        return new RecordBodyEmitter(code, new RecordValueSlots.InVariables(code));
    }

    private RecordBodyEmitter inArray(CodeBuilder code) {
        return new RecordBodyEmitter(code, new RecordValueSlots.InArray(code, ARRAY_SLOT, elements));
    }

    private RecordPlan node(int component) {
        return root.components().get(component).node();
    }

    /// Returns how the constructor takes the value of a component.
    private TypeKind kind(int component) {
        return TypeKind.from(root.constructorType().parameterType(component)).asLoadable();
    }

    private void enumerate(RecordPlan node) {
        elements.put(node, elements.size());
        switch (node) {
            case RecordPlan.Direct _,RecordPlan.Coded _ -> {
            }
            case RecordPlan.Struct struct -> struct.components().forEach(component -> enumerate(component.node()));
            case RecordPlan.OneOf oneOf -> oneOf.variants().forEach(this::enumerate);
        }
    }

    /// Divides the components into groups of at most [#LARGEST] memory accesses. Only a single union can exceed this
    /// number, and only one of its records is accessed.
    private List<List<Integer>> groups() {
        List<List<Integer>> groups = new ArrayList<>();
        List<Integer> group = new ArrayList<>();
        int size = 0;
        for (int i = 0; i < root.components().size(); i++) {
            int next = RecordPlan.size(node(i));
            if (!group.isEmpty() && size + next > LARGEST) {
                groups.add(group);
                group = new ArrayList<>();
                size = 0;
            }
            group.add(i);
            size += next;
        }
        groups.add(group);
        return groups;
    }
}
