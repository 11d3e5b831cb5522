package dev.arenakit.internal.layout.record;

import dev.arenakit.internal.layout.declaration.ComponentDeclaration;
import dev.arenakit.internal.layout.declaration.StructTypeReader;
import dev.arenakit.internal.layout.declaration.TypeCompatibility;
import dev.arenakit.internal.layout.declaration.UserLookup;
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
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Creates the mappers of records, including records that are nested in a record or a view.
///
/// A mapper has two classes: a generated class, in the nest of the record if possible, reads and writes the record; a
/// copy of the template of mappers calls it.
public final class RecordMappers implements RecordCodec.Source, MapperCache.Source {
    private final UserLookup lookup;
    private final ClassTemplate template;
    private final Map<Nested, RecordCodec> nested = new HashMap<>();
    private final Access access;
    private final List<RefTarget> targets = new ArrayList<>();
    private Class<?> root = void.class;
    private Optional<StructType> givenRoot = Optional.empty();
    private Optional<StructType> rootType = Optional.empty();

    private record Nested(Class<?> record, StructType type) {}

    /// The class data of a copy of the template.
    ///
    /// @param type   the struct
    /// @param record the record class
    /// @param read   `(MemorySegment, long)Object`, reads the record at an offset
    /// @param write  `(MemorySegment, long, Object)void`, writes the record at an offset
    public record ClassData(StructType type, Class<?> record, MethodHandle read, MethodHandle write) {}

    /// Finds the mapper of a class.
    @FunctionalInterface
    public interface Access {
        /// Returns `(MemorySegment, long)Object`, which reads a struct at an offset.
        ///
        /// @param type   a record class or a view
        /// @param struct the struct, or empty for the struct that the class declares
        MethodHandle of(Class<?> type, Optional<StructType> struct, UserLookup lookup);
    }

    /// Keeps the arguments for the creation of mappers.
    ///
    /// @param lookup   finds constructors and accessors
    /// @param template the class of a mapper: its copies implement [RecordCodec], and their class data is a [ClassData]
    /// @param access   finds the mappers of structs that references refer to
    public RecordMappers(UserLookup lookup, ClassTemplate template, Access access) {
        this.access = access;
        this.lookup = lookup;
        this.template = template;
    }

    /// Returns the mapper of a record class, which is created once.
    ///
    /// @param struct the struct, or empty for the struct that the record declares
    /// @return a copy of the template
    public Object of(Class<?> record, Optional<StructType> struct) {
        Object mapper = MapperCache.of(record, struct, template, this);
        findTargets();
        return mapper;
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
        root = type;
        givenRoot = given;
        rootType = Optional.of(struct);
    }

    @Override
    public RefCodec reference(ComponentDeclaration component, RefType memory) {
        Class<?> type = component.referenced();
        boolean isRoot = type == root;
        StructType struct = isRoot ? rootType.orElseThrow() : StructTypeReader.ofTarget(component);
        Optional<StructType> given = isRoot ? givenRoot : Optional.empty();
        RefTarget target = RefTarget.of(type, struct, () -> access.of(type, given, lookup));
        targets.add(target);
        return RefCodec.of(component, memory, struct, target);
    }

    @Override
    public void findTargets() {
        for (RefTarget target : targets) {
            try {
                target.findMapper();
            } catch (IllegalArgumentException _) {
                // The class is not accessible. Whoever follows the reference gets the message.
            }
        }
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
