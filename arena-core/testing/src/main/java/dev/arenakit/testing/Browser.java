package dev.arenakit.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A headless Chromium, controlled by its debugging protocol. It acts on the page as a user does, without a script in
/// the page.
public final class Browser implements AutoCloseable {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final long PATIENCE_SECONDS = 300;
    private static final Pattern ESCAPE = Pattern.compile("\\\\(u[0-9a-fA-F]{4}|.)");

    private final Process process;
    private final Path profile;
    private final WebSocket socket;
    private final Answers answers = new Answers();
    private final List<String> errors = new ArrayList<>();
    /// The session of the page, empty at first.
    private String session = "";
    private int calls;

    private Browser(Process process, Path profile, String address) {
        this.process = process;
        this.profile = profile;
        socket = HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(URI.create(address), answers).join();
    }

    /// Finds the browser, if it is installed.
    public static Optional<Path> find() {
        return Stream.of(System.getenv("PATH").split(":"))
                .flatMap(directory -> NAMES.stream().map(name -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /// Opens a page, and waits until it is loaded.
    public static Browser open(Path program, Path page, int width, int height)
            throws IOException, InterruptedException {
        Path profile = Files.createTempDirectory("arenakit-browser");
        Process process = new ProcessBuilder(program.toString(), "--headless=new", "--no-sandbox", "--disable-gpu",
                "--no-first-run", "--hide-scrollbars", "--remote-debugging-port=0", "--user-data-dir=" + profile,
                "--window-size=" + width + "," + height, "about:blank")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            Browser browser = new Browser(process, profile, address(process, profile));
            browser.open(page, width, height);
            return browser;
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            end(process, profile);
            throw e;
        }
    }

    private void open(Path page, int width, int height) throws InterruptedException {
        String target = call("Target.createTarget", "{\"url\":\"about:blank\"}", "targetId");
        session = call("Target.attachToTarget", "{\"targetId\":\"" + target + "\",\"flatten\":true}", "sessionId");
        call("Runtime.enable", "{}", "");
        call("Log.enable", "{}", "");
        call("Page.enable", "{}", "");
        call("Emulation.setDeviceMetricsOverride",
                "{\"width\":" + width + ",\"height\":" + height + ",\"deviceScaleFactor\":1,\"mobile\":false}", "");
        call("Page.navigate", "{\"url\":\"" + page.toUri() + "\"}", "");
        waitFor("document.URL !== 'about:blank' && document.readyState === 'complete'");
    }

    /// Evaluates an expression, and waits if it is a promise.
    public String evaluate(String expression) {
        return call("Runtime.evaluate",
                "{\"awaitPromise\":true,\"returnByValue\":true,\"expression\":"
                        + quoted("(async () => String(await (" + expression + ")))()") + "}",
                "value");
    }

    /// Waits until an expression is true.
    public void waitFor(String expression) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!evaluate(expression).equals("true")) {
            if (System.nanoTime() > end) {
                throw new AssertionError("Never true: " + expression + ", errors=" + errors);
            }
            Thread.sleep(20);
        }
    }

    /// Presses and releases a key, as `Enter` or `a`.
    public void press(String key) {
        String text = key.length() == 1 ? ",\"text\":\"" + key + "\"" : "";
        int code = switch (key) {
            case "Enter" -> 13;
            case "Escape" -> 27;
            case "Tab" -> 9;
            case "ArrowLeft" -> 37;
            case "ArrowRight" -> 39;
            case "ArrowDown" -> 40;
            default -> key.charAt(0);
        };
        String common = "\"key\":\"" + key + "\",\"windowsVirtualKeyCode\":" + code;
        call("Input.dispatchKeyEvent", "{\"type\":\"keyDown\"," + common + text + "}", "");
        call("Input.dispatchKeyEvent", "{\"type\":\"keyUp\"," + common + "}", "");
    }

