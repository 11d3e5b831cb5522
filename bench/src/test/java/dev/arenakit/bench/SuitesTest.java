package dev.arenakit.bench;

import dev.arenakit.bench.candidate.Candidate;
import dev.arenakit.bench.candidate.Candidates;
import dev.arenakit.bench.candidate.WorkloadState;
import dev.arenakit.bench.candidate.Workloads;
import dev.arenakit.bench.micro.arena.Concurrent;
import dev.arenakit.bench.micro.arena.Escaping;
import dev.arenakit.bench.micro.arena.Session;
import dev.arenakit.bench.report.Cell;
import dev.arenakit.bench.report.JdkGeneration;
import dev.arenakit.bench.report.ReportFormat;
import dev.arenakit.bench.report.Target;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

import static dev.arenakit.bench.candidate.Candidates.OF_CONFINED;
import static org.assertj.core.api.Assertions.assertThat;

class SuitesTest {
    static Stream<Suite> suites() {
        return Suites.ALL.stream();
    }

    @Test
    void names_ofAllSuites_differ() {
        assertThat(suites().map(Suite::name)).doesNotHaveDuplicates().contains("demo", "targets");
    }

    /// JMH's list of benchmarks, with the parameter values of the annotations.
    private static final Map<String, BenchmarkListEntry> BENCHMARKS = BenchmarkList.defaultList()
            .getAll(OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of())
            .stream()
            .collect(Collectors.toMap(BenchmarkListEntry::getUsername, Function.identity()));

    @ParameterizedTest
    @MethodSource("suites")
    void cells_ofASuite_nameBenchmarksAndValuesThatExist(Suite suite) {
        assertThat(suite.cells()).isNotEmpty().doesNotHaveDuplicates().allSatisfy(cell -> {
            BenchmarkListEntry benchmark = BENCHMARKS.get(cell.benchmark());
            assertThat(benchmark).as(cell.benchmark()).isNotNull();
            Map<String, String[]> params = Objects.requireNonNull(benchmark).getParams().orElse(Map.of());
            assertThat(cell.params().keySet()).isEqualTo(params.keySet());
            cell.params().forEach((name, value) -> assertThat(params.get(name)).as(name).contains(value));
        });
    }

    @ParameterizedTest
    @MethodSource("suites")
    void cells_ofASuite_areComparedWithABaseline(Suite suite) {
        List<Cell> baselines = suite.cells().stream().filter(Cell::isBaseline).toList();

        assertThat(suite.cells()).allSatisfy(cell -> assertThat(baselines).anyMatch(cell::isComparableWith));
    }

    @ParameterizedTest
    @MethodSource("suites")
    void targets_ofASuite_areAskedOfItsCells(Suite suite) {
        assertThat(suite.targets()).allSatisfy(
                target -> assertThat(suite.cells()).contains(target.cell(), target.opponent()));
    }

    /// The documentation promises less than a quarter of an hour. On a busy machine, a fork took nine seconds.
    @Test
    void quickSuite_isSmallEnoughForAQuarterOfAnHour() {
        Suite quick = named("quick");

        assertThat(Duration.ofSeconds(9).multipliedBy((long) quick.cells().size() * quick.forks()))
                .isLessThan(Duration.ofMinutes(14));
    }

    @ParameterizedTest
    @MethodSource("suites")
    void iterations_ofASuite_areEnoughToSeeWhetherTheyAreSteady(Suite suite) {
        assertThat(suite.measurement().count()).isGreaterThanOrEqualTo(6);
    }

    /// JDK 28 takes a tenth of the time of JDK 25 for a small block, so no factor suits both.
    @Test
    void targets_againstTheJdksConfinedArena_areForOneGeneration() {
        List<Target> targets = named("targets").targets()
                .stream()
                .filter(target -> target.opponent().equals(target.cell().by(OF_CONFINED)))
                .toList();

        assertThat(targets).extracting(Target::jdks)
                .contains(JdkGeneration.WITHOUT_POOL, JdkGeneration.WITH_POOL)
                .doesNotContain(JdkGeneration.ANY);
    }

