package dev.arenakit.internal.layout.record;

import dev.arenakit.internal.layout.declaration.UserLookup;
import dev.arenakit.internal.layout.emit.Descriptors;
import dev.arenakit.internal.layout.emit.HiddenClassBuilder;
import dev.arenakit.internal.layout.emit.HiddenClassBuilder.Call;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;

/// The code that calls the constructor and the accessors of a record.
sealed interface RecordCalls {
    /// Returns the calls that a generated class can make.
    ///
    /// @throws IllegalArgumentException if constructor or accessors are not accessible
    static RecordCalls of(HiddenClassBuilder target, Class<?> record, UserLookup lookup) {
        lookup.checkConstructor(record);
        boolean byName = target.canCall(lookup.canonical(record));
        for (RecordComponent component : record.getRecordComponents()) {
            byName &= target.canLink(component.getType());
        }
        return byName ? byName(record) : byHandle(target, record, lookup);
    }

    private static RecordCalls byName(Class<?> record) {
        List<ClassDesc> types = new ArrayList<>();
        List<String> accessors = new ArrayList<>();
        for (RecordComponent component : record.getRecordComponents()) {
            types.add(Descriptors.of(component.getType()));
            accessors.add(component.getAccessor().getName());
        }
        return new ByName(Descriptors.of(record), MethodTypeDesc.of(ConstantDescs.CD_void, types),
                accessors);
    }

    private static RecordCalls byHandle(HiddenClassBuilder target, Class<?> record, UserLookup lookup) {
        List<Call> accessors = new ArrayList<>();
        for (RecordComponent component : record.getRecordComponents()) {
            accessors.add(target.call(lookup.accessor(component)));
        }
        return new ByHandle(target.call(lookup.constructor(record)), accessors);
    }

    /// Begins the creation of a record. The arguments of its constructor follow.
    void beginNew(CodeBuilder code);

    /// Casts the argument on the stack.
    void cast(CodeBuilder code, int component);

    /// Creates the record.
    void endNew(CodeBuilder code);

    /// Pushes a component of the record in a local variable.
    void access(CodeBuilder code, int component, int record);

    /// Calls by name, in a class that may call the constructor.
    ///
    /// A call by name costs less than a call through a MethodHandle. The object is allocated before its values are
    /// read, so that the values need not be saved during the allocation. A MethodHandle checks at each call whether an
    /// agent watches allocations.
    record ByName(ClassDesc record, MethodTypeDesc constructor, List<String> accessors) implements RecordCalls {
        @Override
        public void beginNew(CodeBuilder code) {
            code.new_(record).dup();
        }

        @Override
        public void cast(CodeBuilder code, int component) {
            ClassDesc type = constructor.parameterType(component);
            if (!type.isPrimitive()) {
                code.checkcast(type);
            }
        }

        @Override
        public void endNew(CodeBuilder code) {
            code.invokespecial(record, ConstantDescs.INIT_NAME, constructor);
        }

        @Override
        public void access(CodeBuilder code, int component, int variable) {
            code.aload(variable)
                    .checkcast(record)
                    .invokevirtual(record, accessors.get(component),
                            MethodTypeDesc.of(constructor.parameterType(component)));
        }
    }

    /// Calls through MethodHandles.
    record ByHandle(Call constructor, List<Call> accessors) implements RecordCalls {
        @Override
        public void beginNew(CodeBuilder code) {
            constructor.begin(code);
        }

        @Override
        public void cast(CodeBuilder code, int component) {
            // The MethodHandle casts its arguments.
        }

        @Override
        public void endNew(CodeBuilder code) {
            constructor.end(code);
        }

        @Override
        public void access(CodeBuilder code, int component, int variable) {
            accessors.get(component).begin(code);
            code.aload(variable);
            accessors.get(component).end(code);
        }
    }
}
