package dev.arenakit.internal.diagnostics.event;

import dev.arenakit.SlabPoolStatistics;
import dev.arenakit.diagnostics.BudgetStatistics;
import dev.arenakit.diagnostics.ImageStatistics;
import dev.arenakit.diagnostics.MappingStatistics;
import dev.arenakit.diagnostics.MemoryStatistics;
import dev.arenakit.diagnostics.MemoryStatisticsMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/// The management beans of this copy of the library. A JVM without `java.management` never loads the nested class.
///
/// Each class loader may have a copy, and each copy has its own pools. A copy that finds its name taken by another one
/// adds `copy=2`, `copy=3` and so on to the name.
public final class MemoryMXBeans {
    private MemoryMXBeans() {}

    /// Registers the bean of the statistics, unless it is registered.
    ///
    /// @return its name
    public static synchronized String register() {
        requireManagement();
        return Bean.register();
    }

    /// Unregisters all beans of this copy.
    public static synchronized void unregister() {
        requireManagement();
        Bean.unregister();
    }

    private static void requireManagement() {
        if (!OptionalModules.canUse("java.lang.management.ManagementFactory")) {
            throw new UnsupportedOperationException("This JVM has no management: module=java.management; add it to the "
                    + "image, or start Java with --add-modules java.management");
        }
    }

    private static final class Bean implements MemoryStatisticsMXBean {
        private static final String DOMAIN = "dev.arenakit:";
        private static final String NAME = DOMAIN + "type=MemoryStatistics";

        static String register() {
            try {
                for (ObjectName name : server().queryNames(new ObjectName(NAME + ",*"), null)) {
                    if (isOurs(name)) {
                        return name.toString();
                    }
                }
                String name = NAME;
                for (int copy = 2; !register(name); copy++) {
                    name = NAME + ",copy=" + copy;
                }
                return name;
            } catch (JMException e) {
                throw new IllegalStateException("Management bean is refused: " + e.getMessage(), e);
            }
        }

        /// Registers a bean, unless another copy of the library has taken the name.
        private static boolean register(String name) throws JMException {
            try {
                server().registerMBean(new Bean(),
                        new ObjectName(name));
                return true;
            } catch (InstanceAlreadyExistsException _) {
                return false;
            }
        }

        static void unregister() {
            try {
                for (ObjectName name : server().queryNames(new ObjectName(DOMAIN + "*"), null)) {
                    if (isOurs(name)) {
                        unregister(name);
                    }
                }
            } catch (JMException e) {
                throw new IllegalStateException("Management bean is not unregistered: " + e.getMessage(), e);
            }
        }

        private static void unregister(ObjectName name) throws JMException {
            try {
                server().unregisterMBean(name);
            } catch (InstanceNotFoundException _) {
                // Somebody else has unregistered it.
                return;
            }
        }

        /// Whether this copy of the library has registered a bean. The server knows the class loader of each bean, so
        /// that no static state is needed.
        private static boolean isOurs(ObjectName name) {
            try {
                return Bean.class.getClassLoader().equals(server().getClassLoaderFor(name));
            } catch (InstanceNotFoundException _) {
                return false;
            }
        }

        private static MBeanServer server() {
            return ManagementFactory.getPlatformMBeanServer();
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
