package dev.arenakit.layout;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/// Emits the code that writes a record.
///
/// A write has two steps: the first reads all components from the record, checks them, and stores them in
/// [RecordVariables]; the second writes all of them to memory, where the first access checks segment and offset for the
/// whole struct. A large record is written to an array, where each component is written when it was checked.
final class RecordWriteEmitter {
    private static final ClassDesc OBJECT = ConstantDescs.CD_Object;
    private static final ClassDesc STRING = ConstantDescs.CD_String;
    private static final ClassDesc INT = ConstantDescs.CD_int;
    private static final ClassDesc LONG = ConstantDescs.CD_long;
    private static final ClassDesc VOID = ConstantDescs.CD_void;
    private static final ClassDesc COUNTED = RecordReadEmitter.descriptor(CountedArrayCodec.class);
    private static final ClassDesc COMPONENTS = RecordReadEmitter.descriptor(ValueChecks.class);
    private static final ClassDesc RANGE = RecordReadEmitter.descriptor(IntegerRange.class);

    private final CodeBuilder code;
    private final RecordPlace place;
    private final RecordReadEmitter reader;
    private final RecordVariables values;

    RecordWriteEmitter(CodeBuilder code, RecordPlace place) {
        this.code = code;
        this.place = place;
        this.reader = new RecordReadEmitter(code, place);
        this.values = new RecordVariables(code);
    }

    /// Reads all components of the record in a local variable, checks them, and stores them in their variables. Those of
    /// a large record are written to the array at once.
    void prepare(RecordPlan.Struct struct, int record) {
        struct.components().forEach(component -> prepare(component, record));
        struct.components().forEach(component -> checkReference(component.node()));
    }

    private void prepare(RecordPlan.Component component, int record) {
        prepare(component.node(), () -> access(component, record));
        if (place.isArray()) {
            write(component.node());
        }
    }

    /// Reads the unions and counted arrays of a very large record, and stores them in an array in a local variable:
    /// several methods need them, and an accessor of the user is called once.
    int readReferring(RecordPlan.Struct struct, int record) {
        List<RecordPlan.Component> referring = referring(struct);
        int array = code.allocateLocal(TypeKind.REFERENCE);
        code.loadConstant(referring.size()).anewarray(OBJECT).astore(array);
        for (int i = 0; i < referring.size(); i++) {
            code.aload(array).loadConstant(i);
            access(referring.get(i), record);
            code.aastore();
        }
        return array;
    }

    /// Writes one component of a very large record, without the check of what it says about another one.
    ///
    /// @param referring the variable of the array that [#readReferring] returns
    void prepare(RecordPlan.Component component, RecordPlan.Struct struct, int record, int referring) {
        int index = referring(struct).indexOf(component);
        prepare(component.node(), () -> {
            if (index < 0) {
                access(component, record);
            } else {
                code.aload(referring).loadConstant(index).aaload();
            }
        });
        write(component.node());
    }

    /// Checks what the components of a very large record say about others, after all of them were written.
    ///
    /// @param referring the variable of the array that [#readReferring] returns
    void checkReferences(RecordPlan.Struct struct, int referring) {
        List<RecordPlan.Component> components = referring(struct);
        for (int i = 0; i < components.size(); i++) {
            int index = i;
            Runnable value = () -> code.aload(referring).loadConstant(index).aaload();
            if (components.get(i).node() instanceof RecordPlan.OneOf oneOf) {
                variantOf(oneOf, required(value, oneOf.where()));
                checkReference(oneOf);
            } else if (components.get(i).node() instanceof RecordPlan.Coded coded) {
                coded.codec().load(code);
                code.checkcast(COUNTED);
                load(coded.count().getFirst());
                value.run();
                code.invokevirtual(COUNTED, "checkArray", MethodTypeDesc.of(VOID, LONG, OBJECT));
            }
        }
    }

    private static List<RecordPlan.Component> referring(RecordPlan.Struct struct) {
        return struct.components()
                .stream()
                .filter(component -> component.node() instanceof RecordPlan.OneOf
                        || (component.node() instanceof RecordPlan.Coded coded && !coded.count().isEmpty()))
                .toList();
    }

