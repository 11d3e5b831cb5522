package dev.arenakit.tool.verify;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageIntegrity;
import dev.arenakit.mapped.ImageIntegrity.CheckedAllocations;
import dev.arenakit.mapped.ImageIntegrity.DamagedRange;
import dev.arenakit.mapped.Seal;
import dev.arenakit.tool.image.AllocationSequence;
import dev.arenakit.tool.image.RingState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// Prints the results of checking images.
interface VerifyReport {
    /// Reports a problem or a note.
    void problem(Path base, ImageIntegrity.Problem problem) throws IOException;

    /// Reports bytes of an allocation that differ from its seal.
    void damage(ArenaImage image, Path base, Allocation allocation, DamagedRange range, Seal seal) throws IOException;

    /// Reports that an allocation has grown since it was sealed, as a note.
    void growth(Path base, Allocation allocation, Seal seal) throws IOException;

    /// Prints the end of the results for an image.
    void end(ArenaImage image, Path base, CheckedAllocations checked, Sums sums) throws IOException;

    /// Prints the end of the results for a ring.
    void endRing(Path path, RingSums sums) throws IOException;

    /// The results for a ring.
    ///
    /// @param problems the number of problems, without notes
    /// @param records  the number of records that were not read by the reader, up to the first problem
    /// @param state    the state, unless it could not be read
    record RingSums(long problems, long records, Optional<RingState> state) {}

    /// The results for an image.
    ///
    /// @param problems the number of problems, without notes
    /// @param hasData  whether the contents of sealed allocations were read
    /// @param compared the number of allocations that were compared with their seals
    /// @param unsealed the number of live allocations without a seal
    /// @param structures the number of structures, whose entries were checked
    /// @param entries    the number of their entries
    record Sums(long problems, boolean hasData, long compared, long unsealed, long structures, long entries) {}

    /// The number of sealed live allocations.
    static long sealed(ArenaImage image, CheckedAllocations checked) throws IOException {
        long[] sealed = {0};
        if (checked.hasSeals()) {
            new AllocationSequence(image)
                    .forEachLive(allocation -> sealed[0] += image.integrity().seal(allocation).isPresent() ? 1 : 0);
        }
        return sealed[0];
    }
}
