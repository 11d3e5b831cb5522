package dev.arenakit.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ChildProcessesTest {
    // This test takes seconds, since one of the processes has to be ended forcibly.
    @Test
    void termination_endsTheProcessesOfTheRunAlone() throws Exception {
        Process harness = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), Run.class.getName()).start();
        try (BufferedReader reader = harness.inputReader()) {
            long earlier = Long.parseLong(reader.readLine());
            long obeying = Long.parseLong(reader.readLine());
            long ignoring = Long.parseLong(reader.readLine());

            harness.destroy();
            harness.waitFor();

            Optional<ProcessHandle> others = ProcessHandle.of(earlier);
            assertThat(others).get().matches(ProcessHandle::isAlive);
            others.orElseThrow().destroyForcibly();
            assertThat(List.of(obeying, ignoring)).noneMatch(
                    pid -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent());
        }
    }

    /// A run that hangs.
    static final class Run {
        private Run() {}

        public static void main(String[] args) throws IOException, InterruptedException {
            started("exec sleep 600");
            ChildProcesses children = new ChildProcesses();
            children.watch();
            started("exec sleep 600");
            started("trap '' TERM; exec sleep 600");
            Thread.sleep(600_000);
            children.unwatch();
        }

        /// Starts a shell that prints its process when it is ready.
        private static void started(String command) throws IOException {
            Process process = new ProcessBuilder("sh", "-c", command.replace("exec", "echo $$; exec"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            System.out.println(process.inputReader().readLine());
        }
    }
}
