package dev.arenakit.layout;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// Records with very many components, in a child process, which dies if the stack of the JIT compiler overflows.
class RecordMapperWideTest {
    private static final String SOURCE = """
            import dev.arenakit.layout.*;
            import dev.arenakit.layout.annotation.*;
            import java.lang.foreign.*;
            import java.util.*;

            public class Main {
                enum E { A, B }
                sealed interface U permits U1, U2 {}
                record U1(int a, E b) implements U {}
                record U2(double a) implements U {}
                RECORDS
                static volatile Object sink;

                public static void main(String[] arguments) {
                    long nanos = Long.parseLong(arguments[0]) * 1_000_000;
                    for (Class<?> type : Main.class.getDeclaredClasses()) {
                        if (type.isRecord() && type.getSimpleName().startsWith("R")) {
                            hammer(RecordMapper.of(type), nanos);
                        }
                    }
                    System.out.println("ok");
                }

                static <R> void hammer(RecordMapper<R> mapper, long nanos) {
                    MemorySegment segment = mapper.allocate(Arena.ofAuto(), 16);
                    for (int i = 0; i < mapper.byteSize() / 4 && mapper.type().name().startsWith("RInts"); i++) {
                        segment.set(ValueLayout.JAVA_INT, 4 * i, i);
                    }
                    R record = mapper.getAtIndex(segment, 0);
                    long start = System.nanoTime();
                    while (System.nanoTime() - start < nanos) {
                        for (int i = 0; i < 100; i++) {
                            mapper.setAtIndex(segment, i % 16, record);
                            sink = mapper.getAtIndex(segment, i % 16);
                        }
                        if (!sink.equals(record)) {
                            throw new AssertionError(sink + " is not " + record);
                        }
                    }
                }
            }
            """;

    @TempDir
    private Path folder;

    @Test
    @Tag("full")
    void access_of253Components_givesBackWhatWasWritten() throws Exception {
        hammer(200, List.of(ints(253), mixed(100)));
    }

    @Test
    @Tag("slow")
    void access_ofManyComponents_survivesTheJit() throws Exception {
        hammer(3000, List.of(ints(64), ints(100), ints(160), ints(253), mixed(40), mixed(64), mixed(100), mixed(160),
                nested(12), nested(60)));
    }

    private static String ints(int count) {
        return record("RInts" + count, count, i -> "int c" + i);
    }

    private static String mixed(int count) {
        return record("RMixed" + count, count, i -> switch (i % 6) {
            case 0 -> "@Union(\"c" + (i + 1 < count ? i + 1 : 1) + "\") U c" + i;
            case 1 -> "int c" + i;
            case 2 -> "E c" + i;
            case 3 -> "short c" + i;
            case 4 -> "@Length(2) String c" + i;
            default -> "float c" + i;
        });
    }

    private static String nested(int count) {
        return record("Inner" + count, 24, i -> "int c" + i) + record("RNested" + count, count, i -> "Inner" + count
                + " c" + i);
    }

    private static String record(String name, int count, IntFunction<String> component) {
        return "record " + name + IntStream.range(0, count)
                .mapToObj(component)
                .collect(Collectors.joining(", ", "(", ") {}\n"));
    }

    /// @param millis how long each record is written and read
    private void hammer(int millis, List<String> records) throws Exception {
        Path classes = UserModule.compile(folder, SOURCE.replace("RECORDS", String.join("", records)), "-cp",
                UserModule.library());
        Path output = folder.resolve("output.txt");
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // Half of the default, so that the test also finds a stack that is almost too small.
                "-XX:CompilerThreadStackSize=512", "-cp",
                classes + System.getProperty("path.separator") + UserModule.library(), "Main", "" + millis)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int exit = process.waitFor();

        assertThat(Files.readString(output)).as("exit=%s", exit).isEqualTo("ok\n");
        assertThat(exit).isZero();
    }
}
