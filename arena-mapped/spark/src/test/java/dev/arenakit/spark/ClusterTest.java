package dev.arenakit.spark;

import dev.arenakit.testing.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/// Python and SQL in a cluster of two workers. One worker is killed.
class ClusterTest {
    private static final int IMAGES = 6;
    private static final int COUNT = 20_000;

    @TempDir
    private Path directory;

    @Test
    void queries_inAClusterWhoseWorkerIsKilled_haveTheRightAnswers() {
        String home = System.getProperty("test.spark.home", "");
        assumeFalse(home.isEmpty(), "needs Spark: mvn verify -Pspark -Dspark.home=/path/of/site-packages/pyspark");
        for (int i = 0; i < IMAGES; i++) {
            Trade.write(directory.resolve("image" + i), (long) i * COUNT, COUNT);
        }
        long sum = LongStream.range(0, (long) IMAGES * COUNT).map(i -> Trade.at(i).quantity()).sum();
        // The classes of Arenakit. The class path also has another version of Spark.
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(":", -1))
                .filter(path -> path.endsWith("/target/classes") || path.matches(".*/arena-(core|mapped)-[^/]*[.]jar"))
                .collect(Collectors.joining(":"));
        ProcessBuilder command = new ProcessBuilder(Path.of(home, "bin", "spark-submit").toString(), "--master",
                "local-cluster[2,1,1024]", "--driver-class-path", classPath, "--conf",
                "spark.executor.extraClassPath=" + classPath, "--conf", "spark.driver.host=localhost", "--conf",
                "spark.ui.enabled=false", "--conf", "spark.sql.shuffle.partitions=2",
                Path.of("src/test/python/cluster.py").toString(), directory.resolve("image*").toString(),
                String.valueOf(sum));
        command.environment().put("JAVA_HOME", System.getProperty("java.home"));
        command.environment().put("SPARK_HOME", home);
        command.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        command.environment().put("SPARK_SUBMIT_OPTS", "--enable-native-access=ALL-UNNAMED");
        assertThat(Files.isDirectory(Path.of(home))).isTrue();
        assertThat(ChildJvm.run(command.redirectErrorStream(true))).contains("group by: True", "sql: True",
                "killed: True", "missing: True");
    }
}
