package dev.arenakit.tool.types;

import dev.arenakit.layout.text.CHeader;
import dev.arenakit.layout.text.CHeaderTypes;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.tool.console.CommandFrame;
import dev.arenakit.tool.console.ExitCodes;
import dev.arenakit.tool.console.Suggestions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import static java.nio.charset.StandardCharsets.UTF_8;

/// `arena types`.
@Command(name = "types", sortOptions = false,
        description = {"Prints the structs of a C header: offset, size, type and name of each member, and the holes.",
                "The layouts are as in gcc on x86-64. A declaration that has no equivalent is reported with its"
                        + " line, and the others are printed. A typedef is printed with --struct alone."},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:all types were printed", " 1:a declaration has no equivalent, or no type has the name",
                " 2:wrong command line"},
        footer = {"", "Examples:", "  cc -E /usr/include/elf.h | arena types -",
                "  cc -E /usr/include/elf.h | arena types - --java > Types.java",
                "  cc -E trade.h | arena types - --struct trade --text > trade.txt",
                "  arena show /var/prices trades --type @trade.txt"})
public final class TypesCommand implements Callable<Integer> {
    private static final String STANDARD_INPUT = "-";

    @Parameters(index = "0", paramLabel = "HEADER",
            description = "the output of a preprocessor, cc -E, for a header; - is standard input")
    private Path header = Path.of(STANDARD_INPUT);

    @Option(names = "--struct", paramLabel = "NAME",
            description = "print only this struct, union, enum or typedef; several times for several")
    private List<String> names = List.of();

    @Option(names = "--java", description = "print a Java class of records and views that map the structs")
    private boolean java;

    @Option(names = "--text", description = "print the text that other commands take as --type")
    private boolean text;

    @Mixin
    @SuppressWarnings("NullAway.Init") // Injected.
    private CommandFrame frame;

    @Override
    public Integer call() throws IOException {
        return frame.run(header, () -> {
            byte[] bytes = header.toString().equals(STANDARD_INPUT)
                    ? frame.streams().in().readAllBytes()
                    : Files.readAllBytes(header);
            CHeaderTypes types = CHeader.parse(new String(bytes, UTF_8));
            List<MemoryType> printed = new ArrayList<>();
            List<String> missing = new ArrayList<>();
            for (String name : names) {
                types.find(name).ifPresentOrElse(printed::add, () -> missing.add(name));
            }
            List<String> problems = new ArrayList<>();
            types.refused()
                    .stream()
                    .filter(refusal -> names.isEmpty() || !missing.isEmpty()
                            || names.stream().anyMatch(name -> (" " + refusal.name()).endsWith(" " + name)))
                    .forEach(refusal -> problems.add((refusal.file().isEmpty() ? header + ":" : "") + refusal));
            missing.forEach(name -> problems.add(header + ": no type " + name + Suggestions.of(name,
                    types.types().keySet().stream().map(key -> key.substring(key.indexOf(' ') + 1)))));
            if (names.isEmpty()) {
                printed.addAll(JavaTypes.groups(types).values());
            }
            if (java && !printed.isEmpty()) {
                frame.print(new JavaTypes(types).print(className(), printed, problems));
            } else {
                for (MemoryType type : printed) {
                    if (!names.isEmpty() || !(type instanceof EnumType)) {
                        print(type, problems);
                    }
                }
            }
            problems.forEach(frame::report);
            return ExitCodes.of(problems.isEmpty());
        });
    }

    private String className() {
        return header.toString().equals(STANDARD_INPUT)
                ? "Types"
                : header.getFileName()
                        .toString()
                        .replaceFirst("\\.\\w*$", "")
                        .replaceAll("\\W", "_")
                        .replaceFirst("^(?=\\d)", "_");
    }

    private void print(MemoryType type, List<String> problems) throws IOException {
        StructType struct = type instanceof StructType own ? own : StructType.wrapperOf(type);
        try {
            String printed = text ? LayoutText.print(struct) : LayoutText.describe(struct);
            // The wrapper of a union has no name.
            frame.print((type instanceof UnionType && !text
                    ? printed.replaceFirst("^struct", JavaTypes.key(type))
                    : printed) + "\n");
        } catch (IllegalArgumentException e) {
            problems.add(JavaTypes.key(type) + ": " + e.getMessage());
        }
    }
}
