package dev.arenakit.bench;

import dev.arenakit.bench.report.Cell;
import java.lang.reflect.Field;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

import static org.assertj.core.api.Assertions.assertThat;

class SuitesTest {
    static Stream<Suite> suites() {
        return Suites.ALL.stream();
    }

    @Test
    void names_ofAllSuites_differ() {
        assertThat(suites().map(Suite::name)).doesNotHaveDuplicates().contains("demo", "targets");
    }

    @ParameterizedTest
    @MethodSource("suites")
    void cells_ofASuite_nameBenchmarksAndValuesThatExist(Suite suite) throws ReflectiveOperationException {
        assertThat(suite.cells()).isNotEmpty().doesNotHaveDuplicates();
        for (Cell cell : suite.cells()) {
            Class<?> question = Class.forName(cell.question());
            assertThat(question.getMethods()).anySatisfy(method -> {
                assertThat(method.getName()).isEqualTo(cell.contestant());
                assertThat(method.isAnnotationPresent(Benchmark.class)).isTrue();
            });
            for (Field field : question.getFields()) {
                assertThat(field.getAnnotation(Param.class).value()).contains(cell.params().get(field.getName()));
            }
            assertThat(question.getFields()).hasSameSizeAs(cell.params().keySet());
        }
    }

    @ParameterizedTest
    @MethodSource("suites")
    void cells_ofASuite_areComparedWithABaseline(Suite suite) {
        assertThat(suite.cells()).allSatisfy(cell -> assertThat(suite.cells()).contains(cell.of(Cell.BASELINE)));
    }

    @ParameterizedTest
    @MethodSource("suites")
    void targets_ofASuite_areAskedOfItsCells(Suite suite) {
        assertThat(suite.targets()).allSatisfy(
                target -> assertThat(suite.cells()).contains(target.cell(), target.cell().of(target.opponent())));
    }

    @Test
    void withCells_keepsTheTargetsThatTheySufficeFor() {
        Suite suite = Suites.ALL.getLast();
        Cell cell = suite.targets().getFirst().cell();

        assertThat(suite.withCells(List.of(cell)).targets()).isEmpty();
        assertThat(suite.withCells(List.of(cell, cell.of(Cell.BASELINE))).targets())
                .containsExactly(suite.targets().getFirst());
    }

    @Test
    void targets_ofTheTargetsSuite_haveFiveForks() {
        List<Suite> asked = suites().filter(suite -> !suite.targets().isEmpty()).toList();

        assertThat(asked).isNotEmpty().allSatisfy(suite -> assertThat(suite.forks()).isGreaterThanOrEqualTo(5));
    }
}
