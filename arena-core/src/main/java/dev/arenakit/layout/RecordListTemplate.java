package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.AbstractList;
import java.util.RandomAccess;
import java.util.Spliterator;

/// The template for the list view of the records in a segment; see [HiddenClassBuilder#copyOf].
final class RecordListTemplate<R> extends AbstractList<R> implements RandomAccess {
    @SuppressWarnings("rawtypes") // A constant cannot have the type parameter of the class.
    private static final RecordMapper MAPPER = HiddenClassBuilder.classData(MethodHandles.lookup(), RecordMapper.class);

    private final MemorySegment segment;

    RecordListTemplate(MemorySegment segment) {
        this.segment = segment;
    }

    @Override
    public R get(int index) {
        return mapper().getAtIndex(segment, index);
    }

    @Override
    public R set(int index, R record) {
        R before = get(index);
        mapper().setAtIndex(segment, index, record);
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

    @SuppressWarnings("unchecked") // The mapper is that of R.
    private RecordMapper<R> mapper() {
        return MAPPER;
    }
}
