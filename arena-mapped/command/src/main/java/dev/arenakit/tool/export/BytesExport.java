package dev.arenakit.tool.export;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.mapped.Allocation;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// The export of the bytes of one allocation.
final class BytesExport implements ExportForm {
    @Override
    public boolean write(ExportRequest export) throws IOException {
        Allocation allocation = one(export);
        AtomicLong done = new AtomicLong();
        return export.one(allocation, done::get, () -> export.image()
                .source(allocation)
                .transferTo(new Copy(export.target(), done), 0, Long.MAX_VALUE));
    }

    private static Allocation one(ExportRequest export) {
        ExportAllocations allocations = export.allocations();
        if (allocations.named().size() != 1) {
            throw new ExportForm.UsageException("Option '--bytes' needs one NAME of an allocation");
        }
        Allocation one = allocations.named().getFirst();
        if (allocations.file().isPresent() && allocations.file().getAsInt() != one.file()) {
            throw new ExportForm.UsageException(one.label() + " is not in data file " + allocations.file().getAsInt());
        }
        return one;
    }

    /// @param done the number of bytes that have been written
    private record Copy(ExportTarget target, AtomicLong done) implements ExtentSource.Sink {
        private static final int PIECE = 1 << 17;

        @Override
        public void data(MemorySegment bytes) throws IOException {
            byte[] piece = new byte[(int) Math.min(PIECE, bytes.byteSize())];
            for (long at = 0; at < bytes.byteSize();) {
                int length = (int) Math.min(PIECE, bytes.byteSize() - at);
                MemorySegment.copy(bytes, JAVA_BYTE, at, piece, 0, length);
                target.output().write(piece, 0, length);
                at += length;
                done.addAndGet(length);
            }
        }

        @Override
        public void zeros(long byteSize) throws IOException {
            target.zeros(byteSize);
            done.addAndGet(byteSize);
        }
    }
}
