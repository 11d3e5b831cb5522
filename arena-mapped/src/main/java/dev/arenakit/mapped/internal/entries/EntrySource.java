package dev.arenakit.mapped.internal.entries;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.mapped.ImageEntries.Cursor;
import java.io.IOException;

/// The entries of a structure as consecutive structs.
public final class EntrySource implements ExtentSource {
    private final StoredStructure structure;

    public EntrySource(StoredStructure structure) {
        this.structure = structure;
    }

    @Override
    public long transferTo(Sink sink, long skip, long limit) throws IOException {
        Cursor cursor = structure.cursor();
        long skipped = 0;
        long left = limit;
        while (left > 0 && cursor.next()) {
            long byteSize = cursor.entries().byteSize();
            long from = Math.min(skip - skipped, byteSize);
            skipped += from;
            long passed = Math.min(byteSize - from, left);
            if (passed > 0) {
                sink.data(cursor.entries().asSlice(from, passed));
                left -= passed;
            }
        }
        return skipped;
    }
}
