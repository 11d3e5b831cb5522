package dev.arenakit.tool.verify;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageProblem;
import dev.arenakit.tool.console.AnsiCodes;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.StateColours;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.ImageState;
import java.io.IOException;
import java.nio.file.Path;

/// The results as lines for people.
///
/// @param streams the streams
record VerifyText(Streams streams) implements VerifyReport {
    @Override
    public void problem(Path base, ImageProblem problem) throws IOException {
        String where = problem.allocation().map(allocation -> allocation.label() + ": ").orElse("");
        String text = PrintableText.of(where + problem.description());
        streams.print(name(base) + ": " + (problem.isNote() ? "note: " + text : streams.styled(AnsiCodes.RED, text))
                + "\n");
    }

    @Override
    public void end(ArenaImage image, Path base, long problems) throws IOException {
        streams.print(name(base) + ": " + (problems > 0
                ? streams.styled(AnsiCodes.RED, ByteSizes.count(problems, "problem"))
                : "no problem in " + contents(image)) + "\n");
    }

    private String contents(ArenaImage image) throws IOException {
        VerifiedAllocations allocations = VerifiedAllocations.of(image);
        String state = ImageState.of(image).word();
        return ByteSizes.count(allocations.count(), "allocation") + " of " + ByteSizes.format(allocations.byteSize())
                + "; " + streams.styled(StateColours.of(state), state);
    }

    private static String name(Path base) {
        return PrintableText.of(base.toString());
    }
}
