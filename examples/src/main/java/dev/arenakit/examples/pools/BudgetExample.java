package dev.arenakit.examples.pools;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.diagnostics.BudgetExceededException;
import dev.arenakit.diagnostics.MemoryBudget;
import dev.arenakit.diagnostics.MemoryStatistics;
import java.io.PrintStream;
import java.lang.foreign.Arena;

/// The budget of a service, which its pool and its requests share, and what can be seen of them.
public final class BudgetExample {
    private BudgetExample() {}

    /// Prints the statistics of the process, and the message of a request that exceeds its budget.
    ///
    /// @param args none
    public static void main(String[] args) {
        run(System.out);
    }

    static void run(PrintStream out) {
        MemoryBudget service = MemoryBudget.root("service", 64L << 20);
        try (SlabPool pool = SlabPool.builder().budget(service).build();
                SlabArena session = pool.openConfined()) {
            session.allocate(1 << 20);
            serve(service, out);
        }
        service.close();
    }

    private static void serve(MemoryBudget service, PrintStream out) {
        try (MemoryBudget request = service.child("request", 4L << 20);
                Arena arena = request.wrap(Arena.ofConfined())) {
            arena.allocate(3 << 20);
            out.println(MemoryStatistics.ofProcess());
            arena.allocate(2 << 20);
        } catch (BudgetExceededException e) {
            out.println(e.getMessage());
        }
    }
}
