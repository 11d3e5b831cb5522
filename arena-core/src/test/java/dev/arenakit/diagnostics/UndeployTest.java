package dev.arenakit.diagnostics;

import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Undeploys applications that have a copy of this library: nothing of them stays, and no report is lost.
@Tag("full")
class UndeployTest {
    private static final List<String> FEATURES = List.of("wrapped arena", "reclaimed arena", "pool",
            "shared arena of a pool", "malloc", "free lists", "terminated thread", "longest time", "canaries",
            "quarantine", "budget", "management bean", "events");

    /// In a JVM of its own, which loads the library once for each application: that takes seconds.
    @Test
    void applications_ofEachFeature_areCollectedAndHaveReported() {
        undeploy(1);
    }

    @Test
    @Tag("slow")
    void fiftyApplications_ofEachFeature_areCollectedAndHaveReported() {
        undeploy(50);
    }

    private static void undeploy(int count) {
        String output = ChildJvm.onClassPath("--enable-native-access=ALL-UNNAMED")
                .run(Deployments.class, String.valueOf(count))
                .output();
        assertThat(output).doesNotContain("NoClassDefFoundError");
        assertThat(output.lines().filter(line -> line.contains(": reports "))).containsExactlyElementsOf(
                FEATURES.stream().map(feature -> feature + ": reports " + count + ", left 0").toList());
        // The log and the recording have them, too.
        assertThat(output.lines().filter(line -> line.startsWith("WARNING: "))).hasSize(9 * count);
        assertThat(output).endsWith("events of leaks " + 8 * count + "\n");
    }

    /// Deploys and undeploys applications.
    static final class Deployments {
        private static final long LONGEST_NANOS = 60_000_000_000L;

        public static void main(String[] arguments) throws Exception {
            int count = Integer.parseInt(arguments[0]);
            try (Recording recording = new Recording()) {
                recording.start();
                for (String feature : FEATURES) {
                    List<String> reports = new CopyOnWriteArrayList<>();
                    List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
                    for (int i = 0; i < count; i++) {
                        loaders.add(deploy(feature, reports::add));
                    }
                    long begin = System.nanoTime();
                    while ((left(loaders) > 0 || reports.size() < count || areMapped(reports))
                            && System.nanoTime() - begin < LONGEST_NANOS) {
                        System.gc();
                    }
                    if (areMapped(reports)) {
                        throw new AssertionError("The quarantine is left: " + reports);
                    }
                    System.out.println(feature + ": reports " + reports.size() + ", left " + left(loaders));
                }
                Path file = Files.createTempFile("undeployed", ".jfr");
                recording.dump(file);
                System.out.println("events of leaks " + RecordingFile.readAllEvents(file)
                        .stream()
                        .filter(event -> event.getEventType().getName().equals("dev.arenakit.ArenaLeak"))
                        .count());
                Files.delete(file);
            }
        }

        private static WeakReference<ClassLoader> deploy(String feature, Consumer<String> reports) throws Exception {
            URL[] classes = {url("target/classes"), url("target/test-classes")};
            // The parent has no copy of the library.
            try (URLClassLoader loader = new URLClassLoader(classes, ClassLoader.getPlatformClassLoader())) {
                @SuppressWarnings("unchecked")
                BiConsumer<String, Consumer<String>> application = (BiConsumer<String, Consumer<String>>) loader
                        .loadClass(UndeployedApplication.class.getName())
                        .getConstructor()
                        .newInstance();
                Thread.currentThread().setContextClassLoader(loader);
                application.accept(feature, reports);
                return new WeakReference<>(loader);
            } finally {
                Thread.currentThread().setContextClassLoader(Deployments.class.getClassLoader());
            }
        }

        private static URL url(String directory) throws IOException {
            return Path.of(directory).toUri().toURL();
        }

        /// Whether an address that an application has reported is still in its quarantine.
        private static boolean areMapped(List<String> reports) throws IOException {
            List<String> maps = Files.readAllLines(Path.of("/proc/self/maps"));
            return reports.stream()
                    .filter(report -> report.startsWith(UndeployedApplication.ADDRESS))
                    .mapToLong(report -> Long.parseLong(report.substring(UndeployedApplication.ADDRESS.length())))
                    .anyMatch(address -> maps.stream()
                            .map(line -> line.split("[- ]", 4))
                            .anyMatch(fields -> Long
                                    .parseUnsignedLong(fields[0], 16) <= address
                                    && address < Long.parseUnsignedLong(fields[1], 16) && fields[2].startsWith("---")));
        }

        private static long left(List<WeakReference<ClassLoader>> loaders) {
            return loaders.stream().filter(loader -> !loader.refersTo(null)).count();
        }
    }
}
