package dev.arenakit.layout;

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

/// The static methods `read` and `write` of a mapper's class.
///
/// The JIT's native stack grows with the accesses to memory in a method, up to the death of the process. A record that takes
/// more of them is read and written in groups of components: each has a method of its own, and all of them share an array
/// of the values.
final class RecordMethods {
    static final MethodTypeDesc READ = MethodTypeDesc.of(ConstantDescs.CD_Object, RecordCode.SEGMENT,
            ConstantDescs.CD_long);
    static final MethodTypeDesc WRITE = MethodTypeDesc.of(ConstantDescs.CD_void, RecordCode.SEGMENT,
            ConstantDescs.CD_long, ConstantDescs.CD_Object);
    /// The accesses to memory in a method. 48 still compile on half the stack that the JIT's threads have, 64 do not.
    static final int LARGEST = 40;

    private static final ClassDesc ARRAY = ConstantDescs.CD_Object.arrayType();
    private static final MethodTypeDesc PART = MethodTypeDesc.of(ConstantDescs.CD_void, RecordCode.SEGMENT,
            ConstantDescs.CD_long, ConstantDescs.CD_Object, ARRAY);
    /// The parameters of the methods; those which read have no record.
    private static final int RECORD_SLOT = 3;
    private static final int ARRAY_SLOT = 4;

    private final ClassBuilder builder;
    private final HiddenClass target;
    private final StructType type;
    private final RecordNode.Struct root;
    private final IdentityHashMap<RecordNode, Integer> elements = new IdentityHashMap<>();

    RecordMethods(ClassBuilder builder, HiddenClass target, StructType type, RecordNode.Struct root) {
        this.builder = builder;
        this.target = target;
        this.type = type;
        this.root = root;
    }

    /// Adds the methods to the class.
    void add() {
        if (RecordNode.size(root) <= LARGEST) {
            method("read", READ, this::read);
            method("write", WRITE, this::write);
        } else {
            root.components().forEach(component -> enumerate(component.node()));
            List<List<Integer>> groups = groups();
            for (int i = 0; i < groups.size(); i++) {
                List<Integer> group = groups.get(i);
                method("read" + i, PART, code -> readPart(code, group));
                method("prepare" + i, PART, code -> preparePart(code, group));
                method("check" + i, PART, code -> checkPart(code, group));
                method("write" + i, PART, code -> writePart(code, group));
            }
            method("read", READ, code -> readParts(code, groups.size()));
            method("write", WRITE, code -> writeParts(code, groups.size()));
        }
    }

    private void method(String name, MethodTypeDesc signature, Consumer<CodeBuilder> code) {
        builder.withMethodBody(name, signature, ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC, code);
    }

    private void read(CodeBuilder code) {
        RecordCode record = inVariables(code);
        record.check(root, type.byteSize(), type.byteAlignment());
        record.read(root);
        code.areturn();
    }

    private void write(CodeBuilder code) {
        RecordCode record = inVariables(code);
        required(code);
        record.prepare(root, RECORD_SLOT);
        record.check(root, type.byteSize(), type.byteAlignment());
        record.write(root);
        code.return_();
    }

    private void readParts(CodeBuilder code, int groups) {
        RecordCode record = inVariables(code);
        record.checkAll(type.byteSize(), type.byteAlignment());
        newArray(code, root.components().size());
        for (int i = 0; i < groups; i++) {
            code.aload(0).lload(1).aconst_null().aload(ARRAY_SLOT).invokestatic(target.type(), "read" + i, PART);
        }
        record.create(root, i -> PreparedValues.loadElement(code, ARRAY_SLOT, i, kind(i)));
        code.areturn();
    }

    private void writeParts(CodeBuilder code, int groups) {
        required(code);
        newArray(code, elements.size());
        for (String step : List.of("prepare", "check")) {
            callParts(code, step, groups);
        }
        inVariables(code).checkAll(type.byteSize(), type.byteAlignment());
        callParts(code, "write", groups);
        code.return_();
    }

    private void callParts(CodeBuilder code, String step, int groups) {
        for (int i = 0; i < groups; i++) {
            code.aload(0)
                    .lload(1)
                    .aload(RECORD_SLOT)
                    .aload(ARRAY_SLOT)
                    .invokestatic(target.type(), step + i, PART);
        }
    }

    private void readPart(CodeBuilder code, List<Integer> group) {
        RecordCode record = inArray(code);
        for (int i : group) {
            record.read(node(i));
            PreparedValues.storeElement(code, ARRAY_SLOT, i, kind(i));
        }
        code.return_();
    }

    private void preparePart(CodeBuilder code, List<Integer> group) {
        RecordCode record = inArray(code);
        group.forEach(i -> record.prepare(root.components().get(i), RECORD_SLOT));
        code.return_();
    }

    private void checkPart(CodeBuilder code, List<Integer> group) {
        RecordCode record = inArray(code);
        group.forEach(i -> record.checkUnion(node(i)));
        code.return_();
    }

    private void writePart(CodeBuilder code, List<Integer> group) {
        RecordCode record = inArray(code);
        group.forEach(i -> record.write(node(i)));
        code.return_();
    }

    private void required(CodeBuilder code) {
        code.aload(RECORD_SLOT)
                .loadConstant("class=" + type.name())
                .invokestatic(RecordCode.descriptor(Components.class), "required",
                        MethodTypeDesc.of(ConstantDescs.CD_Object, ConstantDescs.CD_Object, ConstantDescs.CD_String))
                .astore(RECORD_SLOT);
    }

    private static void newArray(CodeBuilder code, int length) {
        code.loadConstant(length).anewarray(ConstantDescs.CD_Object).astore(ARRAY_SLOT);
    }

    private static RecordCode inVariables(CodeBuilder code) {
        return new RecordCode(code, new PreparedValues.InVariables(code));
    }

    private RecordCode inArray(CodeBuilder code) {
        return new RecordCode(code, new PreparedValues.InArray(code, ARRAY_SLOT, elements));
    }

    private RecordNode node(int component) {
        return root.components().get(component).node();
    }

    /// How the value of a component is passed to the constructor.
    private TypeKind kind(int component) {
        return TypeKind.from(root.constructorType().parameterType(component)).asLoadable();
    }

    private void enumerate(RecordNode node) {
        elements.put(node, elements.size());
        switch (node) {
            case RecordNode.Direct _,RecordNode.Coded _ -> {
            }
            case RecordNode.Struct struct -> struct.components().forEach(component -> enumerate(component.node()));
            case RecordNode.OneOf oneOf -> oneOf.variants().forEach(this::enumerate);
        }
    }

    /// The components, so many together as one method has accesses. Only a union alone may have more: one of them is made.
    private List<List<Integer>> groups() {
        List<List<Integer>> groups = new ArrayList<>();
        List<Integer> group = new ArrayList<>();
        int size = 0;
        for (int i = 0; i < root.components().size(); i++) {
            int next = RecordNode.size(node(i));
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
