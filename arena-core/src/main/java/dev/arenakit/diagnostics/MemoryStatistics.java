package dev.arenakit.diagnostics;

import dev.arenakit.SlabPoolStatistics;
import dev.arenakit.internal.diagnostics.event.MemoryMXBeans;
import dev.arenakit.internal.diagnostics.event.MemoryRegistry;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The off-heap memory of this process at one moment, as far as this library can see it: its pools, its budgets, and
/// the arenas that have images.
///
/// Each appears from its creation until it is closed, or until the program has lost it and the garbage collector has
/// found out: nothing keeps it alive for this purpose. Other arenas appear in the statistics of the budget that
/// [counts][MemoryBudget#wrap] them, and nowhere else. The memory of a pool that has a budget appears in both.
///
/// {@snippet file="dev/arenakit/Snippets.java" region="statistics"}
///
/// @param pools    the open pools, the oldest first
/// @param budgets  the open budgets, each before the budgets below it
/// @param images   the open arenas that have images
/// @param mappings the file mappings; both values are 0 if no file was mapped by this library yet
public record MemoryStatistics(List<SlabPoolStatistics> pools, List<BudgetStatistics> budgets,
        List<ImageStatistics> images, MappingStatistics mappings) {

    /// Copies the lists.
    public MemoryStatistics {
        pools = List.copyOf(pools);
        budgets = List.copyOf(budgets);
        images = List.copyOf(images);
    }

    /// Returns the statistics of this process. This takes the locks of pools and images, one after the other:
    /// their values belong to slightly different moments, and it waits while an image makes a file.
    ///
    /// @return the statistics
    public static MemoryStatistics ofProcess() {
        return new MemoryStatistics(MemoryRegistry.statistics(SlabPoolStatistics.class),
                MemoryRegistry.statistics(BudgetStatistics.class), MemoryRegistry.statistics(ImageStatistics.class),
                MemoryRegistry.statistics(MappingStatistics.class)
                        .stream()
                        .findFirst()
                        .orElse(new MappingStatistics(0, 0)));
    }

    /// Registers a [MemoryStatisticsMXBean] with the platform's management server, as
    /// `dev.arenakit:type=MemoryStatistics`, and a [SlabPoolMXBean] for each pool with a
    /// [name][dev.arenakit.SlabPool.Builder#name], such as `dev.arenakit:type=SlabPool,name=requests`. Pools that are
    /// built later have their beans from the start. A bean that is registered remains so.
    ///
    /// Each copy of this library in a process, in a class loader of its own, has statistics of its own. If the name of
    /// a bean is taken, by another copy or by another pool with the same name, `,copy=2`, `,copy=3` and so on follows.
    ///
    /// A management server keeps the class loader of a bean. An application that may be undeployed calls
    /// [#unregisterMXBeans()].
    ///
    /// @return the name of the bean of the process
    /// @throws IllegalStateException         if the management server refuses a bean
    /// @throws UnsupportedOperationException if this JVM has no module `java.management`, or this module does not read
    ///                                       it
    public static String registerMXBeans() {
        return MemoryMXBeans.register();
    }

    /// Unregisters the beans that this copy of the library has registered, and registers none for later pools. If there
    /// are none, this method does nothing.
    ///
    /// @throws UnsupportedOperationException if this JVM has no module `java.management`, or this module does not read
    ///                                       it
    public static void unregisterMXBeans() {
        MemoryMXBeans.unregister();
    }

    /// {@return one line for each pool, budget and image, and one for the mappings if there have been any}
    @Override
    public String toString() {
        return Stream.of(pools, budgets, images, mappings.maxMappings() == 0 ? List.of() : List.of(mappings))
                .flatMap(List::stream)
                .map(Object::toString)
                .collect(Collectors.joining("\n"));
    }
}
