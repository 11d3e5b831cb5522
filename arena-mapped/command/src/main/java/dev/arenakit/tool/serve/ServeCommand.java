package dev.arenakit.tool.serve;

import dev.arenakit.tool.console.CommandFrame;
import dev.arenakit.tool.console.ExitCodes;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.ImageDirectory;
import dev.arenakit.tool.image.ImageFileSet;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `arena serve`.
@Command(name = "serve", sortOptions = false,
        description = {"Serves the tables of images over HTTP, in the stream format of Apache Arrow, until Ctrl-C.",
                "The first line of the output is the URL of a list of all tables, in JSON. Each allocation with a type"
                        + " is a table; its path in the list returns the rows. Images are read at each request, also"
                        + " while a process writes them. Structs whose bytes are all zero are no rows.",
                "There is no password and no encryption: each user and each program of this machine can read the"
                        + " tables."},
        footer = {"", "Examples:",
                "  arena serve /var/prices",
                "  arena serve --port 0 /var /tmp/trades    the images of a directory, too",
                "  curl http://127.0.0.1:8421/              lists the tables",
                "  curl 'http://127.0.0.1:8421/tables/prices/trades?rows=100..199'",
                "  curl 'http://127.0.0.1:8421/tables/prices/trades?columns=index,price'"})
public final class ServeCommand implements Callable<Integer> {
    private static final int TRANSFERS = 16;
    private static final Duration TRANSFER_WAIT = Duration.ofSeconds(5);

    private final Streams streams;

    @Option(names = "--bind", paramLabel = "ADDRESS",
            description = "the address of this machine that clients use; the default is 127.0.0.1, which only this"
                    + " machine reaches")
    private String bind = "127.0.0.1";

    @Option(names = "--port", paramLabel = "N", description = "the port, or 0 for any free one; the default is 8421")
    private int port = 8421;

    @Option(names = "--timeout", paramLabel = "S",
            description = "drop a client that does not accept the next rows, at most some MiB, in S seconds; the default is 60")
    private int timeout = 60;

    @Parameters(paramLabel = "DIR|BASE", arity = "1..*",
            description = "bases of images, or directories with images, also with later ones")
    private List<Path> targets = List.of();

    @Mixin
    private final CommandFrame frame;

    public ServeCommand(Streams streams) {
        frame = new CommandFrame(streams);
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException {
        if (timeout < 1) {
            throw frame.invalidValue("--timeout", timeout, "is not a number of seconds from 1");
        }
        InetSocketAddress address;
        try {
            address = new InetSocketAddress(InetAddress.getByName(bind), port);
        } catch (UnknownHostException e) {
            throw frame.invalidValue("--bind", bind, "is no address");
        } catch (IllegalArgumentException e) {
            throw frame.invalidValue("--port", port, "is not a number from 0 to 65535");
        }
        Map<String, Path> names = new HashMap<>();
        for (Path target : targets) {
            int exitCode = frame.run(target, () -> check(target, names));
            if (exitCode != ExitCodes.OK) {
                return exitCode;
            }
        }
        return frame.run(bind + ":" + port, () -> serve(address));
    }

    /// Opens an image once, so that a mistake in the command line is reported.
    ///
    /// @param names the images of the targets so far, by their names
    private static int check(Path target, Map<String, Path> names) throws IOException {
        for (Path base : bases(target)) {
            Path same = names.putIfAbsent(name(base), base);
            if (same != null && !same.equals(base)) {
                throw new IOException("another image has the same name: " + same);
            }
        }
        if (!Files.isDirectory(target)) {
            ImageFileSet.openImage(target).close();
        }
        return ExitCodes.OK;
    }

    /// Finds the bases of all images, by their last names. If two images have the same name, the first one has it.
    ///
    /// @param targets bases of images, and directories, each for the images that it has now
    static Map<String, Path> images(List<Path> targets) throws IOException {
        Map<String, Path> images = new LinkedHashMap<>();
        for (Path target : targets) {
            bases(target).forEach(base -> images.putIfAbsent(name(base), base));
        }
        return images;
    }

    private static List<Path> bases(Path target) throws IOException {
        return Files.isDirectory(target)
                ? ImageDirectory.of(target)
                        .images()
                        .stream()
                        .filter(ImageFileSet::hasCatalog)
                        .map(ImageFileSet::base)
                        .toList()
                : List.of(ImageFileSet.baseOf(target));
    }

    private static String name(Path base) {
        return String.valueOf(base.getFileName());
    }

    private int serve(InetSocketAddress address) throws IOException {
        ServeHandler.Limits limits = new ServeHandler.Limits(TRANSFERS, TRANSFER_WAIT,
                Duration.ofSeconds(timeout));
        try (ServeHandler server = new ServeHandler(streams, () -> images(targets), limits, address)) {
            if (!address.getAddress().isLoopbackAddress()) {
                streams.report(bind + ": everybody who reaches this address can read the tables, and the network can"
                        + " read what is sent: there is no password and no encryption");
            }
            String host = server.address().getAddress().getHostAddress();
            streams.print("http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + server.address().getPort()
                    + "/\n");
            streams.out().flush();
            // Ctrl-C ends the process.
            Thread.currentThread().join();
            return ExitCodes.OK;
        } catch (BindException e) {
            throw new IOException(e.getMessage() + ": choose another port with --port, or 0 for any free one, or an"
                    + " address of this machine with --bind", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCodes.OK;
        }
    }
}
