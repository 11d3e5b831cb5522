package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The template for a spliterator over a range of records; see [HiddenClassBuilder#copyOf].
final class RecordSpliteratorTemplate<R> implements Spliterator<R> {
    @SuppressWarnings("rawtypes") // A constant cannot have the type parameter of the class.
    private static final RecordMapper MAPPER = HiddenClassBuilder.classData(MethodHandles.lookup(), RecordMapper.class);

    private final MemorySegment segment;
    private long index;
    private final long limit;

    RecordSpliteratorTemplate(MemorySegment segment, long index, long limit) {
        this.segment = segment;
        this.index = index;
        this.limit = limit;
    }

    @Override
    public boolean tryAdvance(Consumer<? super R> action) {
        Objects.requireNonNull(action, "action");
        if (index == limit) {
            return false;
        }
        action.accept(mapper().getAtIndex(segment, index++));
        return true;
    }

    @Override
    public void forEachRemaining(Consumer<? super R> action) {
        Objects.requireNonNull(action, "action");
        long i = index;
        index = limit;
        for (; i < limit; i++) {
            action.accept(mapper().getAtIndex(segment, i));
        }
    }

    @Override
    public @Nullable Spliterator<R> trySplit() {
        long middle = index + (limit - index) / 2;
        if (middle == index) {
            return null;
        }
        Spliterator<R> first = new RecordSpliteratorTemplate<>(segment, index, middle);
        index = middle;
        return first;
    }

    @Override
    public long estimateSize() {
        return limit - index;
    }

    @Override
    public int characteristics() {
        return ORDERED | SIZED | SUBSIZED | NONNULL;
    }

    @SuppressWarnings("unchecked") // The mapper is that of R.
    private RecordMapper<R> mapper() {
        return MAPPER;
    }
}
