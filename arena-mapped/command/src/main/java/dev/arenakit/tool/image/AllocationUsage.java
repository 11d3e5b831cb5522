package dev.arenakit.tool.image;

import dev.arenakit.layout.text.LayoutParseException;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageEntries;
import dev.arenakit.mapped.StructureState;
import dev.arenakit.mapped.io.SparseFile;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/// The state of an allocation, and how much of it was written.
///
/// @param state the state
/// @param disk  the size of the allocation, and the size of its written pages
public record AllocationUsage(AllocationState state, DiskUsage disk) {

    /// Measures the written size of allocations. A few data files stay open for later allocations.
    public static final class Meter implements Closeable {
        private final ArenaImage image;
        private final OpenFileCache<DataFile> files;

        /// @param warning is printed if the file system does not report holes
        public Meter(ArenaImage image, UnknownHolesWarning warning) {
            this.image = image;
            files = new OpenFileCache<>(number -> DataFile.open(image.file(number), warning));
        }

        /// Measures an allocation.
        public AllocationUsage measure(Allocation allocation) throws IOException {
            if (allocation.byteSize() == 0) {
                return new AllocationUsage(allocation.isLive() ? AllocationState.LIVE : AllocationState.FREED,
                        DiskUsage.NONE);
            }
            AllocationState state = AllocationState.LIVE;
            DiskUsage disk = DiskUsage.NONE;
            for (AllocationPart part : allocation.parts()) {
                AllocationUsage usage = files.get(part.file()).measure(part.byteOffset(), part.byteSize());
                disk = disk.plus(usage.disk());
                state = state.isDamage() ? state : usage.state();
            }
            return new AllocationUsage(!allocation.isLive()
                    ? AllocationState.FREED
                    : state.isDamage() ? state : structureState(allocation), disk);
        }

        private AllocationState structureState(Allocation allocation) {
            try {
                Optional<ImageEntries> entries = image.entries(allocation);
                if (entries.isEmpty()) {
                    return AllocationState.LIVE;
                }
                StructureState state = entries.get().state();
                if (state == StructureState.KILLED || state == StructureState.LOST) {
                    // The entries would be read to count them.
                    entries.get().recordedCount();
                } else {
                    entries.get().count();
                }
                return state == StructureState.LOST ? AllocationState.INCOMPLETE : AllocationState.LIVE;
            } catch (LayoutParseException e) {
                // The type of the allocation is shown as unreadable.
                return AllocationState.LIVE;
            } catch (IOException e) {
                return AllocationState.DAMAGED;
            }
        }

        /// The first data file of an allocation; empty if there is no such file or it cannot be read. The file stays
        /// open at least until the next call.
        public Optional<SparseFile> file(Allocation allocation) throws IOException {
            return allocation.byteSize() == 0 ? Optional.empty() : files.get(allocation.file()).file();
        }

        @Override
        public void close() throws IOException {
            files.close();
        }
    }
}
