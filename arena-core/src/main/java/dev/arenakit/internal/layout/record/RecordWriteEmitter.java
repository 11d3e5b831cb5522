package dev.arenakit.internal.layout.record;

import dev.arenakit.internal.layout.emit.Descriptors;
import dev.arenakit.internal.layout.record.RecordValueEmitter.Place;
import dev.arenakit.internal.layout.value.ValueChecks;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Emits the code that writes a record.
///
/// A write has two steps: the first reads all components from the record, checks them, and stores them in
/// [RecordVariables]; the second writes all of them to memory, where the first access checks segment and offset for the
/// whole struct. A small record checks segment and offset before the first step, too. A large record is written to an
/// array, and each component is written as soon as it was checked.
final class RecordWriteEmitter {
    private static final ClassDesc OBJECT = ConstantDescs.CD_Object;
    private static final ClassDesc STRING = ConstantDescs.CD_String;
    private static final ClassDesc REFUSAL = Descriptors.of(IllegalArgumentException.class);

    private final CodeBuilder code;
    private final Place place;
    private final RecordReadEmitter reader;
    private final RecordVariables values;

    RecordWriteEmitter(CodeBuilder code, Place place) {
        this.code = code;
        this.place = place;
        this.reader = new RecordReadEmitter(code, place);
        this.values = new RecordVariables(code);
    }

    /// Emits the checks that the first write will repeat: that the segment is not read-only, and, by a read whose value
    /// is not used, all others. The compiler removes the second checks where it sees that nothing has changed.
    void check(RecordValueEmitter.OfHandle first) {
        Label writable = code.newLabel();
        code.aload(place.segment())
                .invokeinterface(Descriptors.SEGMENT, "isReadOnly", MethodTypeDesc.of(ConstantDescs.CD_boolean))
                .ifeq(writable)
                .new_(REFUSAL)
                .dup()
                .loadConstant("Segment is read-only")
                .invokespecial(REFUSAL, ConstantDescs.INIT_NAME,
                        MethodTypeDesc.of(ConstantDescs.CD_void, STRING))
                .athrow()
                .labelBinding(writable);
        first.get(code, place);
        if (first.kind().slotSize() == 1) {
            code.pop();
        } else {
            code.pop2();
        }
    }

    /// Emits code that reads all components of the record in a local variable, checks them, and stores them in their
    /// variables. The components of a large record are written to the array at once.
    void prepare(RecordPlan.Struct struct, int record) {
        prepareRange(struct, 0, struct.components().size(), record);
    }

    /// Prepares a range of components, which refer to no others.
    void prepareRange(RecordPlan.Struct struct, int from, int to, int record) {
        for (int i = from; i < to; i++) {
            prepare(struct, i, record);
        }
        for (RecordPlan.Component component : struct.components().subList(from, to)) {
            checkReference(component.node());
        }
    }

    /// Pushes a component of the record in a local variable. A lambda with these values would take a hundredth of the
    /// time of the first mapper to link.
    private record Access(CodeBuilder code, RecordCalls calls, int component, int record) implements Runnable {
        @Override
        public void run() {
            calls.access(code, component, record);
        }
    }

    private void prepare(RecordPlan.Struct struct, int component, int record) {
        RecordPlan node = struct.components().get(component).node();
        prepare(node, new Access(code, struct.calls(), component, record));
        if (place.isArray()) {
            write(node);
        }
    }

    /// Reads the unions and counted arrays of a very large record, and stores them in an array in a local variable:
    /// several methods need them, and an accessor of the user is called once.
    int readReferring(RecordPlan.Struct struct, int record) {
        List<Integer> referring = referring(struct);
        int array = code.allocateLocal(TypeKind.REFERENCE);
        code.loadConstant(referring.size()).anewarray(OBJECT).astore(array);
        for (int i = 0; i < referring.size(); i++) {
            code.aload(array).loadConstant(i);
            struct.calls().access(code, referring.get(i), record);
            code.aastore();
        }
        return array;
    }

    /// Writes one component of a very large record without the check of its count or discriminator.
    ///
    /// @param referring the variable of the array that [#readReferring] returns
    void prepare(RecordPlan.Struct struct, int component, int record, int referring) {
        RecordPlan node = struct.components().get(component).node();
        int index = referring(struct).indexOf(component);
        prepare(node, () -> {
            if (index < 0) {
                struct.calls().access(code, component, record);
            } else {
                code.aload(referring).loadConstant(index).aaload();
            }
        });
        write(node);
    }

    /// Checks the counts and discriminators of a very large record after all of its components were written.
    ///
    /// @param referring the variable of the array that [#readReferring] returns
    void checkReferences(RecordPlan.Struct struct, int referring) {
        List<Integer> components = referring(struct);
        for (int i = 0; i < components.size(); i++) {
            int index = i;
            Runnable value = () -> code.aload(referring).loadConstant(index).aaload();
            RecordPlan node = struct.components().get(components.get(i)).node();
            if (node instanceof RecordPlan.OneOf oneOf) {
                variantOf(oneOf, required(value, oneOf.where()));
                checkReference(oneOf);
            } else if (node instanceof RecordPlan.Coded coded) {
                RecordPlan.Counted counted = coded.counted().orElseThrow();
                counted.checkArray().begin(code);
                load(counted.count());
                value.run();
                counted.checkArray().end(code);
            }
        }
    }

