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
