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
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    @Tag("full")
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
            assertThat(MemoryStatistics.registerMXBeans()).isEqualTo(MemoryStatistics.registerMXBeans())
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
        String first = MemoryStatistics.registerMXBeans();
        try (SlabPool pool = SlabPool.create(); URLClassLoader loader = new URLClassLoader(classes, null)) {
            Class<?> copy = loader.loadClass(MemoryStatistics.class.getName());
            Method register = copy.getMethod("registerMXBeans");
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

    private static final String POOL = "dev.arenakit:type=SlabPool,name=";

    private static Set<String> beansOfPools() throws JMException {
        return ManagementFactory.getPlatformMBeanServer()
                .queryNames(new ObjectName("dev.arenakit:type=SlabPool,*"), null)
                .stream()
                .map(ObjectName::toString)
                .collect(Collectors.toSet());
    }

    @Test
    void registerMXBeans_withNamedPools_hasABeanForEachUntilItIsClosed() throws JMException {
        SlabPool before = SlabPool.builder().name("before").build();
        assertThat(beansOfPools()).as("nobody has asked for beans").isEmpty();
        MemoryStatistics.registerMXBeans();
        SlabPool after = SlabPool.builder().name("after").openTimeout(Duration.ofMinutes(1)).build();
        SlabPool quoted = SlabPool.builder().name("a,b=\"c\"*?\n").build();
        try (SlabPool same = SlabPool.builder().name("after").build(); SlabPool _ = SlabPool.create()) {
            MemoryStatistics.registerMXBeans();
            assertThat(beansOfPools()).containsExactlyInAnyOrder(POOL + "before", POOL + "after",
                    POOL + "after,copy=2", POOL + ObjectName.quote("a,b=\"c\"*?\n"));
            assertThat(statistics(POOL + "after").get("name")).isEqualTo("after");
            assertThat((CompositeData[]) statistics(POOL + "after").get("waits")).hasSize(20);
            assertThat((CompositeData[]) statistics(POOL + "after,copy=2").get("waits")).isEmpty();
            try (SlabArena _ = same.openConfined()) {
                assertThat(statistics(POOL + "after").get("openArenas")).isEqualTo(0L);
                assertThat(statistics(POOL + "after,copy=2").get("openArenas")).isEqualTo(1L);
                assertThatThrownBy(same::close).isInstanceOf(IllegalStateException.class);
                assertThat(beansOfPools()).contains(POOL + "after,copy=2");
                same.shutdown();
                MemoryStatistics.registerMXBeans();
                assertThat(beansOfPools()).as("a pool that was shut down").doesNotContain(POOL + "after,copy=2");
            }
            quoted.close();
            after.close();
            assertThat(beansOfPools()).containsExactly(POOL + "before");
            MemoryStatistics.unregisterMXBeans();
            assertThat(beansOfPools()).isEmpty();
            SlabPool.builder().name("later").build().close();
            assertThat(beansOfPools()).isEmpty();
            MemoryStatistics.registerMXBeans();
            assertThat(beansOfPools()).containsExactly(POOL + "before");
            before.close();
            assertThat(beansOfPools()).isEmpty();
        } finally {
            MemoryStatistics.unregisterMXBeans();
        }
    }

    @Test
    void registerMXBeans_afterOtherPoolsHadTheNames_hasABeanForEachPool() throws JMException {
        ObjectName taken = new ObjectName(POOL + "pool");
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        try (SlabPool first = SlabPool.builder().name("pool").build();
                SlabPool second = SlabPool.builder().name("pool").build()) {
            MemoryStatistics.registerMXBeans();
            MemoryStatistics.unregisterMXBeans();
            server.createMBean("javax.management.timer.Timer", taken);
            MemoryStatistics.registerMXBeans();
            assertThat(beansOfPools()).hasSize(3).contains(POOL + "pool,copy=2", POOL + "pool,copy=3");
            first.shutdown();
            assertThat(beansOfPools()).hasSize(2).contains(POOL + "pool,copy=3");
            assertThat(second.stats().openArenas()).isZero();
        } finally {
            server.unregisterMBean(taken);
            MemoryStatistics.unregisterMXBeans();
        }
    }

    private static CompositeData statistics(String name) throws JMException {
        return (CompositeData) ManagementFactory.getPlatformMBeanServer()
                .getAttribute(new ObjectName(name), "Statistics");
    }

    @Test
    void registerMXBeans_ofASecondCopyOfTheLibrary_namesItsPoolsApart() throws Exception {
        MemoryStatistics.registerMXBeans();
        URL[] classes = {Path.of("target", "classes").toUri().toURL()};
        try (SlabPool pool = SlabPool.builder().name("requests").build();
                URLClassLoader loader = new URLClassLoader(classes, null)) {
            Class<?> copy = loader.loadClass(MemoryStatistics.class.getName());
            copy.getMethod("registerMXBeans").invoke(null);
            Object builder = loader.loadClass(SlabPool.class.getName()).getMethod("builder").invoke(null);
            builder.getClass().getMethod("name", String.class).invoke(builder, "requests");
            Object other = builder.getClass().getMethod("build").invoke(builder);
            assertThat(other).asString().startsWith("SlabPool requests: ");
            assertThat(beansOfPools()).containsExactlyInAnyOrder(POOL + "requests", POOL + "requests,copy=2");
            MemoryStatistics.unregisterMXBeans();
            assertThat(beansOfPools()).containsExactly(POOL + "requests,copy=2");
            other.getClass().getMethod("close").invoke(other);
            assertThat(beansOfPools()).isEmpty();
            copy.getMethod("unregisterMXBeans").invoke(null);
            assertThat(pool.stats().openArenas()).isZero();
        } finally {
            MemoryStatistics.unregisterMXBeans();
        }
    }

    @Test
    @Tag("full")
    void bean_ofALostPool_isUnregisteredByALaterPool() {
        assertThat(ChildJvm.granted("-Xmx32m").run(LostPoolSession.class))
                .isEqualTo(new ChildJvm.Result(0, "lost\n"));
    }

    /// Loses pools until the bean of one is gone.
    static final class LostPoolSession {
        private LostPoolSession() {}

        public static void main(String[] args) throws JMException {
            MemoryStatistics.registerMXBeans();
            SlabPool.builder().name("first").build();
            while (beansOfPools().contains(POOL + "first")) {
                System.gc();
                SlabPool.create().close();
            }
            System.out.println("lost");
        }
    }

    @Test
    @Tag("full")
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
                    MemoryStatistics.registerMXBeans();
                } catch (UnsupportedOperationException u) {
                    System.out.println(u.getMessage());
                }
            }
        }
    }
}
