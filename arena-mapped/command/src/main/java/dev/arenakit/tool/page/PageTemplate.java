package dev.arenakit.tool.page;

import dev.arenakit.tool.console.PrintableText;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/// The page around the data of an image. It consists of the template, the style and the scripts in the resources of
/// this package.
///
/// The browser enforces the content security policy of the page: no other script can run, and nothing can be fetched,
/// whatever the data contain.
final class PageTemplate {
    /// The scripts, in the order in which the page contains them as one script.
    private static final List<String> SCRIPTS = List.of("text.js", "image.js", "types.js", "decode.js", "hex.js",
            "scale.js", "ink.js", "draw.js", "rows.js", "map.js", "view.js", "list.js", "details.js", "heading.js",
            "pointer.js",
            "page.js");

    /// The placeholders in the template.
    private static final String POLICY = "{{policy}}";
    private static final String TITLE = "{{title}}";
    private static final String STYLE = "{{style}}";
    private static final String DATA = "{{data}}";
    private static final String SCRIPT = "{{script}}";

    private final String beforeData;
    private final String afterData;

    /// @param name the name of the image, for the title of the page
    PageTemplate(String name) {
        String style = "\n" + resource("page.css");
        List<String> scripts = new ArrayList<>();
        SCRIPTS.forEach(script -> scripts.add(resource(script)));
        String code = "\n" + String.join("\n", scripts);
        String policy = "default-src 'none'; style-src '" + hash(style) + "'; script-src '" + hash(code)
                + "'; base-uri 'none'; form-action 'none'";
        String page = resource("page.html").replace(POLICY, policy)
                .replace(STYLE, style)
                .replace(TITLE, escaped(PrintableText.of(name)) + " \u2013 arena image");
        beforeData = page.substring(0, page.indexOf(DATA));
        afterData = page.substring(page.indexOf(DATA) + DATA.length()).replace(SCRIPT, code);
    }

    /// Writes the part of the page before the data.
    void begin(OutputStream out) throws IOException {
        out.write(beforeData.getBytes(UTF_8));
    }

    /// Writes the part of the page after the data.
    void end(OutputStream out) throws IOException {
        out.write(afterData.getBytes(UTF_8));
    }

    /// Returns text that contains neither markup nor a placeholder.
    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("{", "&#123;");
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every JDK has it", e);
        }
    }

    private static String resource(String name) {
        try (InputStream in = PageTemplate.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("The command is not packed as a whole: resource=" + name);
            }
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
