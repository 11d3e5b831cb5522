package dev.arenakit.tool.image;

import dev.arenakit.mapped.io.SparseFile;
import dev.arenakit.tool.console.Streams;

/// A warning that the holes of files are unknown, with the reason. It is printed at most once.
public final class UnknownHolesWarning {
    private final Streams streams;
    private final String consequence;
    private boolean isPrinted;

    /// @param consequence what the command cannot do
    public UnknownHolesWarning(Streams streams, String consequence) {
        this.streams = streams;
        this.consequence = consequence;
    }

    /// Prints the warning if the holes of a file are unknown.
    public void check(SparseFile file) {
        if (!isPrinted && file.holesUnknown().isPresent()) {
            isPrinted = true;
            streams.report(consequence + ": " + file.holesUnknown().get());
        }
    }
}
