package dev.arenakit.tool;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The forms of an export, of which a user chooses one.
final class ExportForms {
    private @Nullable ExportForm chosen;

    /// The form that was chosen.
    ExportForm chosen() {
        return Objects.requireNonNull(chosen, "picocli asks for one");
    }

    @Option(names = "--c-header", order = 1,
            description = "a header of C with the types, and a comment for each allocation")
    void cHeader(boolean isChosen) {
        chosen = new CHeaderExport();
    }

    @Option(names = "--hexpat", order = 2, description = "a pattern of ImHex for a data file")
    void hexpat(boolean isChosen) {
        chosen = new HexpatExport();
    }

    @Option(names = "--ksy", order = 3, description = "a specification of Kaitai Struct for a data file")
    void ksy(boolean isChosen) {
        chosen = new KsyExport();
    }

    @Option(names = "--json", order = 4, description = "everything as JSON, an object a line")
    void json(boolean isChosen) {
        chosen = new JsonExport();
    }

    @Option(names = "--bytes", order = 5, description = "the bytes of one allocation")
    void bytes(boolean isChosen) {
        chosen = new BytesExport();
    }

    @Option(names = "--html", order = 6, description = "a page to look at the whole image in a browser")
    void html(boolean isChosen) {
        chosen = HtmlExport.FORM;
    }
}
