package dev.arenakit.internal.layout.record;

import dev.arenakit.internal.layout.declaration.ComponentDeclaration;
import dev.arenakit.internal.layout.declaration.StructTypeReader;
import dev.arenakit.internal.layout.declaration.TypeCompatibility;
import dev.arenakit.internal.layout.declaration.UserLookup;
import dev.arenakit.internal.layout.declaration.ViewDeclaration;
import dev.arenakit.internal.layout.emit.ClassTemplate;
import dev.arenakit.internal.layout.emit.HiddenClassBuilder;
import dev.arenakit.internal.layout.emit.KnownMethods;
import dev.arenakit.internal.layout.emit.MapperCache;
import dev.arenakit.internal.layout.value.RecordCodec;
import dev.arenakit.internal.layout.value.RefCodec;
import dev.arenakit.internal.layout.value.RefTarget;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/// Creates the mappers of records, including records that are nested in a record or a view.
///
/// A mapper has two classes: a generated class, in the nest of the record if possible, reads and writes the record; a
/// copy of the template of mappers calls it.
public final class RecordMappers implements RecordCodec.Source, MapperCache.Source {
    private final UserLookup lookup;
    private final ClassTemplate template;
    private final Map<Nested, RecordCodec> nested = new HashMap<>();
    private final BiFunction<Class<?>, Optional<StructType>, MethodHandle> access;
    private Root root = new Root(void.class, Optional.empty(), StructType.builder("").build());

    /// The class whose mapper is created.
    private record Root(Class<?> type, Optional<StructType> given, StructType struct) {}

    private record Nested(Class<?> record, StructType type) {}

    /// The class data of a copy of the template.
    ///
    /// @param type   the struct
    /// @param record the record class
    /// @param read   `(MemorySegment, long)Object`, reads the record at an offset
    /// @param write  `(MemorySegment, long, Object)void`, writes the record at an offset
    public record ClassData(StructType type, Class<?> record, MethodHandle read, MethodHandle write) {}

    /// Keeps the arguments for the creation of mappers.
    ///
    /// @param lookup   finds constructors and accessors
    /// @param template the class of a mapper: its copies implement [RecordCodec], and their class data is a [ClassData]
    /// @param access   returns the method [RefTarget#ACCESS] of the mapper of a record class or a view, for a struct
    ///                 that is given or else declared
    public RecordMappers(UserLookup lookup, ClassTemplate template,
            BiFunction<Class<?>, Optional<StructType>, MethodHandle> access) {
        this.access = access;
        this.lookup = lookup;
        this.template = template;
    }

    /// Returns the mapper of a record class, which is created once.
    ///
    /// @param struct the struct, or empty for the struct that the record declares
    /// @return a copy of the template
    public Object of(Class<?> record, Optional<StructType> struct) {
        return MapperCache.of(record, struct, template, this);
    }

    @Override
    public Object create(Class<?> record, Optional<StructType> struct) {
        StructType declared = StructTypeReader.ofRecord(record);
        if (struct.isPresent()) {
            TypeCompatibility.check(record, declared, struct.get());
        }
        begin(record, struct, struct.orElse(declared));
        return create(record, struct.orElse(declared));
    }

    @Override
    public void begin(Class<?> type, Optional<StructType> given, StructType struct) {
        root = new Root(type, given, struct);
    }

    @Override
    public RefCodec reference(ComponentDeclaration component, RefType memory) {
        Class<?> type = component.referenced();
        boolean isRoot = type == root.type && memory.suits(root.struct);
        Optional<StructType> given = isRoot ? root.given : Optional.empty();
        StructType struct = isRoot ? root.struct : new StructTypeReader(ViewDeclaration::componentsOf).read(type);
        return RefCodec.of(component, memory, struct,
                RefTarget.of(type, struct, () -> access.apply(type, given)));
    }

    @Override
    public Collection<Class<?>> reachedByLookup() {
        return lookup.recordsByLookup();
    }

    @Override
    public void checkReach(Class<?> record) {
        lookup.checkConstructor(record);
    }

    /// Returns the mapper of a nested record. All places with the same record and struct type share it.
    @Override
    public RecordCodec codec(Class<?> record, StructType type) {
        Nested key = new Nested(record, type);
        RecordCodec mapper = nested.get(key);
        if (mapper == null) {
            mapper = create(record, type);
            nested.put(key, mapper);
        }
        return mapper;
    }

    /// @throws IllegalArgumentException if a constructor or an accessor is not accessible
    private RecordCodec create(Class<?> record, StructType type) {
        HiddenClassBuilder target = new HiddenClassBuilder(lookup.hostFor(record, template.host()),
                record.getSimpleName() + "InMemory");
        RecordPlanner.Plan plan = RecordPlanner.of(target, record, type, lookup, this);
        MethodHandles.Lookup defined = target
                .define(new RecordMethodEmitter(target.type(), type, plan));
        MethodHandle read = KnownMethods.findStatic(defined, defined.lookupClass(), "read", Object.class,
                MemorySegment.class, long.class);
        MethodHandle write = KnownMethods.findStatic(defined, defined.lookupClass(), "write", void.class,
                MemorySegment.class, long.class, Object.class);
        return (RecordCodec) template.instance(new ClassData(type, record, read, write));
    }
}
