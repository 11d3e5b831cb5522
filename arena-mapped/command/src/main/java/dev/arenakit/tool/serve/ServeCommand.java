package dev.arenakit.tool.serve;

import dev.arenakit.tool.console.CommandFrame;
import dev.arenakit.tool.console.ExitCodes;
import dev.arenakit.tool.image.ImageDirectory;
import dev.arenakit.tool.image.ImageFileSet;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
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
                        + " while a process writes them. Structs whose bytes are all zero are no rows. Of two images"
                        + " with the same name, the first one is served.",
                "There is no password and no encryption: each user and each program of this machine can read the"
                        + " tables."},
        footer = {"", "Examples:",
                "  arena serve /var/prices",
                "  arena serve --port 0 /var /tmp/trades    the images of a directory, too",
                "  curl http://127.0.0.1:8421/              lists the tables",
                "  curl 'http://127.0.0.1:8421/tables/prices/trades?rows=100..199'",
                "  curl 'http://127.0.0.1:8421/tables/prices/trades?columns=index,price'"})
public final class ServeCommand implements Callable<Integer> {
    @Option(names = "--bind", paramLabel = "ADDRESS",
            description = "the address of this machine that clients use; the default is 127.0.0.1, which only this"
                    + " machine reaches")
    private String bind = "127.0.0.1";

    @Option(names = "--port", paramLabel = "N", description = "the port, or 0 for any free one; the default is 8421")
    private int port = 8421;

    @Parameters(paramLabel = "DIR|BASE", arity = "1..*",
            description = "bases of images, or directories with images, also with later ones")
    private List<Path> targets = List.of();

    @Mixin
    @SuppressWarnings("NullAway.Init") // Injected.
    private CommandFrame frame;

    @Override
    public Integer call() throws IOException {
        if (port < 0 || port > 65_535) {
            throw frame.invalidValue("--port", port, "is not a number from 0 to 65535");
        }
        for (Path target : targets) {
            int exitCode = frame.run(target, () -> {
                if (!Files.isDirectory(target)) {
                    ImageFileSet.openImage(target).close();
                }
                return ExitCodes.OK;
            });
            if (exitCode != ExitCodes.OK) {
                return exitCode;
            }
        }
        return frame.run(bind + ":" + port, this::serve);
    }

    /// Finds the bases of all images, by their last names. If two images have the same name, the first one has it.
    ///
    /// @param targets bases of images, and directories, each for the images that it has now
    static Map<String, Path> images(List<Path> targets) throws IOException {
        Map<String, Path> images = new LinkedHashMap<>();
        for (Path target : targets) {
            List<Path> bases = Files.isDirectory(target)
                    ? ImageDirectory.of(target)
                            .images()
                            .stream()
                            .filter(ImageFileSet::hasCatalog)
                            .map(ImageFileSet::base)
                            .toList()
                    : List.of(ImageFileSet.baseOf(target));
            bases.forEach(base -> images.putIfAbsent(String.valueOf(base.getFileName()), base));
        }
        return images;
    }

    private int serve() throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(bind), port);
        try (ServeHandler server = new ServeHandler(frame.streams(), targets, ServeHandler.STALL, address)) {
            if (!address.getAddress().isLoopbackAddress()) {
                frame.report(bind + ": everybody who reaches this address can read the tables, and the network can"
                        + " read what is sent: there is no password and no encryption");
            }
            String host = server.address().getAddress().getHostAddress();
            frame.print("http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + server.address().getPort()
                    + "/\n");
            frame.streams().out().flush();
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
