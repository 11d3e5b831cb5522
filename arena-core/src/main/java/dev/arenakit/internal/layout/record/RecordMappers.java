package dev.arenakit.internal.layout.record;

import dev.arenakit.internal.layout.declaration.UserLookup;
import dev.arenakit.internal.layout.emit.ClassTemplate;
import dev.arenakit.internal.layout.value.RecordCodec;
import dev.arenakit.layout.type.StructType;
import java.util.HashMap;
import java.util.Map;

/// Creates the mappers of records, including records that are nested in a record or a view.
public final class RecordMappers implements RecordCodec.Source {
    private final UserLookup lookup;
    private final ClassTemplate template;
    private final Map<Nested, RecordCodec> nested = new HashMap<>();

    private record Nested(Class<?> record, StructType type) {}

    /// Keeps the arguments for the creation of mappers.
    ///
    /// @param lookup   finds constructors and accessors
    /// @param template the class of a mapper: its copies implement [RecordCodec], and their class data is a
    ///                 [RecordClassData]
    public RecordMappers(UserLookup lookup, ClassTemplate template) {
        this.lookup = lookup;
        this.template = template;
    }

    UserLookup lookup() {
        return lookup;
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

    /// Creates the mapper of a record.
    ///
    /// @throws IllegalArgumentException if a constructor or an accessor is not accessible
    RecordCodec create(Class<?> record, StructType type) {
        return RecordClassEmitter.emit(record, type, lookup, template, this);
    }
}
