package dev.arenakit.layout;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/// Emits the code that reads or writes a record.
///
/// The code is part of a static method whose first parameters are the segment and the offset of the struct. A write has
/// two steps: the first reads all components from the record, checks them, and stores them in [RecordValueSlots]; the
/// second writes all of them to memory. The first access to memory checks segment and offset for the whole struct.
final class RecordBodyEmitter {
    static final ClassDesc SEGMENT = descriptor(MemorySegment.class);
    static final ClassDesc VAR_HANDLE = ConstantDescs.CD_VarHandle;

    private static final ClassDesc OBJECT = ConstantDescs.CD_Object;
    private static final ClassDesc STRING = ConstantDescs.CD_String;
    private static final ClassDesc INT = ConstantDescs.CD_int;
    private static final ClassDesc LONG = ConstantDescs.CD_long;
    private static final ClassDesc VOID = ConstantDescs.CD_void;
    private static final ClassDesc CODEC = descriptor(ComponentCodec.class);
    private static final ClassDesc COMPONENTS = descriptor(ValueChecks.class);
    private static final ClassDesc ENUM_CODEC = descriptor(EnumCodec.class);
    private static final ClassDesc TARGETS = descriptor(AddressTargets.class);
    private static final ClassDesc TABLE = descriptor(OrdinalTable.class);
    private static final int SEGMENT_SLOT = 0;
    private static final int OFFSET_SLOT = 1;

    private final CodeBuilder code;
    private final RecordValueSlots values;

    RecordBodyEmitter(CodeBuilder code, RecordValueSlots values) {
        this.code = code;
        this.values = values;
    }

    /// Checks that the struct is within the segment, unless the first access checks it.
    void check(RecordPlan.Struct struct, long byteSize, long byteAlignment) {
        if (!beginsDirect(struct)) {
            checkAll(byteSize, byteAlignment);
        }
    }

    /// Checks that the struct is within the segment.
    void checkAll(long byteSize, long byteAlignment) {
        place().loadConstant(byteSize)
                .loadConstant(byteAlignment)
                .invokeinterface(SEGMENT, "asSlice", MethodTypeDesc.of(SEGMENT, LONG, LONG, LONG))
                .pop();
    }

    private static boolean beginsDirect(RecordPlan node) {
        return switch (node) {
            case RecordPlan.Direct _ -> true;
            case RecordPlan.Struct struct -> beginsDirect(struct.components().getFirst().node());
            case RecordPlan.Coded _,RecordPlan.OneOf _ -> false;
        };
    }

    /// Pushes the record.
    void read(RecordPlan.Struct struct) {
        create(struct, i -> read(struct.components().get(i).node()));
    }

    /// Pushes a record.
    ///
    /// @param component pushes the value of a component
    void create(RecordPlan.Struct struct, IntConsumer component) {
        struct.constructor().load(code);
        IntStream.range(0, struct.components().size()).forEach(component);
        code.invokevirtual(ConstantDescs.CD_MethodHandle, "invokeExact", struct.constructorType());
    }

    /// Pushes the value of a component.
    void read(RecordPlan node) {
        switch (node) {
            case RecordPlan.Enumerated enumerated -> {
                enumerated.codec().load(code);
                readAsLong(enumerated);
                code.invokevirtual(ENUM_CODEC, "constant", MethodTypeDesc.of(OBJECT, LONG));
            }
            case RecordPlan.Address address -> {
                get(address);
                if (address.hasTarget()) {
                    code.invokestatic(TARGETS, "present", MethodTypeDesc.of(SEGMENT, SEGMENT));
                }
            }
            case RecordPlan.Direct direct -> get(direct);
            case RecordPlan.Coded coded -> {
                coded.codec().load(code);
                place().invokeinterface(CODEC, "read", MethodTypeDesc.of(OBJECT, SEGMENT, LONG));
            }
            case RecordPlan.Struct struct -> read(struct);
            case RecordPlan.OneOf oneOf -> {
                oneOf.table().load(code);
                readAsLong(oneOf.discriminator());
                code.invokevirtual(TABLE, "position", MethodTypeDesc.of(INT, LONG));
                select(oneOf.variants().size(), i -> read(oneOf.variants().get(i)));
            }
        }
    }

    private void get(RecordPlan.Direct direct) {
        direct.handle().load(code);
        place().invokevirtual(VAR_HANDLE, "get", MethodTypeDesc.of(direct.carrier(), SEGMENT, LONG));
    }

    private void readAsLong(RecordPlan.Direct direct) {
        get(direct);
        toLong(direct);
    }

    private void toLong(RecordPlan.Direct direct) {
        code.conversion(kind(direct), TypeKind.LONG);
    }

    /// Reads all components of the record in a local variable, checks them, and stores them in their slots.
    void prepare(RecordPlan.Struct struct, int record) {
        struct.components().forEach(component -> prepare(component, record));
        struct.components().forEach(component -> checkUnion(component.node()));
    }

    /// Reads, checks and stores one component of the record in a local variable.
    void prepare(RecordPlan.Component component, int record) {
        prepare(component.node(), () -> access(component, record));
    }

