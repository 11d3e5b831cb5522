import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Builds the pages of the site with npm, or says that npm is missing: the API does not need it.
///
/// The arguments are the directory of the generator, the directory of the site, and the path of the site on its server.
class Pages {
    private static final String WITHOUT_PAGES = """
            <!DOCTYPE html>
            <html lang="en">
            <head><meta charset="utf-8"><title>Arenakit</title></head>
            <body><p>Built without npm: only the <a href="api/index.html">API</a> is here.</p></body>
            </html>
            """;

    public static void main(String[] args) throws IOException, InterruptedException {
        Path generator = Path.of(args[0]);
        Path site = Path.of(args[1]);
        if (hasNpm()) {
            run(generator, "npm", "ci", "--prefer-offline", "--loglevel=error");
            run(generator, "npm", "exec", "--", "vitepress", "build", "--base", args[2]);
        } else {
            System.out.println("The pages are skipped: npm is not in the PATH; install Node.js 20 or newer with npm.");
            Files.createDirectories(site);
            Files.writeString(site.resolve("index.html"), WITHOUT_PAGES);
        }
    }

    private static boolean hasNpm() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "npm")));
    }

    private static void run(Path directory, String... command) throws IOException, InterruptedException {
        int exitCode = new ProcessBuilder(command).directory(directory.toFile()).inheritIO().start().waitFor();
        if (exitCode != 0) {
            System.exit(exitCode);
        }
    }
}
