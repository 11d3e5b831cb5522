package dev.arenakit.tool.verify;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageIntegrity;
import dev.arenakit.mapped.ImageIntegrity.CheckedAllocations;
import dev.arenakit.mapped.ImageIntegrity.DamagedRange;
import dev.arenakit.mapped.Seal;
import dev.arenakit.tool.console.AnsiCodes;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.console.Times;
import dev.arenakit.tool.image.ImageState;
import dev.arenakit.tool.image.TypeNames;
import java.io.IOException;
import java.nio.file.Path;

/// The results as lines for people.
final class VerifyText implements VerifyReport {
    private final Streams streams;

    VerifyText(Streams streams) {
        this.streams = streams;
    }

    @Override
    public void problem(Path base, ImageIntegrity.Problem problem) throws IOException {
        String where = problem.allocation().map(allocation -> allocation.label() + ": ").orElse("");
        String text = PrintableText.of(where + problem.description());
        streams.print(name(base) + ": " + (problem.isNote() ? "note: " + text : streams.styled(AnsiCodes.RED, text))
                + "\n");
    }

    @Override
    public void damage(ArenaImage image, Path base, Allocation allocation, DamagedRange range, Seal seal)
            throws IOException {
        String text = "bytes 0x" + Long.toHexString(range.byteOffset()) + "..0x" + Long.toHexString(range.end() - 1)
                + " differ from the seal of " + Times.format(seal.time()) + structs(image, allocation, range);
        streams.print(name(base, allocation) + ": " + streams.styled(AnsiCodes.RED, text) + "\n");
    }

    @Override
    public void growth(Path base, Allocation allocation, Seal seal) throws IOException {
        streams.print(name(base, allocation) + ": note: "
                + ByteSizes.format(allocation.byteSize() - seal.byteSize()) + " were added after the seal of "
                + Times.format(seal.time()) + ", and are not compared\n");
    }

    @Override
    public void end(ArenaImage image, Path base, CheckedAllocations checked, VerifyReport.Sums sums)
            throws IOException {
        streams.print(name(base) + ": " + (sums.problems() > 0
                ? streams.styled(AnsiCodes.RED, Counts.of(sums.problems(), "problem"))
                : "no problem in " + contents(image, checked, sums)) + (sums.hasData() ? summary(sums) : "") + "\n");
    }

    @Override
    public void endRing(Path path, VerifyReport.RingSums sums) throws IOException {
        streams.print(name(path) + ": " + (sums.problems() > 0
                ? streams.styled(AnsiCodes.RED, Counts.of(sums.problems(), "problem"))
                : "no problem in " + Counts.of(sums.records(), "record")
                        + sums.state().map(state -> "; " + state.depth() + "; " + state.describeUsers()).orElse(""))
                + "\n");
    }

    private String contents(ArenaImage image, CheckedAllocations checked, VerifyReport.Sums sums)
            throws IOException {
        long sealed = sums.hasData() ? 0 : VerifyReport.sealed(image, checked);
        String state = ImageState.of(image).word();
        String structures = sums.structures() == 0
                ? ""
                : ", " + Counts.of(sums.structures(), "structure") + " with "
                        + (sums.entries() == 1 ? "1 entry" : Counts.grouped(sums.entries()) + " entries");
        return Counts.of(checked.count(), "allocation") + " of " + ByteSizes.format(checked.byteSize())
                + structures + "; " + streams.styled(AnsiCodes.ofState(state), state) + (sealed > 0
                        ? "; " + Counts.grouped(sealed) + " sealed, which --data compares"
                        : "");
    }

    private static String summary(VerifyReport.Sums sums) {
        return "; compared " + Counts.of(sums.compared(), "sealed allocation") + (sums.unsealed() > 0
                ? ", " + Counts.grouped(sums.unsealed()) + " not sealed"
                : "");
    }

    private static String structs(ArenaImage image, Allocation allocation, DamagedRange range) {
        // An unreadable type is a problem of the image, and was printed as such.
        return TypeNames.readable(image, allocation)
                .filter(type -> type.byteSize() > 0)
                .map(type -> "; structs [" + range.byteOffset() / type.byteSize() + ".."
                        + (range.end() - 1) / type.byteSize() + "]")
                .orElse("");
    }

    private static String name(Path base) {
        return PrintableText.of(base.toString());
    }

    private static String name(Path base, Allocation allocation) {
        return PrintableText.of(base + ": " + allocation.label());
    }
}
