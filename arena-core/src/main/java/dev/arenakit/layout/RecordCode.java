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

/// Writes the code that reads a record from memory, or writes it there.
///
/// The code stands in a static method whose first parameters are the segment and the offset of the struct. Writing comes in
/// two steps: first all components are read from the record, checked, and kept as [PreparedValues]; then all of them are
/// written. Of the writes the first checks segment and offset for the whole struct.
final class RecordCode {
    static final ClassDesc SEGMENT = descriptor(MemorySegment.class);
    static final ClassDesc VAR_HANDLE = ConstantDescs.CD_VarHandle;

    private static final ClassDesc OBJECT = ConstantDescs.CD_Object;
    private static final ClassDesc STRING = ConstantDescs.CD_String;
    private static final ClassDesc INT = ConstantDescs.CD_int;
    private static final ClassDesc LONG = ConstantDescs.CD_long;
    private static final ClassDesc VOID = ConstantDescs.CD_void;
    private static final ClassDesc CODEC = descriptor(ComponentCodec.class);
    private static final ClassDesc COMPONENTS = descriptor(Components.class);
    private static final ClassDesc ENUM_CODEC = descriptor(EnumCodec.class);
    private static final ClassDesc TABLE = descriptor(ValueTable.class);
    private static final int SEGMENT_SLOT = 0;
    private static final int OFFSET_SLOT = 1;

    private final CodeBuilder code;
    private final PreparedValues values;

    RecordCode(CodeBuilder code, PreparedValues values) {
        this.code = code;
        this.values = values;
    }

    /// Checks that a struct stands in the segment at the offset, unless what comes first does.
    void check(RecordNode.Struct struct, long byteSize, long byteAlignment) {
        if (!beginsDirect(struct)) {
            checkAll(byteSize, byteAlignment);
        }
    }

    /// Checks that a struct stands in the segment at the offset.
    void checkAll(long byteSize, long byteAlignment) {
        place().loadConstant(byteSize)
                .loadConstant(byteAlignment)
                .invokeinterface(SEGMENT, "asSlice", MethodTypeDesc.of(SEGMENT, LONG, LONG, LONG))
                .pop();
    }

    private static boolean beginsDirect(RecordNode node) {
        return switch (node) {
            case RecordNode.Direct _ -> true;
            case RecordNode.Struct struct -> beginsDirect(struct.components().getFirst().node());
            case RecordNode.Coded _,RecordNode.OneOf _ -> false;
        };
    }

    /// Pushes the record.
    void read(RecordNode.Struct struct) {
        create(struct, i -> read(struct.components().get(i).node()));
    }

    /// Pushes a record.
    ///
    /// @param component pushes the value of a component
    void create(RecordNode.Struct struct, IntConsumer component) {
        struct.constructor().load(code);
        IntStream.range(0, struct.components().size()).forEach(component);
        code.invokevirtual(ConstantDescs.CD_MethodHandle, "invokeExact", struct.constructorType());
    }

    /// Pushes the value of a component.
    void read(RecordNode node) {
        switch (node) {
            case RecordNode.Enumerated enumerated -> {
                enumerated.codec().load(code);
                readAsLong(enumerated);
                code.invokevirtual(ENUM_CODEC, "constant", MethodTypeDesc.of(OBJECT, LONG));
            }
            case RecordNode.Direct direct -> get(direct);
            case RecordNode.Coded coded -> {
                coded.codec().load(code);
                place().invokeinterface(CODEC, "read", MethodTypeDesc.of(OBJECT, SEGMENT, LONG));
            }
            case RecordNode.Struct struct -> read(struct);
            case RecordNode.OneOf oneOf -> {
                oneOf.table().load(code);
                readAsLong(oneOf.discriminator());
                code.invokevirtual(TABLE, "position", MethodTypeDesc.of(INT, LONG));
                select(oneOf.variants().size(), i -> read(oneOf.variants().get(i)));
            }
        }
    }

    private void get(RecordNode.Direct direct) {
        direct.handle().load(code);
        place().invokevirtual(VAR_HANDLE, "get", MethodTypeDesc.of(direct.carrier(), SEGMENT, LONG));
    }

    private void readAsLong(RecordNode.Direct direct) {
        get(direct);
        toLong(direct);
    }

    private void toLong(RecordNode.Direct direct) {
        code.conversion(kind(direct), TypeKind.LONG);
    }

