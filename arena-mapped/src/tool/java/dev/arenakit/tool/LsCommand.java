package dev.arenakit.tool;

import dev.arenakit.mapped.SparseFile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;

import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;

/// `arena ls`.
@Command(name = "ls", versionProvider = Main.Version.class, mixinStandardHelpOptions = true,
        parameterListHeading = "%nParameters:%n", optionListHeading = "%nOptions:%n",
        description = "Lists the files of images, BASE-0, BASE-1 and so on.",
        footerHeading = "%nColumns:%n",
        footer = {"  SIZE      how far the file reaches, holes included; also in bytes",
                "  ON DISK   what the file system has set aside, as du tells; also in bytes",
                "  EXTENTS   the number of stretches of data between the holes",
                "  ?         the system does not tell"})
final class LsCommand implements Callable<Integer> {
    private final Streams streams;

    @Parameters(paramLabel = "DIR|BASE", description = "a directory, for all images in it, or the base of one image")
    private Path target = Path.of("");

    LsCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException {
        boolean isDirectory = Files.isDirectory(target);
        List<ImageFile> files;
        try {
            files = isDirectory ? ImageFile.in(target) : ImageFile.of(target);
        } catch (IOException e) {
            streams.complain(target.toString(), e);
            return ExitCode.SOFTWARE;
        }
        if (files.isEmpty()) {
            streams.complain(isDirectory
                    ? "no image in directory " + target
                    : "no directory " + target + " and no file " + target + "-0, " + target + "-1 ...");
            return ExitCode.SOFTWARE;
        }
        List<Row> rows = rows(files);
        streams.out().write(table(rows).toString(streams.ansi()).getBytes(Streams.CHARSET));
        return rows.size() == files.size() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private List<Row> rows(List<ImageFile> files) {
        List<Row> rows = new ArrayList<>();
        boolean warned = false;
        for (ImageFile image : files) {
            try (SparseFile file = SparseFile.open(image.path())) {
                if (!warned && file.holesUnknown().isPresent()) {
                    warned = true;
                    streams.complain("what is on disk is unknown: " + file.holesUnknown().get());
                }
                rows.add(new Row(Streams.printable(String.valueOf(image.path().getFileName())), file.byteSize(),
                        file.storedByteSize(), file.extentCount()));
            } catch (IOException e) {
                streams.complain(image.path().toString(), e);
            }
        }
        return rows;
    }

    private static Table table(List<Row> rows) {
        Table table = new Table("NAME", "SIZE", "BYTES", "ON DISK", "BYTES", "EXTENTS");
        Row total = new Row(rows.size() + " files", 0, OptionalLong.of(0), OptionalLong.of(0));
        for (Row row : rows) {
            row.addTo(table);
            total = total.plus(row);
        }
        if (rows.size() > 1) {
            total.addTo(table);
        }
        return table;
    }

    private record Row(String name, long byteSize, OptionalLong storedByteSize, OptionalLong extents) {
        private static final String UNKNOWN = "?";

        Row plus(Row other) {
            return new Row(name, sum(byteSize, other.byteSize), sum(storedByteSize, other.storedByteSize),
                    sum(extents, other.extents));
        }

        void addTo(Table table) {
            table.add(name, ByteSizes.format(byteSize), Long.toString(byteSize),
                    storedByteSize.isPresent() ? ByteSizes.format(storedByteSize.getAsLong()) : UNKNOWN,
                    text(storedByteSize), text(extents));
        }

        private static String text(OptionalLong value) {
            return value.isPresent() ? Long.toString(value.getAsLong()) : UNKNOWN;
        }

        private static OptionalLong sum(OptionalLong a, OptionalLong b) {
            return a.isPresent() && b.isPresent()
                    ? OptionalLong.of(sum(a.getAsLong(), b.getAsLong()))
                    : OptionalLong.empty();
        }

        /// Two files of 8 EiB, which nothing hinders anybody to make, are more than a long holds.
        private static long sum(long a, long b) {
            return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
        }
    }
}
