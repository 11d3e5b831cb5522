package dev.arenakit.internal.diagnostics.event;

import dev.arenakit.SlabPoolStatistics;
import dev.arenakit.diagnostics.BudgetStatistics;
import dev.arenakit.diagnostics.ImageStatistics;
import dev.arenakit.diagnostics.MappingStatistics;
import dev.arenakit.diagnostics.MemoryStatistics;
import dev.arenakit.diagnostics.MemoryStatisticsMXBean;
import dev.arenakit.diagnostics.SlabPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/// The management beans of this copy of the library. A JVM without `java.management` never loads the nested
/// classes.
///
/// Each class loader may have a copy, and each copy has its own pools. A bean whose name is taken gets `copy=2`,
/// `copy=3` and so on.
public final class MemoryMXBeans {
    /// Whether the pools that are built have beans.
    private static boolean registered;

    private MemoryMXBeans() {}

    /// Registers the bean of the statistics, and a bean for each pool with a name, unless they are registered.
    ///
    /// @return the name of the bean of the statistics
    public static synchronized String register() {
        requireManagement();
        String name = Beans.register();
        registered = true;
        MemoryRegistry.entries().forEach(MemoryMXBeans::add);
        return name;
    }

    /// Unregisters all beans of this copy.
    public static synchronized void unregister() {
        requireManagement();
        registered = false;
        Beans.unregister();
        // Later, another bean may have the name.
        MemoryRegistry.entries().forEach(entry -> entry.bean = null);
    }

    /// Registers the bean of a source that is a pool with a name, and unregisters the beans of lost pools.
    public static synchronized void add(MemoryRegistry.Entry added) {
        if (!registered) {
            return;
        }
        for (MemoryRegistry.Entry entry : MemoryRegistry.entries()) {
            if (entry.refersTo(null)) {
                remove(entry);
                entry.remove();
            }
        }
        MemoryRegistry.Source source = added.get();
        if (source != null && !source.poolName().isEmpty() && !added.ended && added.bean == null) {
            added.bean = Beans.register(added, source.poolName());
        }
    }

    /// Unregisters the bean of a source for good.
    public static synchronized void remove(MemoryRegistry.Entry entry) {
        entry.ended = true;
        String bean = entry.bean;
        if (bean != null) {
            Beans.unregister(bean);
            entry.bean = null;
        }
    }

    private static void requireManagement() {
        if (!OptionalModules.canUse("java.lang.management.ManagementFactory")) {
            throw new UnsupportedOperationException("This JVM has no management: module=java.management; add it to the "
                    + "image, or start Java with --add-modules java.management");
        }
    }

    private static final class Beans {
        private static final String DOMAIN = "dev.arenakit:";
        private static final String SUMMARY = DOMAIN + "type=MemoryStatistics";
        private static final String POOL = DOMAIN + "type=SlabPool,name=";

        static String register() {
            try {
                for (ObjectName name : server().queryNames(new ObjectName(SUMMARY + ",*"), null)) {
                    if (isOurs(name)) {
                        return name.toString();
                    }
                }
                return register(new Summary(), SUMMARY);
            } catch (JMException e) {
                throw new IllegalStateException("Management bean is refused: " + e.getMessage(), e);
            }
        }

        static String register(MemoryRegistry.Entry entry, String pool) {
            try {
                return register(new Pool(entry), POOL + (isPlain(pool) ? pool : ObjectName.quote(pool)));
            } catch (JMException e) {
                throw new IllegalStateException("Management bean is refused: pool=" + pool + ", " + e.getMessage(), e);
            }
        }

        /// Whether a name needs no quotes.
        private static boolean isPlain(String name) {
            return name.codePoints().allMatch(c -> Character.isLetterOrDigit(c) || "-_./ ".indexOf(c) >= 0);
        }

        /// Registers a bean, with another name if another pool or another copy of the library has taken the name.
        private static String register(Object bean, String name) throws JMException {
            String unique = name;
            for (int copy = 2; !tryRegister(bean, unique); copy++) {
                unique = name + ",copy=" + copy;
            }
            return unique;
        }

        private static boolean tryRegister(Object bean, String name) throws JMException {
            try {
                server().registerMBean(bean, new ObjectName(name));
                return true;
            } catch (InstanceAlreadyExistsException _) {
                return false;
            }
        }

        static void unregister() {
            try {
                for (ObjectName name : server().queryNames(new ObjectName(DOMAIN + "*"), null)) {
                    unregister(name);
                }
            } catch (JMException e) {
                throw new IllegalStateException("Management bean is not unregistered: " + e.getMessage(), e);
            }
        }

        static void unregister(String name) {
            try {
                unregister(new ObjectName(name));
            } catch (JMException e) {
                throw new IllegalStateException("Management bean is not unregistered: " + e.getMessage(), e);
            }
        }

        /// Unregisters a bean if it is ours.
        private static void unregister(ObjectName name) throws JMException {
            if (isOurs(name)) {
                try {
                    server().unregisterMBean(name);
                } catch (InstanceNotFoundException _) {
                    // Somebody else has unregistered it.
                    return;
                }
            }
        }

        /// Whether this copy of the library has registered a bean. The server knows the class loader of each bean.
        private static boolean isOurs(ObjectName name) {
            try {
                return Beans.class.getClassLoader().equals(server().getClassLoaderFor(name));
            } catch (InstanceNotFoundException _) {
                return false;
            }
        }

        private static MBeanServer server() {
            return ManagementFactory.getPlatformMBeanServer();
        }
    }

    private record Pool(MemoryRegistry.Entry entry) implements SlabPoolMXBean {
        @Override
        public SlabPoolStatistics getStatistics() {
            return entry.read()
                    .stream()
                    .map(SlabPoolStatistics.class::cast)
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("Pool was lost, and was not closed"));
        }
    }

    private static final class Summary implements MemoryStatisticsMXBean {
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
