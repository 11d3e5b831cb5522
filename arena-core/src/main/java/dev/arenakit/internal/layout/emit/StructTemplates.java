package dev.arenakit.internal.layout.emit;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Map;
import java.util.Spliterator;
import java.util.concurrent.ConcurrentHashMap;

/// The lists and spliterators of one mapper. Their classes are copies of templates, created for the mapper on first
/// use, so that calls in them have one receiver class and are inlined.
public final class StructTemplates<T> {
    private final Object mapper;
    private final Map<Class<?>, MethodHandle> constructors = new ConcurrentHashMap<>();

    /// Creates an object without copies.
    ///
    /// @param mapper the class data of the copies
    public StructTemplates(Object mapper) {
        this.mapper = mapper;
    }

    /// Returns a list.
    ///
    /// @param template the template of a list, whose constructor takes a segment
    @SuppressWarnings("unchecked") // The list contains what the mapper reads.
    public List<T> list(ClassTemplate template, MemorySegment segment) {
        return (List<T>) create(() -> constructor(template, MemorySegment.class).invoke(segment));
    }

    /// Returns a spliterator.
    ///
    /// @param template the template of a spliterator, whose constructor takes a segment, the first index, and the limit
    ///                 of the indices
    @SuppressWarnings("unchecked") // The spliterator contains what the mapper reads.
    public Spliterator<T> spliterator(ClassTemplate template, MemorySegment segment, long count) {
        return (Spliterator<T>) create(() -> constructor(template, MemorySegment.class,
                long.class, long.class).invoke(segment, 0L, count));
    }

    private MethodHandle constructor(ClassTemplate template, Class<?>... parameters) {
        return constructors.computeIfAbsent(template.template(), _ -> template.copy(mapper, parameters));
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
