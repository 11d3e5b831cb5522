package dev.arenakit.tool.export;

import dev.arenakit.tool.console.Output;
import dev.arenakit.tool.page.PageWriter;
import java.io.IOException;
import picocli.CommandLine.Option;

/// A form in which an image is exported for other programs, chosen by [Options].
interface ExportForm {
    /// Writes the export. Allocations that cannot be written are reported, and all other allocations are written.
    ///
    /// @return whether everything could be written
    /// @throws IOException          if the image cannot be read; an [Output.Failure] if the output cannot be written
    /// @throws UsageException if the form needs other arguments; nothing has been written
    boolean write(ExportRequest export) throws IOException;

    /// The form of an export needs other arguments.
    final class UsageException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /// @param message the message, which says what arguments the form needs
        UsageException(String message) {
            super(message);
        }
    }

    /// The options that choose the form of an export. The command line has exactly one of them.
    final class Options {
        // The options are fields: the order of methods, and so the order of options in picocli's messages, differs from
        // run to run.
        @Option(names = "--c-header", order = 1,
                description = "a C header with the types, and a comment for each allocation")
        private boolean cHeader;

        @Option(names = "--hexpat", order = 2, description = "an ImHex pattern for a data file")
        private boolean hexpat;

        @Option(names = "--json", order = 3, description = "everything as JSON, one object per line")
        boolean json;

        @Option(names = "--csv", order = 4, description = "the structs of one allocation as a table, with a header")
        boolean csv;

        @Option(names = "--arrow", order = 5, description = "the structs of one allocation as an Apache Arrow file")
        private boolean arrow;

        @Option(names = "--parquet", order = 6,
                description = "the structs of one allocation as a Parquet file, which DuckDB writes, with the columns of"
                        + " arena sql; needs --output")
        boolean parquet;

        @Option(names = "--bytes", order = 7, description = "the bytes of one allocation")
        private boolean bytes;

        @Option(names = "--html", order = 8, description = "a page that shows the whole image in a browser")
        private boolean html;

        /// The form that the user has chosen, unless it is Parquet.
        ///
        /// @param hasRuns whether runs of zeros are rows of a table
        ExportForm form(boolean hasRuns) {
            if (cHeader) {
                return new CHeaderExport();
            }
            if (hexpat) {
                return new HexpatExport();
            }
            if (json) {
                return new JsonExport();
            }
            if (csv) {
                return new CsvExport(hasRuns);
            }
            if (arrow) {
                return new ArrowOutput();
            }
            if (bytes) {
                return new BytesExport();
            }
            if (html) {
                return Options::writePage;
            }
            throw new AssertionError("picocli requires one option of the group");
        }

        private static boolean writePage(ExportRequest export) throws IOException {
            if (!export.allocations().named().isEmpty() || export.allocations().file().isPresent()) {
                throw new UsageException("--html shows a whole image: leave out names and --file");
            }
            new PageWriter(export.streams(), export.image(), PageWriter.CONTENTS).write(export.streams().out());
            return true;
        }
    }
}
