package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The records of a range; see [HiddenClass#copyOf].
final class MappedSpliterator<R> implements Spliterator<R> {
    @SuppressWarnings("rawtypes") // A constant cannot be of the type of the class.
    private static final RecordMapper MAPPER = HiddenClass.classData(MethodHandles.lookup(), RecordMapper.class);

    private final MemorySegment segment;
    private long index;
    private final long limit;

    MappedSpliterator(MemorySegment segment, long index, long limit) {
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
        action.accept(mapper().get(segment, index++));
        return true;
    }

    @Override
    public void forEachRemaining(Consumer<? super R> action) {
        Objects.requireNonNull(action, "action");
        long i = index;
        index = limit;
        for (; i < limit; i++) {
            action.accept(mapper().get(segment, i));
        }
    }

    @Override
    public @Nullable Spliterator<R> trySplit() {
        long middle = index + (limit - index) / 2;
        if (middle == index) {
            return null;
        }
        Spliterator<R> first = new MappedSpliterator<>(segment, index, middle);
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

    @SuppressWarnings("unchecked") // Whoever makes a spliterator says so.
    private RecordMapper<R> mapper() {
        return MAPPER;
    }
}
