package dev.arenakit.mapped.internal.io;

import dev.arenakit.internal.Sizes;
import dev.arenakit.mapped.internal.files.MappingLimit;
import dev.arenakit.mapped.internal.files.SafeFiles;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Mappings that each serve one lease, and end with its arena. They need no native access.
///
/// The file is opened for each call, because an interrupt of one thread would close a channel for all of them.
public final class WindowPerLease implements WindowMapper {
    private final Path path;
    private final boolean writable;
    private final long maxByteSize;

    /// The key that identifies the file, or null if the file system has no keys.
    private final @Nullable Object fileKey;

    private long mappedByteSize;

    public WindowPerLease(Path path, boolean writable, long maxByteSize) throws IOException {
        // A relative path keeps its meaning, and the file is found again.
        this.path = path.toAbsolutePath();
        this.writable = writable;
        this.maxByteSize = maxByteSize;
        fileKey = fileKey();
        long _ = fileByteSize();
    }

    @Override
    public long fileByteSize() throws IOException {
        return call(FileChannel::size);
    }

    /// Writes the last byte, which is beyond the end of the file: a channel has no other way to grow a file.
    @Override
    public void setFileByteSize(long byteSize) throws IOException {
        int _ = call(channel -> channel.write(ByteBuffer.allocate(1), byteSize - 1));
    }

    @Override
    public WindowRange acquire(long offset, long byteSize) {
        if (byteSize == 0) {
            return WindowRange.empty();
        }
        Sizes.checkAddressable(byteSize, GRANULARITY);
        WindowRange mapping = new WindowRange(0, 0, offset, WindowMapper.byteSizeOfPages(offset, byteSize));
        if (mapping.byteSize > maxByteSize - mappedByteSize) {
            throw WindowMapper.full(maxByteSize, mappedByteSize, mapping.byteSize);
        }
        MappingLimit.reserve();
        mappedByteSize += mapping.byteSize;
        mapping.leases = 1;
        return mapping;
    }

    @Override
    public void release(WindowRange mapping) {
        if (--mapping.leases > 0 || mapping.byteSize == 0) {
            return;
        }
        mappedByteSize -= mapping.byteSize;
        MappingLimit.release(1);
    }

    @Override
    public MemorySegment segment(WindowRange mapping, long offset, long byteSize, Arena arena) throws IOException {
        if (byteSize == 0) {
            return arena.allocate(0);
        }
        return call(channel -> {
            // Mapping would grow a file that another process has truncated.
            if (channel.size() - offset < byteSize) {
                throw new EOFException("the file was truncated, fileByteSize=" + channel.size());
            }
            return channel.map(writable ? MapMode.READ_WRITE : MapMode.READ_ONLY, offset, byteSize, arena);
        });
    }

    @Override
    public void force(MemorySegment segment) {
        segment.force();
    }

    @Override
    public void force() throws IOException {
        call(channel -> {
            channel.force(false);
            return channel;
        });
    }

    @Override
    public long mappedByteSize() {
        return mappedByteSize;
    }

    /// Has no effect: nothing is open between calls.
    @Override
    public void close() {}

    private <T> T call(Call<T> call) throws IOException {
        return SafeFiles.uninterrupted(() -> {
            try (FileChannel channel = SafeFiles.openRegular(path, writable)) {
                if (!Objects.equals(fileKey(), fileKey)) {
                    throw new IOException("another file has its name now");
                }
                return call.run(channel);
            }
        });
    }

    private @Nullable Object fileKey() throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    @FunctionalInterface
    private interface Call<T> {
        T run(FileChannel channel) throws IOException;
    }
}
