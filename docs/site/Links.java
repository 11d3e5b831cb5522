import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Fails if a link inside of the site leads to a file or a heading that does not exist.
///
/// The arguments are the directory of the site, and the path of the site on its server.
class Links {
    private static final Pattern LINK = Pattern
            .compile("<(?:a|link|script|img|iframe)\\b[^>]*?\\s(?:href|src)=\"([^\"]*)\"");
    private static final Pattern ID = Pattern.compile("\\s(?:id|name)=\"([^\"]*)\"");

    private final Path site;
    private final URI base;
    private final Map<Path, Set<String>> ids = new HashMap<>();
    private final Set<String> dead = new TreeSet<>();
    private int links;

    Links(Path site, String base) {
        this.site = site;
        this.base = URI.create(base);
    }

    public static void main(String[] args) throws IOException {
        Links links = new Links(Path.of(args[0]), args[1]);
        List<Path> pages;
        try (Stream<Path> files = Files.walk(links.site)) {
            pages = files.filter(file -> file.toString().endsWith(".html")).toList();
        }
        pages.forEach(links::check);
        links.dead.forEach(System.err::println);
        System.out.println(links.links + " links in " + pages.size() + " pages, dead: " + links.dead.size());
        System.exit(links.dead.isEmpty() ? 0 : 1);
    }

    private void check(Path page) {
        URI address = base.resolve(site.relativize(page).toString());
        for (String link : matches(LINK, page)) {
            URI target = address.resolve(link.replace(" ", "%20"));
            if (target.getScheme() == null) {
                links++;
                if (!exists(target)) {
                    dead.add("Dead link: page=" + site.relativize(page) + ", link=" + link);
                }
            }
        }
    }

    private boolean exists(URI target) {
        if (!target.getPath().startsWith(base.getPath())) {
            return false;
        }
        Path file = site.resolve(target.getPath().substring(base.getPath().length()));
        if (Files.isDirectory(file)) {
            file = file.resolve("index.html");
        }
        String fragment = target.getFragment();
        return Files.isRegularFile(file)
                && (fragment == null || fragment.isEmpty() || ids.computeIfAbsent(file, this::ids).contains(fragment));
    }

    private Set<String> ids(Path page) {
        return new HashSet<>(matches(ID, page));
    }

    private static List<String> matches(Pattern pattern, Path page) {
        try {
            return pattern.matcher(Files.readString(page)).results().map(result -> unescaped(result.group(1))).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String unescaped(String attribute) {
        return attribute.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    }
}
