package dev.arenakit.internal.diagnostics;

import dev.arenakit.SlabPoolStatistics;
import dev.arenakit.diagnostics.BudgetStatistics;
import dev.arenakit.diagnostics.ImageStatistics;
import dev.arenakit.diagnostics.MappingStatistics;
import dev.arenakit.diagnostics.MemoryStatistics;
import dev.arenakit.diagnostics.MemoryStatisticsMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/// The management bean of the statistics. A JVM without `java.management` never loads the nested class.
public final class MemoryMXBeans {
    private MemoryMXBeans() {}

    /// Registers the bean, unless it is registered.
    public static void register() {
        if (!OptionalModules.canUse("java.lang.management.ManagementFactory")) {
            throw new UnsupportedOperationException("This JVM has no management: module=java.management; add it to the "
                    + "image, or start Java with --add-modules java.management");
        }
        Bean.register();
    }

    private static final class Bean implements MemoryStatisticsMXBean {
        static void register() {
            try {
                ManagementFactory.getPlatformMBeanServer()
                        .registerMBean(new StandardMBean(new Bean(), MemoryStatisticsMXBean.class, true),
                                new ObjectName("dev.arenakit:type=MemoryStatistics"));
            } catch (InstanceAlreadyExistsException _) {
                return;
            } catch (JMException e) {
                throw new IllegalStateException("Management bean is refused: " + e.getMessage(), e);
            }
        }

        @Override
        public List<SlabPoolStatistics> getPools() {
            return MemoryRegistry.statistics(SlabPoolStatistics.class);
        }

        @Override
        public List<BudgetStatistics> getBudgets() {
            return MemoryRegistry.statistics(BudgetStatistics.class);
        }

        @Override
        public List<ImageStatistics> getImages() {
            return MemoryRegistry.statistics(ImageStatistics.class);
        }

        @Override
        public MappingStatistics getMappings() {
            return MemoryStatistics.ofProcess().mappings();
        }
    }
}
