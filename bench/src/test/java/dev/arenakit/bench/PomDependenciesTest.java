package dev.arenakit.bench;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

import static org.assertj.core.api.Assertions.assertThat;

/// The dependencies that each module's pom passes on to dependent projects.
class PomDependenciesTest {
    private static final String CORE = "dev.arenakit:arena-core";
    private static final String CONTRACT = "dev.arenakit:arena-contract";
    private static final String MAPPED = "dev.arenakit:arena-mapped";
    private static final String SQL = "dev.arenakit:arena-sql";
    private static final String ARROW = "dev.arenakit:arena-arrow";

    @ParameterizedTest
    @CsvSource({".,", "arena-core,", "arena-core/contract,org.junit.jupiter:junit-jupiter org.assertj:assertj-core",
            "arena-core/junit," + CORE + " org.junit.jupiter:junit-jupiter", "arena-mapped," + CORE,
            "arena-mapped/sql," + MAPPED, "arena-mapped/arrow," + MAPPED + " org.apache.arrow:arrow-format"})
    void module_passesOnItsDependenciesAlone(String module, @Nullable String dependencies) throws Exception {
        List<String> expected = dependencies == null ? List.of() : List.of(dependencies.split(" ", -1));
        assertThat(transitive(pom(module))).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void examples_needTheLibrariesAlone() throws Exception {
        assertThat(transitive(pom("examples"))).isSubsetOf(CORE, MAPPED);
    }

    @Test
    void bench_needsTheLibrariesAloneOfOurModules() throws Exception {
        assertThat(transitive(pom("bench"))).filteredOn(name -> name.startsWith("dev.arenakit"))
                .isSubsetOf(CORE, CONTRACT, MAPPED, SQL, ARROW);
    }

    @Test
    void modules_areTheListedOnes() throws Exception {
        assertThat(children(children(pom("."), "modules").findFirst().orElseThrow(), "module"))
                .extracting(Element::getTextContent)
                .containsExactlyInAnyOrder("arena-core/contract", "arena-core/testing", "arena-core",
                        "arena-core/junit", "arena-core/bom",
                        "arena-mapped", "arena-mapped/sql", "arena-mapped/arrow", "arena-mapped/command", "examples",
                        "bench");
    }

    @Test
    void transitive_ofAPlantedPom_isNeitherProvidedNorForTests() throws Exception {
        assertThat(transitive(parse("""
                <project>
                  <dependencies>
                    <dependency><groupId>a</groupId><artifactId>default</artifactId></dependency>
                    <dependency><groupId>a</groupId><artifactId>run</artifactId><scope>runtime</scope></dependency>
                    <dependency><groupId>a</groupId><artifactId>provided</artifactId><scope>provided</scope></dependency>
                    <dependency><groupId>a</groupId><artifactId>test</artifactId><scope>test</scope></dependency>
                  </dependencies>
                </project>"""))).containsExactly("a:default", "a:run");
    }

    private static Element pom(String module) throws ParserConfigurationException, IOException, SAXException {
        Path file = Path.of("..", module).resolve("pom.xml");
        return parse(Files.readString(file));
    }

    private static Element parse(String pom) throws ParserConfigurationException, IOException, SAXException {
        return DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(pom)))
                .getDocumentElement();
    }

    private static List<String> transitive(Element project) {
        return children(project, "dependencies").flatMap(all -> children(all, "dependency"))
                .filter(dependency -> List.of("compile", "runtime").contains(text(dependency, "scope", "compile")))
                .map(dependency -> text(dependency, "groupId", "") + ":" + text(dependency, "artifactId", ""))
                .toList();
    }

    private static String text(Element parent, String name, String fallback) {
        return children(parent, name).map(Element::getTextContent).findFirst().orElse(fallback);
    }

    private static Stream<Element> children(Element parent, String name) {
        NodeList nodes = parent.getChildNodes();
        return IntStream.range(0, nodes.getLength())
                .mapToObj(nodes::item)
                .filter(Element.class::isInstance)
                .map(Element.class::cast)
                .filter(element -> element.getTagName().equals(name));
    }
}
