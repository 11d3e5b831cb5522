package dev.arenakit.mapped.internal.catalog;

import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.internal.files.AllocationParts;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/// An entry of a catalog. The checksum of each entry is valid, except for [Unreadable].
public sealed interface CatalogEntry {
    /// An allocation.
    ///
    /// @param number its number, which never changes
    /// @param file   the number of the data file, or -1 if there is none
    /// @param partByteSize the size of its part in each data file but the last one, or 0 if it is in one file
    /// @param time   nanoseconds since 1970, or 0 if it is not recorded
    /// @param thread the thread id, or 0 if it is not recorded
    /// @param state  live, ended or freed; any other value is damaged, and counts as live
    /// @param maxByteSize  the size up to which it grows, or 0 if it was not made to grow
    /// @param elementCount the number of its elements, or -1 if it is not known
    /// @param storedCount  the number that was stored last, or -1 if none was stored or it is damaged
    record Allocated(long number, int file, long byteOffset, long byteSize, long partByteSize, long byteAlignment,
            int state,
            long time, long thread, Text name, Text type, long maxByteSize, long elementCount,
            long storedCount)
            implements
                CatalogEntry {
        /// The ranges of data files that contain it.
        public List<AllocationPart> parts() {
            return AllocationParts.list(file, byteOffset, byteSize, partByteSize);
        }

        /// The ranges of all its data files. If it grows, it has later files, and its range there is empty at present.
        public List<AllocationPart> partsOfAllFiles() {
            if (partByteSize == 0) {
                return parts();
            }
            return AllocationParts.list(file, byteOffset, Math.max(byteSize, maxByteSize), partByteSize)
                    .stream()
                    .map(part -> new AllocationPart(part.file(), part.byteOffset(),
                            Math.clamp(byteSize - (part.file() - file) * partByteSize, 0, part.byteSize())))
                    .toList();
        }

        /// Whether elements were stored that do not count: they were not forced before the machine failed, or before
        /// the image was moved to another one.
        public boolean hasUnforced() {
            return storedCount > Math.max(elementCount, 0);
        }

        /// Whether it has neither ended nor was freed.
        public boolean isLive() {
            return state != CatalogFormat.STATE_ENDED && !isFreed();
        }

        /// Whether it was freed, and its memory may not be zero yet.
        public boolean isFreed() {
            return state == CatalogFormat.STATE_FREED;
        }

        /// The line of its record, which is not in a run.
        public int line() {
            return (int) (number * CatalogFormat.SLOT / CatalogFormat.LINE);
        }
    }

    /// The number of elements in a growing allocation, whose entry is in the next line.
    ///
    /// @param count  the number that was stored last, or -1 if it is damaged
    /// @param forced the number of elements that were written to the device, or -1 if it is damaged
    /// @param boot   the boot of the machine in which the number was stored
    record Count(int line, long count, long forced, long boot) implements CatalogEntry {
        /// Whether one of the numbers, or both, cannot be read.
        public boolean isDamaged() {
            return count < 0 || forced < 0;
        }

        /// The number that was stored last, or -1 if none was stored, or it is damaged.
        long stored() {
            return count == CatalogFormat.NOT_COUNTED ? -1 : count;
        }

        /// The number of elements in the files, or -1 if none was stored, or it is damaged.
        ///
        /// @param currentBoot the boot of the machine now
        public long valid(long currentBoot) {
            long valid = count >= 0 && isOf(currentBoot) ? count : forced;
            return valid == CatalogFormat.NOT_COUNTED ? -1 : valid;
        }

        /// The number of elements in the files: 0 if none was stored, or -1 if it is damaged.
        ///
        /// @param currentBoot the boot of the machine now
        long orZero(long currentBoot) {
            return CatalogFormat.countOrZero(isOf(currentBoot) ? count : forced, forced);
        }

        private boolean isOf(long currentBoot) {
            return BootId.isSame(boot, currentBoot);
        }
    }

    /// A data file.
    ///
    /// @param byteSize its least size
    /// @param state    there, planned or removed; any other value is damaged, and counts as there
    record DataFile(int line, int number, long byteSize, int state) implements CatalogEntry {
        /// Whether it was removed, or is going to be.
        public boolean isRemoved() {
            return state == CatalogFormat.STATE_REMOVED;
        }

        /// Whether its creation was begun and not confirmed. It is there if another entry refers to it.
        public boolean isPlanned() {
            return state == CatalogFormat.STATE_PLANNED;
        }
    }

    /// A run. The scan returns its allocations as the next entries.
    ///
    /// @param lines       the number of its lines, the entry included
    /// @param baseAddress the address of the first byte of its file, modulo [CatalogFormat#BASE_ADDRESS_MODULO]
    /// @param used        the number of slots that were used, or -1 if slots may still be used
    record Run(int line, int lines, int file, long byteOffset, long byteSize, long baseAddress, int used, long time,
            long thread)
            implements
                CatalogEntry {
        /// The end of its range in the data file.
        public long end() {
            return byteOffset + byteSize;
        }
    }

    /// A process that has opened the image for writing.
    record Opened(long pid, long started, long opened, String jvm, int state) implements CatalogEntry {}

    /// A text that other entries refer to. It is decoded when it is used: most scans use few of the names that they
    /// read.
    final class Text implements CatalogEntry {
        /// The text that a reference of 0 stands for.
        public static final Text NONE = new Text(0, new byte[0], 0);

        private final int line;
        private final byte[] utf8;
        private final long checksum;
        private @Nullable String text;

        Text(int line, byte[] utf8, long checksum) {
            this.line = line;
            this.utf8 = utf8;
            this.checksum = checksum;
        }

        public int line() {
            return line;
        }

        public long checksum() {
            return checksum;
        }

        public String text() {
            String decoded = text;
            if (decoded == null) {
                decoded = new String(utf8, UTF_8);
                text = decoded;
            }
            return decoded;
        }

        /// Whether it may belong to a seal.
        public boolean isPartOfSeal() {
            return utf8.length > 0 && utf8[0] == CatalogFormat.SEAL;
        }

        public boolean isEncodedAs(byte[] bytes) {
            return Arrays.equals(utf8, bytes);
        }
    }

    /// A line whose reservation was cancelled.
    record Cancelled() implements CatalogEntry {}

    /// A line that is empty or damaged.
    ///
    /// @param lines      the number of lines
    /// @param isFinished whether the writer has finished the entry, which was damaged later; otherwise the writer is
    ///                   still writing, or has died
    record Unreadable(int line, int lines, boolean isFinished) implements CatalogEntry {}
}
