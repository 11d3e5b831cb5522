package dev.arenakit.tool.seal;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.CommandFrame;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.ExitCodes;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.image.RequestedAllocations;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `arena seal`.
@Command(name = "seal",
        description = {"Records checksums of the contents of allocations, which arena verify --data compares.",
                "A seal describes one moment: what is stored later differs from it until the allocation is sealed"
                        + " again. Holes are not read. The seals and the data are written to the device.",
                "An image that a process has open is refused. That process can seal it with InfiniteArena.names().seal."},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:all were sealed", " 1:an allocation does not exist or could not be sealed",
                " 2:wrong command line"},
        footer = {"", "Examples:",
                "  arena seal /var/prices             seals all live allocations",
                "  arena seal /var/prices trades '#27'",
                "  arena verify --data /var/prices    compares them with their seals"})
public final class SealCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "BASE", description = "the base of an image that has a catalog")
    private Path base = Path.of("");

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "NAME",
            description = "allocations, by name or as #7; the default is all live ones")
    private List<String> names = List.of();

    @Mixin
    @SuppressWarnings("NullAway.Init") // Injected.
    private CommandFrame frame;

    private long byteSize;

    @Override
    public Integer call() throws IOException {
        return frame.run(base, () -> {
            Set<Long> numbers = new HashSet<>();
            return ExitCodes.of(find(numbers) && seal(ImageFileSet.baseOf(base), numbers));
        });
    }

    /// Finds the numbers of the named allocations.
    ///
    /// @return whether all named allocations can be sealed
    private boolean find(Set<Long> numbers) throws IOException {
        try (ArenaImage image = ImageFileSet.openImage(base)) {
            RequestedAllocations requested = new RequestedAllocations(frame.streams(), image, base);
            boolean areLive = true;
            for (Allocation allocation : requested.find(names)) {
                if (!allocation.isLive()) {
                    frame.report(base + ": " + allocation.label() + " was freed, and cannot be sealed");
                    areLive = false;
                }
                numbers.add(allocation.number());
            }
            return areLive && !requested.hasFailed();
        }
    }

    private boolean seal(Path image, Set<Long> numbers) throws IOException {
        try {
            long count = ImageFiles.seal(image, allocation -> {
                boolean isRequested = names.isEmpty() || numbers.contains(allocation.number());
                if (isRequested) {
                    frame.streams().progress().at("sealing", byteSize, 0);
                    byteSize = ByteSizes.sum(byteSize, allocation.byteSize());
                }
                return isRequested;
            });
            frame.print(PrintableText.of(image.toString()) + ": sealed " + Counts.of(count, "allocation") + " of "
                    + ByteSizes.format(byteSize) + "\n");
            return true;
        } catch (IllegalStateException | CapacityExceededException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