    /// Reads all components of the record that a local variable holds into variables of their own, and checks them.
    void prepare(RecordNode.Struct struct, int record) {
        struct.components().forEach(component -> prepare(component, record));
        struct.components().forEach(component -> checkUnion(component.node()));
    }

    /// Reads one component of the record that a local variable holds.
    void prepare(RecordNode.Component component, int record) {
        prepare(component.node(), () -> access(component, record));
    }

    /// Checks that a union, if it is one, and its companion agree, both of which were prepared.
    void checkUnion(RecordNode node) {
        if (node instanceof RecordNode.OneOf oneOf) {
            oneOf.table().load(code);
            values.load(oneOf.discriminator());
            toLong(oneOf.discriminator());
            values.load(oneOf);
            code.invokevirtual(TABLE, "check", MethodTypeDesc.of(VOID, LONG, INT));
        }
    }

    /// @param value pushes the value of the component
    private void prepare(RecordNode node, Runnable value) {
        switch (node) {
            case RecordNode.Primitive primitive -> {
                value.run();
                values.store(primitive);
            }
            case RecordNode.Enumerated enumerated -> {
                enumerated.codec().load(code);
                value.run();
                code.invokevirtual(ENUM_CODEC, "value", MethodTypeDesc.of(LONG, OBJECT))
                        .conversion(TypeKind.LONG, kind(enumerated));
                values.store(enumerated);
            }
            case RecordNode.Address address -> {
                value.run();
                code.loadConstant(address.where())
                        .invokestatic(COMPONENTS, "address", MethodTypeDesc.of(SEGMENT, OBJECT, STRING));
                values.store(address);
            }
            case RecordNode.Coded coded -> {
                coded.codec().load(code);
                value.run();
                code.invokeinterface(CODEC, "prepare", MethodTypeDesc.of(OBJECT, OBJECT));
                values.store(coded);
            }
            case RecordNode.Struct struct -> prepare(struct, required(value, struct.where()));
            case RecordNode.OneOf oneOf -> {
                int variant = required(value, oneOf.where());
                variantOf(oneOf, variant);
                oneOf.variants().forEach(this::clear);
                values.load(oneOf);
                select(oneOf.variants().size(), i -> prepare(oneOf.variants().get(i), () -> code.aload(variant)));
            }
        }
    }

    private void access(RecordNode.Component component, int record) {
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

    private void variantOf(RecordNode.OneOf oneOf, int record) {
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

    /// Gives a value to what only one record of a union has.
    private void clear(RecordNode node) {
        switch (node) {
            case RecordNode.Direct direct -> values.clear(direct);
            case RecordNode.Coded coded -> values.clear(coded);
            case RecordNode.Struct struct -> struct.components().forEach(component -> clear(component.node()));
            case RecordNode.OneOf oneOf -> {
                values.clear(oneOf);
                oneOf.variants().forEach(this::clear);
            }
        }
    }

    /// Writes what was prepared.
    void write(RecordNode.Struct struct) {
        struct.components().forEach(component -> write(component.node()));
    }

    /// Writes one component that was prepared.
    void write(RecordNode node) {
        switch (node) {
            case RecordNode.Direct direct -> {
                direct.handle().load(code);
                place();
                values.load(direct);
                code.invokevirtual(VAR_HANDLE, "set", MethodTypeDesc.of(VOID, SEGMENT, LONG, direct.carrier()));
            }
            case RecordNode.Coded coded -> {
                coded.codec().load(code);
                place();
                values.load(coded);
                code.invokeinterface(CODEC, "write", MethodTypeDesc.of(VOID, SEGMENT, LONG, OBJECT));
            }
            case RecordNode.Struct struct -> write(struct);
            case RecordNode.OneOf oneOf -> {
                values.load(oneOf);
                select(oneOf.variants().size(), i -> write(oneOf.variants().get(i)));
            }
        }
    }

    /// Pushes the segment and the offset.
    private CodeBuilder place() {
        return code.aload(SEGMENT_SLOT).lload(OFFSET_SLOT);
    }

    /// Runs one of several pieces of code, by the int on the stack.
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

    private static TypeKind kind(RecordNode.Direct direct) {
        return TypeKind.from(direct.carrier());
    }

    static ClassDesc descriptor(Class<?> type) {
        return type.describeConstable().orElseThrow();
    }
}
