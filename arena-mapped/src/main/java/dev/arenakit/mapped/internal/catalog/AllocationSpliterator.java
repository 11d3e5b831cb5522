package dev.arenakit.mapped.internal.catalog;

import dev.arenakit.mapped.Allocation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// A spliterator over the allocations in a catalog.
public final class AllocationSpliterator extends Spliterators.AbstractSpliterator<Allocation> {
    private final CatalogScan scan;
    private final Runnable skipped;

    /// Makes a spliterator over the rest of a scan.
    ///
    /// @param skipped runs for each damaged record
    public AllocationSpliterator(CatalogScan scan, Runnable skipped) {
        super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
        this.scan = scan;
        this.skipped = skipped;
    }

    public Stream<Allocation> stream() {
        return StreamSupport.stream(this, false);
    }

    @Override
    public boolean tryAdvance(Consumer<? super Allocation> action) {
        try {
            CatalogEntry entry = scan.next();
            while (entry != null && !(entry instanceof CatalogEntry.Allocated)) {
                if (entry instanceof CatalogEntry.Unreadable unreadable && unreadable.isFinished()) {
                    skipped.run();
                }
                entry = scan.next();
            }
            if (!(entry instanceof CatalogEntry.Allocated allocated)) {
                return false;
            }
            action.accept(allocation(allocated));
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Allocation allocation(CatalogEntry.Allocated entry) {
        return new Allocation(entry.number(), present(entry.name().text()), present(entry.type().text()), entry.file(),
                entry.byteOffset(),
                entry.byteSize(), entry.partByteSize(), entry.byteAlignment(),
                entry.isLive(),
                entry.time() == 0 ? Optional.empty() : Optional.of(CatalogFormat.instant(entry.time())),
                entry.thread() == 0 ? OptionalLong.empty() : OptionalLong.of(entry.thread()),
                entry.elementCount() < 0 ? OptionalLong.empty() : OptionalLong.of(entry.elementCount()),
                entry.storedCount() < 0 ? OptionalLong.empty() : OptionalLong.of(entry.storedCount()));
    }

    private static Optional<String> present(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }
}
