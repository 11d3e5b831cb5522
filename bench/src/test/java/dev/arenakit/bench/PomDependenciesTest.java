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
import org.junit.jupiter.api.Test;
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

    @Test
    void parent_passesOnNothing() throws Exception {
        assertThat(transitive(pom("."))).isEmpty();
    }

    @Test
    void core_passesOnNothing() throws Exception {
        assertThat(transitive(pom("arena-core"))).isEmpty();
    }

    @Test
    void contract_passesOnJUnitAndAssertJAlone() throws Exception {
        assertThat(transitive(pom("arena-core/contract"))).containsExactlyInAnyOrder(
                "org.junit.jupiter:junit-jupiter", "org.assertj:assertj-core");
    }

    @Test
    void junit_passesOnCoreAndJUnitAlone() throws Exception {
        assertThat(transitive(pom("arena-core/junit"))).containsExactlyInAnyOrder(CORE,
                "org.junit.jupiter:junit-jupiter");
    }

    @Test
    void mapped_passesOnCoreAlone() throws Exception {
        assertThat(transitive(pom("arena-mapped"))).containsExactly(CORE);
    }

    @Test
    void sql_passesOnMappedAlone() throws Exception {
        assertThat(transitive(pom("arena-mapped/sql"))).containsExactly(MAPPED);
    }

    @Test
    void arrow_passesOnMappedAndTheFormatAlone() throws Exception {
        assertThat(transitive(pom("arena-mapped/arrow"))).containsExactlyInAnyOrder(MAPPED,
                "org.apache.arrow:arrow-format");
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