    private static List<Integer> referring(RecordPlan.Struct struct) {
        return IntStream.range(0, struct.components().size())
                .filter(i -> struct.components().get(i).node() instanceof RecordPlan.OneOf
                        || (struct.components().get(i).node() instanceof RecordPlan.Coded coded
                                && coded.counted().isPresent()))
                .boxed()
                .toList();
    }

    /// Checks that a union matches its discriminator, and that the length of an array is its count. All components were
    /// prepared.
    private void checkReference(RecordPlan node) {
        if (node instanceof RecordPlan.OneOf oneOf) {
            oneOf.check().begin(code);
            load(oneOf.discriminator());
            values.load(oneOf);
            oneOf.check().end(code);
        } else if (node instanceof RecordPlan.Coded coded && coded.counted().isPresent()) {
            RecordPlan.Counted counted = coded.counted().get();
            counted.check().begin(code);
            load(counted.count());
            values.load(coded);
            counted.check().end(code);
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
        if (node instanceof RecordPlan.Primitive primitive) {
            value.run();
            values.store(primitive);
        } else if (node instanceof RecordPlan.Struct struct) {
            prepare(struct, required(value, struct.where()));
        } else if (node instanceof RecordPlan.Ranged ranged) {
            ranged.checked().begin(code);
            value.run();
            code.conversion(ranged.type(), TypeKind.LONG);
            ranged.checked().end(code);
            code.conversion(TypeKind.LONG, ranged.access().kind());
            values.store(ranged);
        } else if (node instanceof RecordPlan.Decoded decoded) {
            decoded.encode().begin(code);
            value.run();
            decoded.encode().end(code);
            code.conversion(TypeKind.LONG, decoded.access().kind());
            values.store(decoded);
        } else if (node instanceof RecordPlan.Address address) {
            address.checked().begin(code);
            value.run();
            code.loadConstant(address.where());
            address.checked().end(code);
            values.store(address);
        } else if (node instanceof RecordPlan.Coded coded) {
            coded.prepare().begin(code);
            place.push(code);
            value.run();
            coded.prepare().end(code);
            values.store(coded);
        } else {
            prepare((RecordPlan.OneOf) node, value);
        }
    }

    private void prepare(RecordPlan.OneOf oneOf, Runnable value) {
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

    private int required(Runnable value, String where) {
        int slot = code.allocateLocal(TypeKind.REFERENCE);
        value.run();
        required(code, where);
        code.astore(slot);
        return slot;
    }

    /// Checks the reference on the stack.
    static void required(CodeBuilder code, String where) {
        code.loadConstant(ValueChecks.isNull(where))
                .invokestatic(Descriptors.of(Objects.class), "requireNonNull",
                        MethodTypeDesc.of(OBJECT, OBJECT, STRING));
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
        write(struct.components());
    }

    /// Writes components that were prepared.
    void write(List<RecordPlan.Component> components) {
        int i = 0;
        while (i < components.size()) {
            int end = endOfUnit(components, i);
            if (end > i + 1) {
                writeUnit(components.subList(i, end));
            } else {
                write(components.get(i).node());
            }
            i = end;
        }
    }

    /// Returns the index after the consecutive bit fields that have the same unit as a component, or the next index if
    /// the component is no bit field in a unit.
    private static int endOfUnit(List<RecordPlan.Component> components, int first) {
        int end = first + 1;
        if (access(components.get(first)) instanceof RecordValueEmitter.OfUnit begin) {
            while (end < components.size() && access(components.get(end)) instanceof RecordValueEmitter.OfUnit next
                    && next.place().byteOffset() == begin.place().byteOffset()) {
                end++;
            }
        }
        return end;
    }

    private static @Nullable RecordValueEmitter access(RecordPlan.Component component) {
        return component.node() instanceof RecordPlan.Direct direct ? direct.access() : null;
    }

    private void writeUnit(List<RecordPlan.Component> components) {
        long written = 0;
        for (RecordPlan.Component component : components) {
            written |= bitField(component).mask();
        }
        RecordValueEmitter.OfUnit first = bitField(components.getFirst());
        first.beginUnit(code, place, written);
        for (RecordPlan.Component component : components) {
            values.load(component.node());
            bitField(component).insert(code);
        }
        first.endUnit(code);
    }

    private static RecordValueEmitter.OfUnit bitField(RecordPlan.Component component) {
        return (RecordValueEmitter.OfUnit) ((RecordPlan.Direct) component.node()).access();
    }

    /// Writes one component that was prepared.
    private void write(RecordPlan node) {
        if (node instanceof RecordPlan.Direct direct) {
            direct.access().beginSet(code, place);
            values.load(direct);
            direct.access().endSet(code);
        } else if (node instanceof RecordPlan.Coded coded) {
            coded.write().begin(code);
            place.push(code);
            values.load(coded);
            coded.write().end(code);
        } else if (!place.isArray() && node instanceof RecordPlan.Struct struct) {
            write(struct);
        } else if (!place.isArray() && node instanceof RecordPlan.OneOf oneOf) {
            values.load(oneOf);
            RecordReadEmitter.select(code, oneOf.variants().size(), i -> write(oneOf.variants().get(i)));
        }
    }

}
