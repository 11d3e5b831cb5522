package dev.arenakit.mapped;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Length;
import java.util.Random;

/// A row of the tables of tests, whose components follow from its number. It has padding.
public record TableRow(long number, byte kind, @Length(13) String text, double price) {
    static final RecordMapper<TableRow> ROWS = RecordMapper.of(TableRow.class);

    static TableRow of(long number) {
        return new TableRow(number, (byte) number, "row " + number % 100_000, number / 4.0);
    }

    static TableRow random(Random random) {
        return new TableRow(random.nextLong(), (byte) random.nextInt(), "x".repeat(random.nextInt(14)),
                random.nextDouble());
    }
}
