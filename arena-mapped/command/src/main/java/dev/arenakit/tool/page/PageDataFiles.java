package dev.arenakit.tool.page;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.io.SparseFile;
import dev.arenakit.tool.image.DataFile;
import dev.arenakit.tool.image.UnknownHolesWarning;
import java.io.IOException;
import java.util.BitSet;
import java.util.OptionalLong;
import tools.jackson.core.JsonGenerator;

/// Writes the data files of an image, each as a flat array: its number; its size, or -1 if it cannot be read; and if
/// its holes are known, the unit and the ranges of its data ([PageWrittenRanges]).
final class PageDataFiles {
    /// The largest number of ranges in all files. A range takes about 10 characters.
    private static final int MAX_RANGES = 1 << 16;
    /// The number of ranges that each file may have, however many files there are.
    private static final int MIN_RANGES_OF_A_FILE = 4;

    private final JsonGenerator json;
    private final ArenaImage image;
    private final UnknownHolesWarning warning;

    /// @param warning is printed if the file system does not report holes
    PageDataFiles(JsonGenerator json, ArenaImage image, UnknownHolesWarning warning) {
        this.json = json;
        this.image = image;
        this.warning = warning;
    }

    /// Writes the files with these numbers.
    void write(BitSet numbers) throws IOException {
        int limit = Math.max(MIN_RANGES_OF_A_FILE, MAX_RANGES / Math.max(1, numbers.cardinality()));
        for (int number = numbers.nextSetBit(0); number >= 0; number = numbers.nextSetBit(number + 1)) {
            json.writeStartArray();
            json.writeNumber(number);
            write(number, new PageWrittenRanges(limit));
            json.writeEndArray();
        }
    }

    private void write(int number, PageWrittenRanges ranges) throws IOException {
        try (DataFile data = DataFile.open(image.file(number), warning)) {
            if (data.file().isEmpty()) {
                json.writeNumber(-1);
                return;
            }
            SparseFile file = data.file().get();
            json.writeNumber(file.byteSize());
            if (file.holesUnknown().isEmpty()) {
                find(file, ranges);
                json.writeNumber(ranges.unit());
                ranges.write(json);
            }
        }
    }

    private static void find(SparseFile file, PageWrittenRanges ranges) throws IOException {
        OptionalLong data = file.nextData(0);
        while (data.isPresent()) {
            OptionalLong hole = file.nextHole(data.getAsLong());
            if (hole.isEmpty()) {
                return;
            }
            ranges.add(data.getAsLong(), hole.getAsLong());
            data = file.nextData(hole.getAsLong());
        }
    }
}
