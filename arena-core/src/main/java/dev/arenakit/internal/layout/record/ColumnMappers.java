package dev.arenakit.internal.layout.record;

import dev.arenakit.internal.layout.declaration.DeclaredTargets;
import dev.arenakit.internal.layout.declaration.StructTypeReader;
import dev.arenakit.internal.layout.declaration.UserLookup;
import dev.arenakit.internal.layout.emit.ClassTemplate;
import dev.arenakit.internal.layout.emit.HiddenClassBuilder;
import dev.arenakit.internal.layout.emit.KnownMethods;
import dev.arenakit.internal.layout.emit.MapperCache;
import dev.arenakit.layout.type.ColumnTableFormat;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Collection;
import java.util.Optional;

/// Creates the tables of columns of record classes. A table has two classes, as the mapper of a record has.
///
/// @param lookup   finds constructors and accessors
/// @param template the class of a table: the class data of its copies is a [ClassData]
/// @param nested   creates the mappers of rows and of nested records
public record ColumnMappers(UserLookup lookup, ClassTemplate template,
        RecordMappers nested) implements MapperCache.Source {
    private static final MethodType READ = MethodType.methodType(Object.class, MemorySegment.class, long.class,
            long.class);
    private static final MethodType WRITE = READ.appendParameterTypes(Object.class).changeReturnType(void.class);

    /// The class data of a copy of the template.
    ///
    /// @param read   `(MemorySegment, long, long)Object`, reads the row at an index of a table with a capacity
    /// @param write  `(MemorySegment, long, long, Object)void`, writes the row
    public record ClassData(ColumnTableFormat format, MethodHandle read, MethodHandle write) {}

    /// Returns the table of a record class that is bound to no memory. It is created once.
    ///
    /// @return a copy of the template
    public Object of(Class<?> record) {
        return MapperCache.of(record, Optional.empty(), template, this);
    }

    @Override
    public Object create(Class<?> record, Optional<StructType> struct) {
        StructType row = StructTypeReader.ofRecord(record);
        ColumnTableFormat format = ColumnTableFormat.of(row);
        if (RecordSize.of(row).isLarge()) {
            ColumnRowBuffer buffer = new ColumnRowBuffer(format, nested.codec(record, row.withByteAlignment(1)));
            return template.instance(new ClassData(format,
                    KnownMethods.bind(MethodHandles.lookup(), buffer, "read", READ),
                    KnownMethods.bind(MethodHandles.lookup(), buffer, "write", WRITE)));
        }
        HiddenClassBuilder target = new HiddenClassBuilder(lookup.hostFor(record, template.host()),
                record.getSimpleName() + "InColumns");
        ColumnTableFormat accessed = ColumnTableFormat.of(DeclaredTargets.of(row, record));
        MethodHandles.Lookup defined = target.define(new ColumnMethodEmitter(accessed,
                RecordPlanner.ofColumns(target, record, accessed, lookup, nested)));
        return template.instance(new ClassData(format,
                KnownMethods.findStatic(defined, defined.lookupClass(), "read", READ.returnType(),
                        READ.parameterArray()),
                KnownMethods.findStatic(defined, defined.lookupClass(), "write", WRITE.returnType(),
                        WRITE.parameterArray())));
    }

    @Override
    public Collection<Class<?>> reachedByLookup() {
        return lookup.recordsByLookup();
    }

    @Override
    public void checkReach(Class<?> record) {
        lookup.checkConstructor(record);
    }
}
