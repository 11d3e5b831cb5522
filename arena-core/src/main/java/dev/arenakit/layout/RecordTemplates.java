package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Map;
import java.util.Spliterator;
import java.util.concurrent.ConcurrentHashMap;

/// The lists, spliterators and fields of one mapper. Their classes are copies of templates, created for the mapper on
/// first use, so that calls in them have one receiver class and are inlined. All copies are kept; their number is
/// limited by the number of paths that the program uses.
final class RecordTemplates<R> {
    private final RecordMapper<R> mapper;
    private final Map<Class<?>, MethodHandle> constructors = new ConcurrentHashMap<>();
    private final Map<String, LongField> longFields = new ConcurrentHashMap<>();
    private final Map<String, IntField> intFields = new ConcurrentHashMap<>();

    RecordTemplates(RecordMapper<R> mapper) {
        this.mapper = mapper;
    }

    @SuppressWarnings("unchecked") // The list contains what the mapper reads.
    List<R> list(MemorySegment segment) {
        return (List<R>) create(() -> constructor(RecordListTemplate.class, MemorySegment.class).invoke(segment));
    }

    @SuppressWarnings("unchecked") // The spliterator contains what the mapper reads.
    Spliterator<R> spliterator(MemorySegment segment, long count) {
        return (Spliterator<R>) create(() -> constructor(RecordSpliteratorTemplate.class, MemorySegment.class,
                long.class, long.class).invoke(segment, 0L, count));
    }

    LongField longField(String path) {
        return longFields.computeIfAbsent(path,
                _ -> (LongField) field(LongFieldTemplate.class,
                        FieldClassData.of(mapper.field(path), mapper, long.class)));
    }

    IntField intField(String path) {
        return intFields.computeIfAbsent(path,
                _ -> (IntField) field(IntFieldTemplate.class,
                        FieldClassData.of(mapper.field(path), mapper, int.class)));
    }

    private static Object field(Class<?> template, FieldClassData data) {
        return create(() -> HiddenClassBuilder.copyOf(template, data).invoke());
    }

    private MethodHandle constructor(Class<?> template, Class<?>... parameters) {
        return constructors.computeIfAbsent(template, _ -> HiddenClassBuilder.copyOf(template, mapper, parameters));
    }

    private interface Creation {
        Object create() throws Throwable;
    }

    private static Object create(Creation creation) {
        try {
            return creation.create();
        } catch (Throwable e) {
            throw new AssertionError("A constructor that only stores its arguments cannot throw", e);
        }
    }
}
