package dev.arenakit.layout;

import dev.arenakit.internal.layout.emit.ClassTemplate;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The template for a spliterator over a range of structs; see [ClassTemplate].
final class StructSpliteratorTemplate<T> implements Spliterator<T> {
    @SuppressWarnings("rawtypes") // A constant cannot have the type parameter of the class.
    private static final StructMapper MAPPER = ClassTemplate.classData(MethodHandles.lookup(), StructMapper.class);

    private final MemorySegment segment;
    private long index;
    private final long limit;

    StructSpliteratorTemplate(MemorySegment segment, long index, long limit) {
        this.segment = segment;
        this.index = index;
        this.limit = limit;
    }

    @Override
    public boolean tryAdvance(Consumer<? super T> action) {
        Objects.requireNonNull(action, "action");
        if (index == limit) {
            return false;
        }
        action.accept(mapper().element(segment, index++));
        return true;
    }

    @Override
    public void forEachRemaining(Consumer<? super T> action) {
        Objects.requireNonNull(action, "action");
        long i = index;
        index = limit;
        for (; i < limit; i++) {
            action.accept(mapper().element(segment, i));
        }
    }

    @Override
    public @Nullable Spliterator<T> trySplit() {
        long middle = index + (limit - index) / 2;
        if (middle == index) {
            return null;
        }
        Spliterator<T> first = new StructSpliteratorTemplate<>(segment, index, middle);
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

    @SuppressWarnings("unchecked") // The mapper maps T.
    private StructMapper<T> mapper() {
        return MAPPER;
    }
}
