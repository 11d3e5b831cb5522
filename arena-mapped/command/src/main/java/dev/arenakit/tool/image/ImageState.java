package dev.arenakit.tool.image;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.OwnerRecord;
import dev.arenakit.tool.console.AnsiCodes;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.JsonLines;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.console.Times;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.core.JsonGenerator;

/// The words for the state of an image.
///
/// @param word   `open`, `closed`, `died` or `unknown`
/// @param owners all processes that had the image open, the last one last
public record ImageState(String word, List<OwnerRecord> owners) {
    /// Returns the current state of an image.
    public static ImageState of(ArenaImage image) throws IOException {
        List<OwnerRecord> owners = image.owners();
        if (!owners.isEmpty() && owners.getLast().isClosed()) {
            // The catalog of a large image need not be read for the state as well.
            return new ImageState("closed", owners);
        }
        return new ImageState(switch (image.ownerState()) {
            case ALIVE -> "open";
            case CLOSED -> "closed";
            case DIED -> "died";
            case UNKNOWN -> "unknown";
        }, image.owners());
    }

    /// The process and the start time of the last owner.
    public String owner() {
        return owners.isEmpty() ? "" : owners.getLast().pid() + ", " + Times.format(owners.getLast().start());
    }

    /// Writes the state and the last owner as properties of a JSON object.
    public void writeJson(JsonGenerator json) {
        json.writeStringProperty("state", word);
        Optional<OwnerRecord> last = owners.isEmpty() ? Optional.empty() : Optional.of(owners.getLast());
        JsonLines.number(json, "pid",
                last.map(owner -> OptionalLong.of(owner.pid())).orElseGet(OptionalLong::empty));
        JsonLines.time(json, "started", last.map(OwnerRecord::start));
        JsonLines.time(json, "opened", last.map(OwnerRecord::opened));
        JsonLines.text(json, "jvm", last.map(OwnerRecord::jvm));
    }

    /// The state and the last owner, as lines of text with the colour of the state.
    public String describe(Streams streams) {
        String word = streams.styled(AnsiCodes.ofState(this.word), this.word);
        if (owners.isEmpty()) {
            return word + ": the owner is not recorded\n";
        }
        OwnerRecord last = owners.getLast();
        String earlier = owners.size() == 1 ? "" : "; reopened " + Counts.of(owners.size() - 1, "time");
        return word + ": process " + last.pid() + ", started " + Times.format(last.start()) + ", "
                + switch (this.word) {
                    case "open" -> "has it open";
                    case "closed" -> "has closed it";
                    case "unknown" -> "may have it open: the file system has no locks";
                    default -> "ended without closing it";
                } + "\njvm: " + PrintableText.of(last.jvm()) + earlier + "\n";
    }
}
