package dev.arenakit.tool.sql;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.AllocationSequence;
import dev.arenakit.tool.image.FileTruncation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Reports the allocations of an image whose data files are missing or truncated. The tables of these allocations have
/// fewer rows.
final class SqlDataFileCheck {
    private final Streams streams;
    private final ArenaImage image;
    /// The sizes of the files that can be read.
    private final Map<Path, Long> sizes = new HashMap<>();
    private boolean hasReported;

    SqlDataFileCheck(Streams streams, ArenaImage image) {
        this.streams = streams;
        this.image = image;
    }

    /// Reports these allocations.
    ///
    /// @return whether there are such allocations
    boolean report() throws IOException {
        new AllocationSequence(image).forEachLive(allocation -> {
            if (allocation.typeText().isPresent()) {
                check(allocation);
            }
        });
        return hasReported;
    }

    private void check(Allocation allocation) {
        for (AllocationPart part : allocation.parts()) {
            Path file = image.file(part.file());
            try {
                Long size = sizes.get(file);
                if (size == null) {
                    size = Files.size(file);
                    sizes.put(file, size);
                }
                Optional<String> message = FileTruncation.message(file, part.byteOffset(), part.byteSize(), size);
                message.ifPresent(problem -> report(allocation, problem));
            } catch (IOException e) {
                report(allocation, "file " + file + ": " + ErrorText.of(e));
            }
        }
    }

    private void report(Allocation allocation, String problem) {
        hasReported = true;
        streams.report(allocation.label() + ": " + problem);
    }
}
