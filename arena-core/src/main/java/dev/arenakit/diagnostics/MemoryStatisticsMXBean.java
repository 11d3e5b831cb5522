package dev.arenakit.diagnostics;

import dev.arenakit.SlabPoolStatistics;
import java.util.List;

/// The statistics of this process as the attributes of a management bean, which [MemoryStatistics#registerMXBeans()]
/// registers.
public interface MemoryStatisticsMXBean {
    /// {@return the statistics of the pools}
    List<SlabPoolStatistics> getPools();

    /// {@return the statistics of the budgets, each before the budgets below it}
    List<BudgetStatistics> getBudgets();

    /// {@return the statistics of the open arenas that have images}
    List<ImageStatistics> getImages();

    /// {@return the file mappings of this process}
    MappingStatistics getMappings();
}
