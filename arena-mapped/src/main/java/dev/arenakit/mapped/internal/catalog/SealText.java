package dev.arenakit.mapped.internal.catalog;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// The texts of a catalog that record a seal, as [CatalogFormat] describes them.
///
/// @param isLast   whether it is the last text of its seal, which completes the seal
/// @param number   the number of the allocation
/// @param byteSize the size of the allocation
/// @param millis   the time of the seal, in milliseconds since 1970
/// @param previous the line of the previous text of the seal, or 0 for the first text
/// @param sums     the runs of checksums
public record SealText(boolean isLast, long number, long byteSize, long millis, int previous, String sums) {
    private static final String LAST = CatalogFormat.SEAL + "seal ";
    private static final String PART = CatalogFormat.SEAL + "part ";
    private static final int FIELDS = 5;

    /// Short enough for the window in which texts are read, so that a reader needs little memory.
    private static final int LONGEST_SUMS = 7_500;
    private static final int SUM_DIGITS = 8;
    /// The size up to which the number of a block is an int.
    private static final long LARGEST = Integer.MAX_VALUE * BlockSums.BLOCK;
    private static final HexFormat HEX = HexFormat.of();

    /// Whether a text completes a seal.
    static boolean isLast(String text) {
        return text.startsWith(LAST);
    }

    /// Parses a text. The result is empty if the text belongs to no seal, or has impossible numbers or checksums.
    static Optional<SealText> parse(String text) {
        if (!isLast(text) && !text.startsWith(PART)) {
            return Optional.empty();
        }
        String[] fields = text.substring(LAST.length()).split(" ", FIELDS);
        if (fields.length < FIELDS) {
            return Optional.empty();
        }
        try {
            return Optional.of(new SealText(isLast(text), Long.parseLong(fields[0]), Long.parseLong(fields[1]),
                    Long.parseLong(fields[2]), Integer.parseInt(fields[3]), fields[4])).filter(SealText::isPossible);
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    /// Whether a writer can have made the text. A checksum does not protect against malicious input.
    private boolean isPossible() {
        return number >= 0 && number <= CatalogFormat.LARGEST / CatalogFormat.SLOT
                && byteSize >= 0 && byteSize <= LARGEST && previous >= 0 && addTo(new BlockSums());
    }

    /// The text for the catalog.
    public String print() {
        return (isLast ? LAST : PART) + number + " " + byteSize + " " + millis + " " + previous + " " + sums;
    }

    /// Whether both are texts of the same seal.
    boolean isOfSameSeal(SealText other) {
        return number == other.number && byteSize == other.byteSize && millis == other.millis;
    }

    /// The texts of a seal, whose previous lines are still to be set.
    public static List<SealText> texts(long number, long byteSize, long millis, BlockSums sums) {
        List<String> printed = printSums(sums);
        List<SealText> texts = new ArrayList<>();
        for (int i = 0; i < printed.size(); i++) {
            texts.add(new SealText(i == printed.size() - 1, number, byteSize, millis, 0, printed.get(i)));
        }
        return texts;
    }

    /// The same text with the line of the previous text.
    public SealText withPrevious(int line) {
        return new SealText(isLast, number, byteSize, millis, line, sums);
    }

    /// Prints checksums as runs of consecutive blocks.
    ///
    /// @return one element for each text of a seal, at least one
    private static List<String> printSums(BlockSums sums) {
        List<String> texts = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < sums.count(); i++) {
            boolean isNew = text.length() > LONGEST_SUMS;
            if (isNew) {
                texts.add(text.toString());
                text.setLength(0);
            }
            if (text.isEmpty() || sums.block(i) != sums.block(i - 1) + 1) {
                text.append(text.isEmpty() ? "" : " ").append(Integer.toHexString(sums.block(i))).append(':');
            }
            text.append(HEX.toHexDigits(sums.sum(i)));
        }
        texts.add(text.toString());
        return texts;
    }

    /// Adds the checksums of this text.
    ///
    /// @return false if they are not as this class prints them
    boolean addTo(BlockSums all) {
        try {
            for (String run : sums.isEmpty() ? new String[0] : sums.split(" ", -1)) {
                int colon = run.indexOf(':');
                long block = Integer.parseInt(run, 0, Math.max(colon, 0), 16);
                int digits = run.length() - colon - 1;
                if (block < 0 || digits == 0 || digits % SUM_DIGITS != 0) {
                    return false;
                }
                for (int at = colon + 1; at < run.length(); at += SUM_DIGITS, block++) {
                    if (block * BlockSums.BLOCK >= byteSize
                            || (all.count() > 0 && block <= all.block(all.count() - 1))) {
                        return false;
                    }
                    all.add((int) block, HexFormat.fromHexDigits(run, at, at + SUM_DIGITS));
                }
            }
            return true;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }
}
