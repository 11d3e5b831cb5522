package dev.arenakit.bench.report;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The names of benchmarks, candidates and parameters in reports, and the format of numbers.
public final class ReportFormat {
    /// The parameter with the number of operations in an invocation of the benchmark. Without this parameter, an
    /// invocation is one operation.
    static final String BATCH = "batch";

    private ReportFormat() {}

    /// {@return the name of a benchmark; the simple name of its class if it has no other}
    ///
    /// @param benchmarkClass name of the benchmark class
    public static String benchmark(String benchmarkClass) {
        return named(benchmarkClass).map(BenchmarkName::value)
                .orElseGet(() -> benchmarkClass.substring(benchmarkClass.lastIndexOf('.') + 1));
    }

    /// {@return the candidate of a benchmark that the others are compared with}
    ///
    /// @param benchmarkClass name of the benchmark class
    public static String baseline(String benchmarkClass) {
        return named(benchmarkClass).map(BenchmarkName::baseline).orElse(BenchmarkName.ARENA_BASELINE);
    }

    /// {@return a sentence on what an operation of a benchmark does; empty if there is none}
    ///
    /// @param benchmarkClass name of the benchmark class
    public static String measures(String benchmarkClass) {
        return named(benchmarkClass).map(BenchmarkName::measures).orElse("");
    }

    private static Optional<BenchmarkName> named(String benchmarkClass) {
        return classOf(benchmarkClass).map(type -> type.getAnnotation(BenchmarkName.class));
    }

    /// Returns the method of the candidate that has a name in reports.
    static Optional<String> methodNamed(String benchmarkClass, String candidate) {
        return classOf(benchmarkClass).flatMap(type -> Stream.of(type.getMethods())
                .map(Method::getName)
                .filter(method -> method(benchmarkClass, method).equals(candidate))
                .findFirst());
    }

    /// {@return the name of a candidate that is a method; the name of the method if it has no other}
    ///
    /// @param benchmarkClass name of the benchmark class
    /// @param method         name of the benchmark method
    public static String method(String benchmarkClass, String method) {
        return annotation(benchmarkClass, method, CandidateName.class).map(CandidateName::value).orElse(method);
    }

    /// Returns an annotation of a benchmark method; empty if there is none.
    static <A extends Annotation> Optional<A> annotation(String benchmarkClass, String method, Class<A> annotation) {
        return classOf(benchmarkClass).flatMap(type -> Stream.of(type.getMethods())
                .filter(candidate -> candidate.getName().equals(method))
                .map(candidate -> candidate.getAnnotation(annotation))
                .filter(Objects::nonNull)
                .findFirst());
    }

    /// Returns the class, unless a result file names one that is not on the class path. JMH puts a dot before the name
    /// of a nested class.
    private static Optional<Class<?>> classOf(String benchmarkClass) {
        try {
            return Optional.of(Class.forName(benchmarkClass, false, ReportFormat.class.getClassLoader()));
        } catch (ClassNotFoundException _) {
            int last = benchmarkClass.lastIndexOf('.');
            return last < 0
                    ? Optional.empty()
                    : classOf(benchmarkClass.substring(0, last) + '$' + benchmarkClass.substring(last + 1));
        }
    }

    /// {@return the values of parameters, with their units}
    ///
    /// @param conditions the values by name
    public static String params(Map<String, String> conditions) {
        return conditions.entrySet()
                .stream()
                .map(param -> param(param.getKey(), param.getValue()))
                .collect(Collectors.joining(", "));
    }

    static String param(String name, String value) {
        return switch (name) {
            case "byteSize" -> bytes(Long.parseLong(value));
            case "workload" -> value.replaceFirst("^(\\d+)x(\\d.*)$", "$1 x $2 B");
            case "written" -> switch (value) {
                case "first" -> "one long written";
                case "all" -> "every byte written";
                default -> value;
            };
            case BATCH -> value.equals("1") ? "timed one by one" : "timed " + value + " at a time";
            case "escape", "direction", "operation" -> value;
            case "producers" -> value.equals("one") ? "one producer" : value + " producers";
            case "peer" -> "to a " + value;
            case "before" -> "after " + value;
            case "types" -> value + " types";
            case "characters" -> value + " characters";
            case "blocks" -> value + " blocks";
            case "others" -> value + " others open";
            case "catalog" -> "catalog " + value.toLowerCase(Locale.ROOT);
            case "files" -> "on " + value;
            case "commit" -> value.equals("1") ? "a commit for each" : "a commit for " + value;
            default -> name + "=" + value;
        };
    }

    /// {@return the number with three significant digits, but all digits of its integer part; `-` for NaN}
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

    /// {@return the ratio as a number of times faster, or slower if it is below 1; `-` for NaN}
    ///
    /// @param ratio how many times faster, not negative
    public static String speed(double ratio) {
        if (Double.isNaN(ratio)) {
            return "-";
        }
        String times = number(ratio < 1 ? 1 / ratio : ratio) + "x";
        return times.equals("1.00x") ? times : times + (ratio < 1 ? " slower" : " faster");
    }

    /// {@return heap bytes per operation; values below 0.05, which the profiler itself causes, are shown as 0}
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
