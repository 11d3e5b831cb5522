package dev.arenakit.tool.export;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.mapped.Allocation;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;

/// The export of the bytes of one allocation.
final class BytesExport implements ExportForm {
    @Override
    public boolean write(ExportRequest export) throws IOException {
        Allocation allocation = export.only("--bytes");
        return export.one(allocation,
                () -> export.reading(export.image().source(allocation), allocation.byteSize())
                        .transferTo(new Copy(export), 0, Long.MAX_VALUE));
    }

    private record Copy(ExportRequest export) implements ExtentSource.Sink {
        @Override
        public void data(MemorySegment bytes) throws IOException {
            // The channel of a stream writes all bytes.
            Channels.newChannel(export.streams().out()).write(bytes.asByteBuffer());
        }

        @Override
        public void zeros(long byteSize) throws IOException {
            export.zeros().write(byteSize);
        }
    }
}
