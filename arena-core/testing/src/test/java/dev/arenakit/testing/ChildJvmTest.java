package dev.arenakit.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("full")
class ChildJvmTest {
    /// Takes as long as the JDK takes to notice the end of a process that is not a child: up to five seconds.
    @Test
    void endWithParent_whenTheParentIsKilled_endsTheChild() throws Exception {
        Process parent = ChildJvm.onClassPath().command(Parent.class).start();
        ProcessHandle child;
        try (BufferedReader output = parent.inputReader()) {
            child = ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow();
            parent.destroyForcibly();
        }
        assertThat(child.onExit().get(1, TimeUnit.MINUTES).isAlive()).isFalse();
    }

    /// Starts the child, and prints its process id.
    static final class Parent {
        public static void main(String[] arguments) throws IOException, InterruptedException {
            Process child = ChildJvm.onClassPath().command(Child.class).start();
            String ready = child.inputReader().readLine();
            System.out.println(ready);
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    /// Runs until it is killed.
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) throws InterruptedException {
            ChildJvm.endWithParent();
            System.out.println(ProcessHandle.current().pid());
            Thread.sleep(Long.MAX_VALUE);
        }
    }
}
