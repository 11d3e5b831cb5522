package dev.arenakit.tool;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageOwner;
import java.io.IOException;
import java.util.List;

/// What has become of the last process that wrote an image.
///
/// @param word   `open`, `closed` or `died`
/// @param owners all of them, the last one last
record ImageState(String word, List<ImageOwner> owners) {
    /// Of an image, as it is now.
    static ImageState of(ArenaImage image) throws IOException {
        // The other way round, an owner that closes its image in between would have died.
        boolean isAlive = image.ownerIsAlive();
        List<ImageOwner> owners = image.owners();
        boolean isClosed = !owners.isEmpty() && owners.getLast().isClosed();
        return new ImageState(isClosed ? "closed" : isAlive ? "open" : "died", owners);
    }

    /// The last owner in short: its process and when that started.
    String owner(Times times) {
        return owners.isEmpty() ? "" : owners.getLast().pid() + ", " + times.format(owners.getLast().start());
    }

    /// The last owner, and what has become of it, in lines.
    String describe(Times times) {
        if (owners.isEmpty()) {
            return word + ": nothing is known of its owner\n";
        }
        ImageOwner last = owners.getLast();
        String earlier = owners.size() == 1 ? "" : "; reopened " + ByteSizes.count(owners.size() - 1, "time");
        return word + ": process " + last.pid() + ", started " + times.format(last.start()) + ", " + switch (word) {
            case "open" -> "is at work on it";
            case "closed" -> "has closed it";
            default -> "neither closed it nor lives";
        } + "\njvm: " + Streams.printable(last.jvm()) + earlier + "\n";
    }
}
