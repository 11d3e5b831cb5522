package dev.arenakit.layout;

import dev.arenakit.layout.HiddenClassBuilder.Call;
import dev.arenakit.layout.HiddenClassBuilder.Constant;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.RecordComponent;
import java.util.List;

/// The code that calls the constructor and the accessors of a record.
sealed interface RecordCalls {
    /// Returns the calls that a generated class can make.
    ///
    /// @throws IllegalArgumentException if constructor or accessors are not accessible
    static RecordCalls of(HiddenClassBuilder target, Class<?> record, UserLookup lookup) {
        List<RecordComponent> components = List.of(record.getRecordComponents());
        lookup.check(record);
        if (target.canLink(record) && components.stream().allMatch(component -> target.canLink(component.getType()))) {
            return new ByName(RecordReadEmitter.descriptor(record), components.stream()
                    .map(component -> new ByName.Accessor(component.getAccessor().getName(),
                            RecordReadEmitter.descriptor(component.getType())))
                    .toList());
        }
        MethodHandle constructor = lookup.constructor(record);
        return new ByHandle(target.constant(MethodHandle.class, constructor),
                constructor.type().describeConstable().orElseThrow(),
                components.stream().map(component -> target.call(lookup.accessor(component))).toList());
    }

    /// Begins the creation of a record. The arguments of its constructor follow.
    void beginNew(CodeBuilder code);

    /// Casts the argument on the stack.
    void cast(CodeBuilder code, int component);

    /// Creates the record.
    void endNew(CodeBuilder code);

    /// Pushes a component of the record in a local variable.
    void access(CodeBuilder code, int component, int record);

    /// Calls in a class that can access the record. The allocation comes first, so that values need no place on the
    /// stack during it, and it costs less than that of a MethodHandle, which checks at each call for agents.
    record ByName(ClassDesc record, List<Accessor> accessors) implements RecordCalls {
        record Accessor(String name, ClassDesc type) {}

        @Override
        public void beginNew(CodeBuilder code) {
            code.new_(record).dup();
        }

        @Override
        public void cast(CodeBuilder code, int component) {
            ClassDesc type = accessors.get(component).type();
            if (!type.isPrimitive()) {
                code.checkcast(type);
            }
        }

        @Override
        public void endNew(CodeBuilder code) {
            code.invokespecial(record, ConstantDescs.INIT_NAME, MethodTypeDesc.of(ConstantDescs.CD_void,
                    accessors.stream().map(Accessor::type).toList()));
        }

        @Override
        public void access(CodeBuilder code, int component, int variable) {
            Accessor accessor = accessors.get(component);
            code.aload(variable)
                    .checkcast(record)
                    .invokevirtual(record, accessor.name(), MethodTypeDesc.of(accessor.type()));
        }
    }

    /// Calls through MethodHandles.
    record ByHandle(Constant constructor, MethodTypeDesc type, List<Call> accessors) implements RecordCalls {
        @Override
        public void beginNew(CodeBuilder code) {
            constructor.load(code);
        }

        @Override
        public void cast(CodeBuilder code, int component) {
            // The MethodHandle casts its arguments.
        }

        @Override
        public void endNew(CodeBuilder code) {
            code.invokevirtual(ConstantDescs.CD_MethodHandle, "invokeExact", type);
        }

        @Override
        public void access(CodeBuilder code, int component, int variable) {
            accessors.get(component).invoke(code, () -> code.aload(variable));
        }
    }
}
