package dev.arenakit.examples.calls;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Reads each block by a call of `pread`.
final class PreadReader implements BlockReader {
    private final NativeFile file;

    PreadReader(Path path) throws IOException {
        file = NativeFile.open(path);
    }

    @Override
    public void read(MemorySegment positions, MemorySegment blocks) throws IOException {
        long byteSize = BlockReader.blockByteSize(positions, blocks);
        for (long begin = 0; begin < blocks.byteSize(); begin += byteSize) {
            long position = positions.getAtIndex(JAVA_LONG, begin / byteSize);
            for (long done = 0; done < byteSize;) {
                long bytes = file.calls()
                        .pread(file.descriptor(), blocks.address() + begin + done, byteSize - done, position + done);
                if (bytes == 0) {
                    throw file.end();
                }
                if (bytes != -SystemCalls.EINTR) {
                    done += file.check(bytes, "pread");
                }
            }
        }
    }

    @Override
    public void close() {
        file.close();
    }

    @Override
    public String toString() {
        return "pread";
    }
}