    private static Suite named(String name) {
        return suites().filter(suite -> suite.name().equals(name)).findFirst().orElseThrow();
    }

    @Test
    void withCells_keepsTheTargetsThatTheySufficeFor() {
        Suite suite = suites().filter(each -> !each.targets().isEmpty()).findFirst().orElseThrow();
        Target target = suite.targets().getLast();

        assertThat(suite.withCells(List.of(target.cell())).targets()).isEmpty();
        assertThat(suite.withCells(List.of(target.cell(), target.opponent())).targets()).containsExactly(target);
    }

    @Test
    void withProviders_measuresThemWhereverArenasAreCompared() {
        Suite suite = Suites.OWN.withProviders(List.of("mine", Candidates.MALLOC));
        long compared = Suites.OWN.cells().stream().filter(cell -> cell.candidate().equals(OF_CONFINED)).count();

        assertThat(suite.cells()).doesNotHaveDuplicates();
        assertThat(suite.cells().stream().filter(cell -> cell.candidate().equals("mine"))).hasSize((int) compared);
        assertThat(suite.cells().stream().filter(cell -> cell.candidate().equals(Candidates.MALLOC)))
                .hasSize((int) compared);
    }

    @Test
    void withWorkloads_keepsKindsOfThreadsAndArenasOfTheSuite() {
        Suite suite = named("full").withWorkloads(List.of("mine", "other"));

        assertThat(suite.cells()).doesNotHaveDuplicates()
                .contains(CellGrid.arena(Session.class, Candidates.SLAB, Map.of("workload", "mine")),
                        CellGrid.arena(Concurrent.OfTwo.class, Candidates.NETTY_ADAPTIVE, Map.of("workload", "other")),
                        CellGrid.arena(Concurrent.TwoVirtual.class, OF_CONFINED, Map.of("workload", "mine")));
        assertThat(suite.cells()).allSatisfy(
                cell -> assertThat(cell.conditions().get("workload")).isIn("mine", "other"));
        assertThat(suite.cells()).noneMatch(cell -> cell.params().containsValue(Escaping.STORED));
        assertThat(named("mapping").withWorkloads(List.of("mine")).cells()).isEmpty();
    }

    @Test
    void benchmarks_haveASentenceOnWhatTheyMeasure() {
        assertThat(BENCHMARKS.values()
                .stream()
                .map(BenchmarkListEntry::getUserClassQName)
                .distinct()
                .filter(name -> !ReportFormat.measures(name).endsWith("."))).isEmpty();
    }

    @Test
    void benchmarks_measureNanoseconds_asReportsExpect() {
        assertThat(BENCHMARKS.values()
                .stream()
                .filter(benchmark -> benchmark.getTimeUnit().get() != TimeUnit.NANOSECONDS)
                .map(BenchmarkListEntry::getUsername)).isEmpty();
    }

    @Test
    void names_ofBuiltInProvidersAndWorkloads_areThoseThatPlainJmhRuns() {
        assertThat(defaults(Candidate.class, "provider")).containsExactlyElementsOf(Candidates.builtInNames());
        assertThat(defaults(WorkloadState.class, "workload")).containsExactlyElementsOf(Workloads.builtInNames());
    }

    private static String[] defaults(Class<?> state, String param) {
        try {
            return state.getField(param).getAnnotation(Param.class).value();
        } catch (NoSuchFieldException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void targets_ofTheTargetsSuite_haveFiveForks() {
        List<Suite> asked = suites().filter(suite -> !suite.targets().isEmpty()).toList();

        assertThat(asked).isNotEmpty().allSatisfy(suite -> assertThat(suite.forks()).isGreaterThanOrEqualTo(5));
    }
}
