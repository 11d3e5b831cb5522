package dev.arenakit.tool;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.SparseFile;

import java.io.IOException;
import java.util.BitSet;
import java.util.OptionalLong;

import tools.jackson.core.JsonGenerator;

/// Writes the data files of an image, each a flat array: its number; its size, or -1 where it cannot be read; and, where holes are
/// known, the unit of what is resident and the ranges of it ([ResidentRanges]).
final class HtmlFiles {
    /// Of all files, some 10 characters each.
    private static final int RANGES = 1 << 16;
    private static final int LEAST_RANGES = 4;

    private final JsonGenerator json;
    private final Streams streams;
    private final ArenaImage image;
    private final DiskUses warnings;

    /// @param warnings says so where holes are not known
    HtmlFiles(JsonGenerator json, Streams streams, ArenaImage image, DiskUses warnings) {
        this.json = json;
        this.streams = streams;
        this.image = image;
        this.warnings = warnings;
    }

    /// Writes the files of these numbers.
    void write(BitSet numbers) throws IOException {
        int limit = Math.max(LEAST_RANGES, RANGES / Math.max(1, numbers.cardinality()));
        try (Progress.Task task = streams.progress().start("looking for holes", "files")) {
            long written = 0;
            for (int number = numbers.nextSetBit(0); number >= 0; number = numbers.nextSetBit(number + 1)) {
                json.writeStartArray();
                json.writeNumber(number);
                write(number, new ResidentRanges(limit));
                json.writeEndArray();
                task.at(++written);
            }
        }
    }

    private void write(int number, ResidentRanges ranges) throws IOException {
        try (DataFile data = DataFile.open(image.file(number), warnings)) {
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

    private static void find(SparseFile file, ResidentRanges ranges) throws IOException {
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
