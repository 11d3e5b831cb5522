package dev.arenakit.bench.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import java.util.Map;

/// How a report calls what was measured, and how it writes numbers.
public final class Labels {
    private static final Map<String, String> CONTESTANTS = Map.of(
            "ofConfined", "Arena.ofConfined",
            "mallocArena", "MallocArena",
            "slabArena", "SlabArena",
            "slabArenaUnzeroed", "SlabArena NONE",
            "slabArenaBounded", "SlabArena NONE bounded",
            "chunkedConfined", "InfiniteArena chunked",
            "chunkedShared", "InfiniteArena chunked shared",
            "filePerAllocation", "InfiniteArena file each");

    private static final Map<String, String> QUESTIONS = Map.of(
            "OneBlock", "one block",
            "OneBlockFilled", "one block, filled",
            "Session", "session",
            "Mapped", "mapped");

    private Labels() {}

    /// {@return the name of a contestant; that of its method where it has no other}
    ///
    /// @param contestant name of the benchmark method
    public static String contestant(String contestant) {
        return CONTESTANTS.getOrDefault(contestant, contestant);
    }

    /// {@return the name of a question; that of its class where it has no other}
    ///
    /// @param question name of the benchmark class
    public static String question(String question) {
        String simpleName = question.substring(question.lastIndexOf('.') + 1);
        return QUESTIONS.getOrDefault(simpleName, simpleName);
    }

    /// {@return the values of a cell's parameters, with their unit}
    ///
    /// @param params the values by name
    public static String params(Map<String, String> params) {
        StringBuilder text = new StringBuilder();
        params.forEach((name, value) -> text.append(text.isEmpty() ? "" : ", ").append(switch (name) {
            case "byteSize" -> bytes(Long.parseLong(value));
            case "plan" -> value.replace("x", " x ") + " B";
            default -> name + "=" + value;
        }));
        return text.toString();
    }

    /// {@return question, parameters and contestant in one line}
    ///
    /// @param cell who answers what
    public static String name(Cell cell) {
        return question(cell.question()) + ", " + params(cell.params()) + ", " + contestant(cell.contestant());
    }

    /// {@return the number with three significant digits, and all digits of its whole part; `-` for NaN}
    ///
    /// @param value not negative
    public static String number(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        if (value < 0.05) {
            return value < 0.0005 ? "0" : String.format(Locale.ROOT, "%.3f", value);
        }
        return String.format(Locale.ROOT, value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%,.0f", value);
    }

    /// {@return how many times faster, with three digits from 1 on; `-` for NaN}
    ///
    /// @param ratio not negative
    public static String ratio(double ratio) {
        return ratio < 1 ? times(ratio) : Double.isNaN(ratio) ? "-" : number(ratio) + "x";
    }

    /// {@return how many times faster, roughly: two digits for a picture}
    ///
    /// @param ratio not negative
    public static String times(double ratio) {
        if (ratio >= 100) {
            return String.format(Locale.ROOT, "%,.0fx", ratio);
        }
        return BigDecimal.valueOf(ratio).round(new MathContext(2)).stripTrailingZeros().toPlainString() + "x";
    }

    /// {@return heap bytes per operation; what the profiler itself allocates in the background is below 0.05 and shown as 0}
    ///
    /// @param value not negative
    public static String heapBytes(double value) {
        return value < 0.05
                ? "0"
                : Double.isNaN(value) ? "-" : String.format(Locale.ROOT, value < 9.95 ? "%.1f" : "%,.0f", value);
    }

    private static String bytes(long byteSize) {
        if (byteSize >= 1 << 20 && byteSize % (1 << 20) == 0) {
            return (byteSize >> 20) + " MiB";
        }
        return byteSize >= 1 << 10 && byteSize % (1 << 10) == 0 ? (byteSize >> 10) + " KiB" : byteSize + " B";
    }
}
