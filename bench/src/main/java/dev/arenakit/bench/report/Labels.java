package dev.arenakit.bench.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// How a report calls what was measured, and how it writes numbers.
public final class Labels {
    private Labels() {}

    /// {@return the name of a question; that of its class where it has no other}
    ///
    /// @param question name of the benchmark class
    public static String question(String question) {
        return classOf(question).map(type -> type.getAnnotation(Question.class))
                .map(Question::value)
                .orElseGet(() -> question.substring(question.lastIndexOf('.') + 1));
    }

    /// {@return the contestant that the others are compared with in a question}
    ///
    /// @param question name of the benchmark class
    public static String baseline(String question) {
        return classOf(question).map(type -> type.getAnnotation(Question.class))
                .map(Question::baseline)
                .orElse(Cell.BASELINE);
    }

    /// {@return the name of a contestant that is a method; that of the method where it has no other}
    ///
    /// @param question name of the benchmark class
    /// @param method   name of the benchmark method
    public static String method(String question, String method) {
        return classOf(question).flatMap(type -> Stream.of(type.getMethods())
                .filter(candidate -> candidate.getName().equals(method))
                .map(candidate -> candidate.getAnnotation(Label.class))
                .filter(Objects::nonNull)
                .findFirst()).map(Label::value).orElse(method);
    }

    /// The class of a question, which a result file may name without its being here. JMH separates a nested class by a dot.
    private static Optional<Class<?>> classOf(String question) {
        try {
            return Optional.of(Class.forName(question, false, Labels.class.getClassLoader()));
        } catch (ClassNotFoundException _) {
            int last = question.lastIndexOf('.');
            return last < 0
                    ? Optional.empty()
                    : classOf(question.substring(0, last) + '$' + question.substring(last + 1));
        }
    }

    /// {@return the values of a cell's parameters, with their unit}
    ///
    /// @param conditions the values by name
    public static String params(Map<String, String> conditions) {
        StringBuilder text = new StringBuilder();
        conditions.forEach((name, value) -> text.append(text.isEmpty() ? "" : ", ").append(switch (name) {
            case "byteSize" -> bytes(Long.parseLong(value));
            case "workload" -> value.replaceFirst("^(\\d+)x(\\d.*)$", "$1 x $2 B");
            case "written" -> written(value);
            case "escape", "direction", "operation" -> value;
            case "types" -> value + " types";
            case "characters" -> value + " characters";
            case "buffers", "blocks" -> value + " " + name;
            case "others" -> value + " others open";
            default -> name + "=" + value;
        }));
        return text.toString();
    }

    /// {@return how much of the memory was written}
    ///
    /// @param value `first` or `all`
    static String written(String value) {
        return value.equals("all") ? "every byte written" : "one long written";
    }

    /// {@return question, parameters and contestant in one line}
    ///
    /// @param cell who answers what
    public static String name(Cell cell) {
        return Stream.of(question(cell.question()), params(cell.conditions()), cell.contestant())
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
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

    /// {@return the time of each mode, with a bar between two}
    ///
    /// @param modes one or two
    public static String modes(List<Double> modes) {
        return modes.stream().map(Labels::number).collect(Collectors.joining(" | "));
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
