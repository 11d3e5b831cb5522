package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.AbstractList;
import java.util.RandomAccess;
import java.util.Spliterator;

/// The records of a segment as a list; see [HiddenClass#copyOf].
final class MappedList<R> extends AbstractList<R> implements RandomAccess {
    @SuppressWarnings("rawtypes") // A constant cannot be of the type of the class.
    private static final RecordMapper MAPPER = HiddenClass.classData(MethodHandles.lookup(), RecordMapper.class);

    private final MemorySegment segment;

    MappedList(MemorySegment segment) {
        this.segment = segment;
    }

    @Override
    public R get(int index) {
        return mapper().get(segment, index);
    }

    @Override
    public R set(int index, R record) {
        R before = get(index);
        mapper().set(segment, index, record);
        return before;
    }

    @Override
    public int size() {
        return (int) (segment.byteSize() / mapper().byteSize());
    }

    @Override
    public Spliterator<R> spliterator() {
        return mapper().spliterator(segment);
    }

    @SuppressWarnings("unchecked") // Whoever makes a list says so.
    private RecordMapper<R> mapper() {
        return MAPPER;
    }
}