    /// Clicks at a position.
    public void click(int x, int y) {
        String place = "\"x\":" + x + ",\"y\":" + y + ",\"button\":\"left\",\"clickCount\":1";
        call("Input.dispatchMouseEvent", "{\"type\":\"mousePressed\"," + place + "}", "");
        call("Input.dispatchMouseEvent", "{\"type\":\"mouseReleased\"," + place + "}", "");
    }

    /// The problems of the page: exceptions, errors on the console, and violations of its policy.
    public List<String> errors() {
        return errors;
    }

    @Override
    public void close() throws IOException {
        socket.abort();
        end(process, profile);
    }

    private static void end(Process process, Path profile) throws IOException {
        process.destroy();
        process.onExit().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        try (Stream<Path> files = Files.walk(profile)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (DirectoryNotEmptyException | UncheckedIOException e) {
            // A process of the browser may still be writing to the temporary directory.
        }
    }

    private static String address(Process process, Path profile) throws IOException, InterruptedException {
        Path file = profile.resolve("DevToolsActivePort");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (process.isAlive() && System.nanoTime() < end) {
            if (Files.exists(file)) {
                List<String> lines = Files.readAllLines(file);
                if (lines.size() == 2) {
                    return "ws://127.0.0.1:" + lines.getFirst() + lines.getLast();
                }
            }
            Thread.sleep(20);
        }
        throw new IOException("Browser does not listen: running=" + process.isAlive() + ", profile=" + profile);
    }

    /// Calls a method, and returns one field of the answer.
    private String call(String method, String parameters, String wanted) {
        int id = ++calls;
        String where = session.isEmpty() ? "" : ",\"sessionId\":\"" + session + "\"";
        socket.sendText("{\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + parameters + where + "}", true)
                .join();
        while (true) {
            String message = answers.next();
            String name = field(message, "method");
            if (name.equals("Runtime.exceptionThrown") || name.equals("Log.entryAdded")
                    || (name.equals("Runtime.consoleAPICalled") && field(message, "type").equals("error"))) {
                errors.add(message);
            }
            if (field(message, "id").equals(Integer.toString(id))) {
                if (message.contains("\"exceptionDetails\"") || message.contains("\"error\"")) {
                    throw new AssertionError(method + ": " + message);
                }
                return wanted.isEmpty() ? "" : field(message, wanted);
            }
        }
    }

    private static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c < ' ' || c == '"' || c == '\\') {
                json.append(String.format("\\u%04x", c));
            } else {
                json.append((char) c);
            }
        });
        return json.append('"').toString();
    }

    /// The first text, number or truth value with a name, at any depth, or "". Inside a text, a quotation mark follows
    /// a backslash, so that a name in a text does not match.
    private static String field(String json, String name) {
        Matcher field = Pattern.compile("\"" + name + "\":\\s*(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([-+.\\w]++))")
                .matcher(json);
        if (!field.find()) {
            return "";
        }
        return field.group(1) == null
                ? field.group(2)
                : ESCAPE.matcher(field.group(1))
                        .replaceAll(escape -> Matcher.quoteReplacement(unescaped(escape.group(1))));
    }

    private static String unescaped(String escape) {
        return switch (escape.charAt(0)) {
            case 'u' -> String.valueOf((char) Integer.parseInt(escape.substring(1), 16));
            case 'n' -> "\n";
            case 'r' -> "\r";
            case 't' -> "\t";
            case 'b' -> "\b";
            case 'f' -> "\f";
            default -> escape;
        };
    }

    /// Assembles messages from their parts.
    private static final class Answers implements WebSocket.Listener {
        private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
        private final StringBuilder parts = new StringBuilder();

        String next() {
            try {
                String message = messages.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
                if (message == null) {
                    throw new AssertionError("Browser does not answer");
                }
                return message;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
        }

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean isLast) {
            parts.append(part);
            if (isLast) {
                messages.add(parts.toString());
                parts.setLength(0);
            }
            from.request(1);
            return null;
        }
    }
}
