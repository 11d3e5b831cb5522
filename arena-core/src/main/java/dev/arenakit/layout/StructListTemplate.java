package dev.arenakit.layout;

import dev.arenakit.internal.layout.emit.ClassTemplate;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.AbstractList;
import java.util.RandomAccess;
import java.util.Spliterator;

/// The template for the list view of the structs in a segment; see [ClassTemplate].
final class StructListTemplate<T> extends AbstractList<T> implements RandomAccess {
    @SuppressWarnings("rawtypes") // A constant cannot have the type parameter of the class.
    private static final StructMapper MAPPER = ClassTemplate.classData(MethodHandles.lookup(), StructMapper.class);

    private final MemorySegment segment;

    StructListTemplate(MemorySegment segment) {
        this.segment = segment;
    }

    @Override
    public T get(int index) {
        return mapper().element(segment, index);
    }

    @Override
    public T set(int index, T value) {
        return mapper().replace(segment, index, value);
    }

    @Override
    public int size() {
        return (int) (segment.byteSize() / mapper().byteSize());
    }

    @Override
    public Spliterator<T> spliterator() {
        return mapper().spliterator(segment);
    }

    @SuppressWarnings("unchecked") // The mapper maps T.
    private StructMapper<T> mapper() {
        return MAPPER;
    }
}
