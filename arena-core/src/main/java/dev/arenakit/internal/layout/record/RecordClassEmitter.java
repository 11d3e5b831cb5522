package dev.arenakit.internal.layout.record;

import dev.arenakit.internal.layout.declaration.UserLookup;
import dev.arenakit.internal.layout.emit.ClassTemplate;
import dev.arenakit.internal.layout.emit.HiddenClassBuilder;
import dev.arenakit.internal.layout.value.RecordCodec;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Objects;

/// Creates the mapper of a record class: a generated class, in the nest of the record if possible, that reads and
/// writes the record, and a copy of the template of mappers that calls it.
final class RecordClassEmitter {
    private RecordClassEmitter() {}

    /// Creates a mapper.
    ///
    /// @param record the record class
    /// @param type   the struct
    /// @param lookup finds the constructors and accessors
    /// @param nested provides the mappers of nested records
    /// @throws IllegalArgumentException if a constructor or an accessor is not accessible
    static RecordCodec emit(Class<?> record, StructType type, UserLookup lookup, ClassTemplate template,
            RecordCodec.Source nested) {
        HiddenClassBuilder target = new HiddenClassBuilder(lookup.hostFor(record, template.host()),
                record.getSimpleName() + "InMemory");
        RecordPlanner.Plan plan = RecordPlanner.of(target, record, type, lookup, nested);
        MethodHandles.Lookup defined = target
                .define(builder -> new RecordMethodEmitter(builder, target.type(), type, plan).add());
        MethodHandle read = HiddenClassBuilder.findStatic(defined, defined.lookupClass(), "read", Object.class,
                MemorySegment.class, long.class);
        MethodHandle write = HiddenClassBuilder.findStatic(defined, defined.lookupClass(), "write", void.class,
                MemorySegment.class, long.class, Object.class);
        MethodHandle mapper = template.copy(new RecordClassData(type, record, read, write));
        try {
            return (RecordCodec) Objects.requireNonNull((Object) mapper.invokeExact());
        } catch (Throwable e) {
            throw new AssertionError("The constructor of a mapper cannot throw", e);
        }
    }
}
