package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Map;
import java.util.Spliterator;
import java.util.concurrent.ConcurrentHashMap;

/// The lists, spliterators and fields of one mapper. Their classes are copies made for the mapper, when they are asked for
/// the first time, so that calls in them are to one class and inlined. All of them are kept: there are no more than paths that
/// the program asks for.
final class MapperParts<R> {
    private static final MethodType NEW_LIST = MethodType.methodType(void.class, MemorySegment.class);
    private static final MethodType NEW_SPLITERATOR = MethodType.methodType(void.class, MemorySegment.class, long.class,
            long.class);
    private static final MethodType NEW_FIELD = MethodType.methodType(void.class);

    private final RecordMapper<R> mapper;
    private final Map<Class<?>, MethodHandle> constructors = new ConcurrentHashMap<>();
    private final Map<String, LongField> longFields = new ConcurrentHashMap<>();
    private final Map<String, IntField> intFields = new ConcurrentHashMap<>();

    MapperParts(RecordMapper<R> mapper) {
        this.mapper = mapper;
    }

    @SuppressWarnings("unchecked") // The list holds what the mapper reads.
    List<R> list(MemorySegment segment) {
        return (List<R>) made(() -> constructor(MappedList.class, NEW_LIST).invoke(segment));
    }

    @SuppressWarnings("unchecked") // It gives what the mapper reads.
    Spliterator<R> spliterator(MemorySegment segment, long count) {
        return (Spliterator<R>) made(
                () -> constructor(MappedSpliterator.class, NEW_SPLITERATOR).invoke(segment, 0L, count));
    }

    LongField longField(String path) {
        return longFields.computeIfAbsent(path, _ -> {
            FieldData data = FieldData.of(mapper.field(path), mapper, long.class);
            return (LongField) made(
                    () -> constructor(HiddenClass.copyOf(MappedLong.class, data), NEW_FIELD).invoke());
        });
    }

    IntField intField(String path) {
        return intFields.computeIfAbsent(path, _ -> {
            FieldData data = FieldData.of(mapper.field(path), mapper, int.class);
            return (IntField) made(() -> constructor(HiddenClass.copyOf(MappedInt.class, data), NEW_FIELD).invoke());
        });
    }

    private MethodHandle constructor(Class<?> template, MethodType type) {
        return constructors.computeIfAbsent(template, _ -> constructor(HiddenClass.copyOf(template, mapper), type));
    }

    private static MethodHandle constructor(MethodHandles.Lookup copy, MethodType type) {
        try {
            MethodHandle constructor = copy.findConstructor(copy.lookupClass(), type);
            return constructor.asType(constructor.type().changeReturnType(Object.class));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("A copy has the constructor of its template", e);
        }
    }

    private interface Creation {
        Object create() throws Throwable;
    }

    private static Object made(Creation creation) {
        try {
            return creation.create();
        } catch (Throwable e) {
            throw new AssertionError("A constructor that only stores its arguments threw", e);
        }
    }
}
