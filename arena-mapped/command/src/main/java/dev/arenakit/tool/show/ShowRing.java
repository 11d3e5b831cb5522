package dev.arenakit.tool.show;

import dev.arenakit.mapped.internal.ring.RingInspection;
import dev.arenakit.mapped.internal.ring.RingRecord;
import dev.arenakit.mapped.internal.ring.RingRecords;
import dev.arenakit.tool.console.Progress.Task;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.RingState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// Shows the records of a ring that were not read yet.
final class ShowRing {
    /// The largest number of bytes of a message that are shown.
    static final int MAX_BYTES = 4096;

    /// A form in which records are printed.
    interface Form {
        void begin(Path path, RingState state) throws IOException;

        void print(RingRecord ringRecord) throws IOException;

        /// Ends the output.
        ///
        /// @param left  the number of records that a limit has left out
        /// @param total the number of all records
        void end(long left, long total) throws IOException;
    }

    private final Streams streams;
    private final Form form;
    private final long skip;
    private final long limit;

    /// @param skip  the number of records that are left out before the first one that is shown
    /// @param limit the largest number of records that are shown
    ShowRing(Streams streams, Form form, long skip, long limit) {
        this.streams = streams;
        this.form = form;
        this.skip = skip;
        this.limit = limit;
    }

    void print(Path path) throws IOException {
        try (RingInspection ring = RingInspection.open(path);
                Task _ = streams.progress().start("showing " + path, "bytes", streams.out()::byteCount)) {
            form.begin(path, RingState.of(ring));
            RingRecords records = ring.records(MAX_BYTES);
            long total = 0;
            long printed = 0;
            try {
                for (Optional<RingRecord> next = records.next(); next.isPresent(); next = records.next()) {
                    if (total++ >= skip && printed < limit) {
                        form.print(next.get());
                        printed++;
                    }
                }
            } finally {
                // The records before damage are printed, too.
                form.end(total - printed, total);
            }
        }
    }
}
