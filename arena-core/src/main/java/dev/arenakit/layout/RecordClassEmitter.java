package dev.arenakit.layout;

import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Objects;

/// Creates the mapper of a record class: a generated class, in the nest of the record if possible, that reads and
/// writes the record, and a copy of [RecordMapperTemplate] that calls it.
final class RecordClassEmitter {
    private RecordClassEmitter() {}

    /// Creates a mapper.
    ///
    /// @param record the record class
    /// @param type   the struct
    /// @param lookup finds the constructors and accessors
    /// @throws IllegalArgumentException if a constructor or an accessor is not accessible
    @SuppressWarnings("unchecked") // The template extends RecordMapper<Object>.
    static RecordMapper<Object> emit(Class<?> record, StructType type, UserLookup lookup) {
        HiddenClassBuilder target = new HiddenClassBuilder(lookup.hostFor(record), record.getSimpleName() + "InMemory");
        RecordPlanner.Plan plan = RecordPlanner.of(target, record, type, lookup);
        MethodHandles.Lookup defined = target
                .define(builder -> new RecordMethodEmitter(builder, target.type(), type, plan).add());
        MethodHandle read = HiddenClassBuilder.findStatic(defined, defined.lookupClass(), "read", Object.class,
                MemorySegment.class, long.class);
        MethodHandle write = HiddenClassBuilder.findStatic(defined, defined.lookupClass(), "write", void.class,
                MemorySegment.class, long.class, Object.class);
        MethodHandle mapper = HiddenClassBuilder.copyOf(RecordMapperTemplate.class,
                new RecordClassData(type, record, read, write));
        try {
            return (RecordMapper<Object>) Objects.requireNonNull((Object) mapper.invokeExact());
        } catch (Throwable e) {
            throw new AssertionError("The constructor of a mapper cannot throw", e);
        }
    }
}