    /// Checks that a union matches its discriminator, and that an array has as many elements as its count says. All of
    /// them were prepared.
    private void checkReference(RecordPlan node) {
        switch (node) {
            case RecordPlan.OneOf oneOf -> {
                oneOf.table().load(code);
                load(oneOf.discriminator());
                values.load(oneOf);
                code.invokevirtual(RecordReadEmitter.TABLE, "check", MethodTypeDesc.of(VOID, LONG, INT));
            }
            case RecordPlan.Coded coded when !coded.count().isEmpty() -> {
                coded.codec().load(code);
                code.checkcast(COUNTED);
                load(coded.count().getFirst());
                values.load(coded);
                code.invokevirtual(COUNTED, "check", MethodTypeDesc.of(VOID, LONG, OBJECT));
            }
            default -> {
            }
        }
    }

    private void load(RecordPlan.Reference reference) {
        if (place.isArray()) {
            reader.readAsLong(reference.node());
        } else {
            values.load(reference.node());
            reader.toLong(reference.node());
        }
    }

    /// @param value pushes the value of the component
    private void prepare(RecordPlan node, Runnable value) {
        switch (node) {
            case RecordPlan.Primitive primitive -> {
                value.run();
                values.store(primitive);
            }
            case RecordPlan.Ranged ranged -> {
                ranged.range().load(code);
                value.run();
                code.conversion(ranged.type(), TypeKind.LONG)
                        .invokevirtual(RANGE, "checked", MethodTypeDesc.of(LONG, LONG))
                        .conversion(TypeKind.LONG, ranged.access().kind());
                values.store(ranged);
            }
            case RecordPlan.Enumerated enumerated -> {
                enumerated.codec().load(code);
                value.run();
                code.invokevirtual(RecordReadEmitter.ENUM_CODEC, "value", MethodTypeDesc.of(LONG, OBJECT))
                        .conversion(TypeKind.LONG, enumerated.access().kind());
                values.store(enumerated);
            }
            case RecordPlan.Address address -> {
                value.run();
                code.loadConstant(address.where())
                        .invokestatic(COMPONENTS, "address",
                                MethodTypeDesc.of(RecordReadEmitter.SEGMENT, OBJECT, STRING));
                values.store(address);
            }
            case RecordPlan.Coded coded -> {
                coded.codec().load(code);
                place.push(code);
                value.run();
                code.invokeinterface(RecordReadEmitter.CODEC, "prepare",
                        MethodTypeDesc.of(OBJECT, RecordReadEmitter.SEGMENT, LONG, OBJECT));
                values.store(coded);
            }
            case RecordPlan.Struct struct -> prepare(struct, required(value, struct.where()));
            case RecordPlan.OneOf oneOf -> {
                int variant = required(value, oneOf.where());
                variantOf(oneOf, variant);
                oneOf.variants().forEach(this::clear);
                values.load(oneOf);
                RecordReadEmitter.select(code, oneOf.variants().size(), i -> {
                    prepare(oneOf.variants().get(i), () -> code.aload(variant));
                    if (place.isArray()) {
                        write(oneOf.variants().get(i));
                    }
                });
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
    private void write(RecordPlan node) {
        switch (node) {
            case RecordPlan.Direct direct -> direct.access().set(code, place, () -> values.load(direct));
            case RecordPlan.Coded coded -> {
                coded.codec().load(code);
                place.push(code);
                values.load(coded);
                code.invokeinterface(RecordReadEmitter.CODEC, "write",
                        MethodTypeDesc.of(VOID, RecordReadEmitter.SEGMENT, LONG, OBJECT));
            }
            case RecordPlan.Struct struct -> {
                if (!place.isArray()) {
                    write(struct);
                }
            }
            case RecordPlan.OneOf oneOf -> {
                if (!place.isArray()) {
                    values.load(oneOf);
                    RecordReadEmitter.select(code, oneOf.variants().size(), i -> write(oneOf.variants().get(i)));
                }
            }
        }
    }

}
