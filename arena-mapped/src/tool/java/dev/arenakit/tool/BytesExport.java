package dev.arenakit.tool;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.Progress.Task;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// The bytes of one allocation, as they are.
final class BytesExport implements ExportForm {
    @Override
    public boolean write(Export export) throws IOException {
        Allocation allocation = one(export);
        AtomicLong done = new AtomicLong();
        try (Task _ = export.streams().progress().start("exporting " + allocation.label(), "bytes", done::get)) {
            export.image().source(allocation).transferTo(new Copy(export.target(), done), 0, Long.MAX_VALUE);
        } catch (Output.Failure e) {
            throw e;
        } catch (IOException e) {
            throw new IOException(allocation.label() + ": " + Streams.reason(e), e);
        }
        Optional<String> lost = Images.lost(export.image(), allocation);
        lost.ifPresent(what -> export.complain(allocation, what));
        return lost.isEmpty();
    }

    private static Allocation one(Export export) {
        ExportedAllocations allocations = export.allocations();
        if (allocations.named().size() != 1) {
            throw new ExportUsageException("Option '--bytes' needs one NAME of an allocation");
        }
        Allocation one = allocations.named().getFirst();
        if (allocations.file().isPresent() && allocations.file().getAsInt() != one.file()) {
            throw new ExportUsageException(one.label() + " is not in data file " + allocations.file().getAsInt());
        }
        return one;
    }

    /// @param done how many bytes are behind it
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
