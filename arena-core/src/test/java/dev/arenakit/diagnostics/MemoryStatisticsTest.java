package dev.arenakit.diagnostics;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.testing.ChildJvm;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Other tests may have pools open in this JVM: these tests look for their own.
class MemoryStatisticsTest {

    @Test
    void ofProcess_listsPoolsAndBudgetsUntilTheyAreClosed() {
        MemoryBudget service = MemoryBudget.root("statistics", 1 << 20);
        MemoryBudget request = service.child("request", 1 << 19);
        try (SlabPool pool = SlabPool.builder().maxByteSize(1_234_567).build();
                SlabArena _ = pool.openConfined();
                Arena arena = request.wrap(Arena.ofConfined())) {
            arena.allocate(100, 1);
            MemoryStatistics statistics = MemoryStatistics.ofProcess();
            assertThat(statistics.pools()).contains(pool.stats());
            assertThat(statistics.budgets()).containsSubsequence(service.stats(), request.stats());
            assertThat(statistics.toString().lines()).contains(pool.toString(), service.toString(), request.toString());
        }
        request.close();
        service.close();
        MemoryStatistics after = MemoryStatistics.ofProcess();
        assertThat(after.pools()).noneMatch(pool -> pool.maxByteSize() == 1_234_567);
        assertThat(after.budgets()).noneMatch(budget -> budget.path().startsWith("statistics"));
    }

    @Test
    void registry_losesWhatTheProgramHasLost() {
        assertThat(ChildJvm.onClassPath("-Xmx32m").run(LostSession.class)).isEqualTo(new ChildJvm.Result(0, "lost\n"));
    }

    /// Loses budgets until the registry has lost the first one.
    static final class LostSession {
        public static void main(String[] args) {
            MemoryBudget kept = MemoryBudget.root("kept", 1);
            lose();
            while (MemoryStatistics.ofProcess().budgets().stream().anyMatch(budget -> budget.path().equals("lost"))) {
                System.gc();
            }
            if (!MemoryStatistics.ofProcess().budgets().equals(List.of(kept.stats()))) {
                throw new AssertionError("Wrong budgets: " + MemoryStatistics.ofProcess());
            }
            System.out.println("lost");
        }

        private static void lose() {
            for (int i = 0; i < 1000; i++) {
                MemoryBudget.root("lost", 1);
            }
        }
    }

    @Test
    void registerMXBean_again_leavesOneBeanWithTheStatistics() throws JMException {
        MemoryBudget budget = MemoryBudget.root("managed", 1 << 20);
        try (SlabPool pool = SlabPool.builder().maxByteSize(7_654_321).build()) {
            assertThat(MemoryStatistics.registerMXBean()).isEqualTo(MemoryStatistics.registerMXBean())
                    .isEqualTo("dev.arenakit:type=MemoryStatistics");
            MBeanServer server = ManagementFactory.getPlatformMBeanServer();
            ObjectName name = new ObjectName("dev.arenakit:type=MemoryStatistics");
            assertThat((CompositeData[]) server.getAttribute(name, "Pools"))
                    .anyMatch(data -> data.get("maxByteSize").equals(pool.stats().maxByteSize()));
            assertThat((CompositeData[]) server.getAttribute(name, "Budgets"))
                    .anyMatch(data -> data.get("path").equals("managed") && data.get("maxByteSize").equals(1L << 20));
            assertThat((CompositeData[]) server.getAttribute(name, "Images")).isEmpty();
            assertThat(((CompositeData) server.getAttribute(name, "Mappings")).get("mappings")).isEqualTo(0L);
        } finally {
            MemoryStatistics.unregisterMXBeans();
            budget.close();
        }
    }

    @Test
    void registerMXBean_ofASecondCopyOfTheLibrary_hasANameAndStatisticsOfItsOwn() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        URL[] classes = {Path.of("target", "classes").toUri().toURL()};
        String first = MemoryStatistics.registerMXBean();
        try (SlabPool pool = SlabPool.create(); URLClassLoader loader = new URLClassLoader(classes, null)) {
            Class<?> copy = loader.loadClass(MemoryStatistics.class.getName());
            Method register = copy.getMethod("registerMXBean");
            Object second = register.invoke(null);
            assertThat(second).isEqualTo("dev.arenakit:type=MemoryStatistics,copy=2").isEqualTo(register.invoke(null));
            assertThat((CompositeData[]) server.getAttribute(new ObjectName(first), "Pools"))
                    .anyMatch(data -> data.get("maxByteSize").equals(pool.stats().maxByteSize()));
            assertThat((CompositeData[]) server.getAttribute(new ObjectName(second.toString()), "Pools")).isEmpty();
            copy.getMethod("unregisterMXBeans").invoke(null);
            assertThat(server.isRegistered(new ObjectName(second.toString()))).isFalse();
            assertThat(server.isRegistered(new ObjectName(first))).isTrue();
        } finally {
            MemoryStatistics.unregisterMXBeans();
        }
        assertThat(server.isRegistered(new ObjectName(first))).isFalse();
        MemoryStatistics.unregisterMXBeans();
    }

    @Test
    void registerMXBean_withoutTheModule_saysHowToAddIt() {
        assertThat(ChildJvm.onClassPath("--limit-modules", "java.base").run(BaseSession.class))
                .isEqualTo(new ChildJvm.Result(0, "This JVM has no management: module=java.management; add it to the "
                        + "image, or start Java with --add-modules java.management\n"));
    }

    /// Uses what needs no other module than `java.base`, and then the management bean.
    static final class BaseSession {
        private BaseSession() {}

        public static void main(String[] args) {
            MemoryBudget budget = MemoryBudget.root("base", 10);
            try (Arena arena = budget.wrap(Arena.ofConfined())) {
                arena.allocate(100);
            } catch (BudgetExceededException e) {
                try {
                    MemoryStatistics.registerMXBean();
                } catch (UnsupportedOperationException u) {
                    System.out.println(u.getMessage());
                }
            }
        }
    }
}
