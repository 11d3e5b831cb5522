package dev.arenakit.mapped.internal.catalog;

import dev.arenakit.internal.Sizes;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LINE;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LONG;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.SLOT;

/// Iterates over the allocations of a run.
final class SlotScan {
    /// A slot may be read before its owner writes it, and the next slot afterwards.
    private static final int ATTEMPTS = 3;

    private final CatalogEntry.Run run;
    private final CatalogWindow window;
    private final long limit;
    /// The offset of the next slot in the catalog.
    private long position;
    /// The end of the previous allocation in the data file.
    private long end;

    SlotScan(CatalogEntry.Run run, CatalogWindow window) {
        this.run = run;
        this.window = window;
        long start = (run.line() + 1) * LINE;
        limit = (run.line() + run.lines()) * LINE;
        position = start;
        end = run.byteOffset();
    }

    /// The next allocation, or null if there is none. The offsets of the allocations behind a damaged slot are unknown.
    @Nullable
    CatalogEntry next() throws IOException {
        if (position >= limit) {
            return null;
        }
        for (int i = 0; i < ATTEMPTS; i++) {
            long slot = slot(position);
            long start = start(slot);
            if (slot == 0 && isUnused()) {
                position = limit;
                return null;
            }
            if (slot != 0 && CatalogFormat.isSlot(slot, position, start)
                    && CatalogFormat.slotByteSize(slot) <= run.end() - start) {
                return allocated(slot, start);
            }
            window.reread(position & -LINE, LINE);
        }
        int line = (int) (position / LINE);
        position = limit;
        return new CatalogEntry.Unreadable(line, (int) (limit / LINE) - line, true);
    }

    private CatalogEntry allocated(long slot, long start) {
        long number = position / SLOT;
        position += SLOT;
        end = start + CatalogFormat.slotByteSize(slot);
        return new CatalogEntry.Allocated(number, run.file(), start, end - start, 0,
                CatalogFormat.slotByteAlignment(slot), CatalogFormat.slotState(slot), run.time(), run.thread(),
                CatalogEntry.Text.NONE, CatalogEntry.Text.NONE, 0, -1, -1);
    }

    /// The offset at which the allocation of a slot starts.
    private long start(long slot) {
        long byteAlignment = CatalogFormat.slotByteAlignment(slot);
        return Sizes.alignUp(end + run.baseAddress(), byteAlignment) - run.baseAddress();
    }

    /// Whether neither the slot at the position nor a later slot of the run was used.
    private boolean isUnused() throws IOException {
        if (run.used() >= 0 && position < (run.line() + 1) * LINE + run.used() * SLOT) {
            return false;
        }
        for (long at = position; at < limit; at += SLOT) {
            if (slot(at) != 0) {
                return false;
            }
        }
        return true;
    }

    private long slot(long at) throws IOException {
        return window.bytes().get(LONG, window.at(at & -LINE, LINE) + at % LINE);
    }
}
