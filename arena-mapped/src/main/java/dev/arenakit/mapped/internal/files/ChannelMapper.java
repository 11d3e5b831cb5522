package dev.arenakit.mapped.internal.files;

import dev.arenakit.internal.file.UnownedMappings;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;

/// Maps files of an image through channels, so that the JDK knows that the segments are mapped.
public final class ChannelMapper {
    /* If the thread is interrupted when the system has just made the mapping, FileChannel.map throws, and no arena will
     * unmap it. Another thread, which nobody interrupts, cannot map the file instead: a confined arena accepts its own
     * thread alone. Therefore this class searches for such a mapping after an interrupt. It is unmapped if nobody else
     * knows the file. Otherwise, it cannot be distinguished from a mapping of other code. */

    private static final long LEAST_SHARE = 16L << 20;

    private ChannelMapper() {}

    /// Maps a file that other code may have mapped, too.
    ///
    /// @throws ClosedByInterruptException if the thread is interrupted; a mapping may remain until the process ends,
    ///                                    and is counted then where the system lists it
    public static MemorySegment map(FileChannel channel, Path file, long byteSize, Arena arena) throws IOException {
        return map(channel, file, byteSize, arena, false);
    }

    /// Maps a file that the caller has created, and not published yet.
    ///
    /// @throws ClosedByInterruptException if the thread is interrupted; a mapping may remain only if native access is
    ///                                    denied, or the system does not list it
    public static MemorySegment mapNew(FileChannel channel, Path file, long byteSize, Arena arena) throws IOException {
        return map(channel, file, byteSize, arena, true);
    }

    /// Maps a file with its size, or the size up to which it may grow. If the address space has no range of that size, others need a
    /// part of what is free: the mapping has a quarter of the largest power of two that fits. The file may be larger
    /// afterwards.
    ///
    /// @param leastByteSize the least size of the mapping
    /// @param isNew         whether the caller has created the file, and not published it yet
    /// @throws ClosedByInterruptException as [#map] and [#mapNew]
    public static MemorySegment mapAtMost(FileChannel channel, Path file, long byteSize, long leastByteSize,
            Arena arena, boolean isNew) throws IOException {
        long fileByteSize = channel.size();
        try {
            return map(channel, file, byteSize, arena, isNew);
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException e) {
            if (!(e.getCause() instanceof OutOfMemoryError) || byteSize <= leastByteSize) {
                throw e;
            }
            long fitting = fitting(channel, file, byteSize, fileByteSize);
            return map(channel, file, Math.clamp(fitting, leastByteSize, byteSize), arena, isNew);
        }
    }

    private static long fitting(FileChannel channel, Path file, long refused, long fileByteSize) throws IOException {
        long size = refused / 2;
        while (size > LEAST_SHARE) {
            channel.truncate(fileByteSize);
            try (Arena probe = Arena.ofConfined()) {
                MemorySegment _ = map(channel, file, size, probe, false);
                break;
            } catch (ClosedByInterruptException e) {
                throw e;
            } catch (IOException _) {
                size /= 2;
            }
        }
        channel.truncate(fileByteSize);
        return Math.max(size / 4, LEAST_SHARE);
    }

    private static MemorySegment map(FileChannel channel, Path file, long byteSize, Arena arena, boolean isNew)
            throws IOException {
        try {
            return channel.map(MapMode.READ_WRITE, 0, byteSize, arena);
        } catch (ClosedByInterruptException e) {
            if (UnownedMappings.count(file, byteSize) > 0 && !(isNew && UnownedMappings.unmap(file))) {
                MappingLimit.lose();
            }
            throw e;
        }
    }
}
