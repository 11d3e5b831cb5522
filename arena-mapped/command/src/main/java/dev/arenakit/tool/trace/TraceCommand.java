package dev.arenakit.tool.trace;

import dev.arenakit.mapped.trace.AllocationTrace;
import dev.arenakit.mapped.trace.TraceState;
import dev.arenakit.mapped.trace.TraceSummary;
import dev.arenakit.tool.console.CommandFrame;
import dev.arenakit.tool.console.ExitCodes;
import dev.arenakit.tool.image.ImageFileSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `arena trace`.
@Command(name = "trace",
        description = {"Summarizes what a program has allocated, from a trace that it has recorded with"
                + " AllocationTrace.record.",
                "Sizes and lifetimes are in classes: each begins at a power of two. The trace may be of a process that"
                        + " is recording, or was killed."},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:the whole trace was read", " 1:parts are damaged or missing, or it cannot be read",
                " 2:wrong command line"},
        footer = {"", "Examples:",
                "  arena trace /tmp/requests                  prints sizes, lifetimes, peak and threads",
                "  arena trace --html /tmp/requests > a.html  live bytes over time, sizes against lifetimes"})
public final class TraceCommand implements Callable<Integer> {
    /// The number of problems that are printed.
    private static final int MAX_REPORTED = 20;

    @Parameters(paramLabel = "TRACE", description = "the path of the trace, or its .catalog file")
    private Path path = Path.of("");

    @ArgGroup
    private Form form = new Form();

    @Mixin
    @SuppressWarnings("NullAway.Init") // Injected.
    private CommandFrame frame;

    private long problems;

    @Override
    public Integer call() throws IOException {
        return frame.run(path, () -> ExitCodes.of(print()));
    }

    private boolean print() throws IOException {
        Path base = ImageFileSet.baseOf(path);
        try (AllocationTrace trace = AllocationTrace.open(base)) {
            TraceState state = trace.state();
            TraceSummary summary = trace.summarize(this::report);
            if (problems > MAX_REPORTED) {
                frame.report(base + ": " + (problems - MAX_REPORTED) + " more problems");
            }
            if (form.json) {
                TraceJson.write(frame.streams(), trace, state, summary);
            } else if (form.html) {
                byte[] html = new TraceHtml(base, state, summary).html().getBytes(StandardCharsets.UTF_8);
                frame.streams().out().write(html);
            } else {
                new TraceText(frame.streams(), summary).print(base, trace, state);
            }
        }
        return problems == 0;
    }

    private void report(String problem) {
        if (problems++ < MAX_REPORTED) {
            frame.report(path + ": " + problem);
        }
    }

    private static final class Form {
        @Option(names = "--json", description = "print JSON, one object per line")
        private boolean json;

        @Option(names = "--html", description = "print a page with pictures")
        private boolean html;
    }
}