    /// Checks that a union matches its discriminator, both of which were prepared. Other nodes need no check.
    void checkUnion(RecordPlan node) {
        if (node instanceof RecordPlan.OneOf oneOf) {
            oneOf.table().load(code);
            values.load(oneOf.discriminator());
            toLong(oneOf.discriminator());
            values.load(oneOf);
            code.invokevirtual(TABLE, "check", MethodTypeDesc.of(VOID, LONG, INT));
        }
    }

    /// @param value pushes the value of the component
    private void prepare(RecordPlan node, Runnable value) {
        switch (node) {
            case RecordPlan.Primitive primitive -> {
                value.run();
                values.store(primitive);
            }
            case RecordPlan.Enumerated enumerated -> {
                enumerated.codec().load(code);
                value.run();
                code.invokevirtual(ENUM_CODEC, "value", MethodTypeDesc.of(LONG, OBJECT))
                        .conversion(TypeKind.LONG, kind(enumerated));
                values.store(enumerated);
            }
            case RecordPlan.Address address -> {
                value.run();
                code.loadConstant(address.where())
                        .invokestatic(COMPONENTS, "address", MethodTypeDesc.of(SEGMENT, OBJECT, STRING));
                values.store(address);
            }
            case RecordPlan.Coded coded -> {
                coded.codec().load(code);
                value.run();
                code.invokeinterface(CODEC, "prepare", MethodTypeDesc.of(OBJECT, OBJECT));
                values.store(coded);
            }
            case RecordPlan.Struct struct -> prepare(struct, required(value, struct.where()));
            case RecordPlan.OneOf oneOf -> {
                int variant = required(value, oneOf.where());
                variantOf(oneOf, variant);
                oneOf.variants().forEach(this::clear);
                values.load(oneOf);
                select(oneOf.variants().size(), i -> prepare(oneOf.variants().get(i), () -> code.aload(variant)));
            }
        }
    }

    private void access(RecordPlan.Component component, int record) {
        component.accessor().load(code);
        code.aload(record).invokevirtual(ConstantDescs.CD_MethodHandle, "invokeExact", component.accessorType());
    }

    private int required(Runnable value, String where) {
        int slot = code.allocateLocal(TypeKind.REFERENCE);
        value.run();
        code.loadConstant(where)
                .invokestatic(COMPONENTS, "required", MethodTypeDesc.of(OBJECT, OBJECT, STRING))
                .astore(slot);
        return slot;
    }

    private void variantOf(RecordPlan.OneOf oneOf, int record) {
        Label found = code.newLabel();
        for (int i = 0; i < oneOf.variants().size(); i++) {
            code.loadConstant(i);
            values.store(oneOf);
            if (i < oneOf.variants().size() - 1) {
                oneOf.classes().get(i).load(code);
                code.aload(record)
                        .invokevirtual(ConstantDescs.CD_Class, "isInstance",
                                MethodTypeDesc.of(ConstantDescs.CD_boolean, OBJECT))
                        .ifne(found);
            }
        }
        code.labelBinding(found);
    }

    /// Initialises the slots that only one record of a union uses, as the verifier requires.
    private void clear(RecordPlan node) {
        switch (node) {
            case RecordPlan.Direct direct -> values.clear(direct);
            case RecordPlan.Coded coded -> values.clear(coded);
            case RecordPlan.Struct struct -> struct.components().forEach(component -> clear(component.node()));
            case RecordPlan.OneOf oneOf -> {
                values.clear(oneOf);
                oneOf.variants().forEach(this::clear);
            }
        }
    }

    /// Writes all components that were prepared.
    void write(RecordPlan.Struct struct) {
        struct.components().forEach(component -> write(component.node()));
    }

    /// Writes one component that was prepared.
    void write(RecordPlan node) {
        switch (node) {
            case RecordPlan.Direct direct -> {
                direct.handle().load(code);
                place();
                values.load(direct);
                code.invokevirtual(VAR_HANDLE, "set", MethodTypeDesc.of(VOID, SEGMENT, LONG, direct.carrier()));
            }
            case RecordPlan.Coded coded -> {
                coded.codec().load(code);
                place();
                values.load(coded);
                code.invokeinterface(CODEC, "write", MethodTypeDesc.of(VOID, SEGMENT, LONG, OBJECT));
            }
            case RecordPlan.Struct struct -> write(struct);
            case RecordPlan.OneOf oneOf -> {
                values.load(oneOf);
                select(oneOf.variants().size(), i -> write(oneOf.variants().get(i)));
            }
        }
    }

    /// Pushes the segment and the offset.
    private CodeBuilder place() {
        return code.aload(SEGMENT_SLOT).lload(OFFSET_SLOT);
    }

    /// Executes one of several pieces of code, selected by the int on the stack.
    private void select(int count, IntConsumer piece) {
        Label end = code.newLabel();
        List<SwitchCase> cases = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            cases.add(SwitchCase.of(i, code.newLabel()));
        }
        code.tableswitch(cases.getLast().target(), cases);
        for (SwitchCase one : cases) {
            code.labelBinding(one.target());
            piece.accept(one.caseValue());
            code.goto_(end);
        }
        code.labelBinding(end);
    }

    private static TypeKind kind(RecordPlan.Direct direct) {
        return TypeKind.from(direct.carrier());
    }

    static ClassDesc descriptor(Class<?> type) {
        return type.describeConstable().orElseThrow();
    }
}
