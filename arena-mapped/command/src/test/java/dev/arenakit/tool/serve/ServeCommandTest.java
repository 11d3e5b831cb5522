package dev.arenakit.tool.serve;

import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.TestImage;
import dev.arenakit.tool.ToolRun;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class ServeCommandTest extends InSharedMemory {

    /// Runs the command, reads the list of its tables, and interrupts the command.
    private static ToolRun run(String... args) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        AtomicReference<ToolRun> run = new AtomicReference<>();
        Thread thread = Thread.startVirtualThread(() -> run.set(ToolRun.into(out, args)));
        while (thread.isAlive() && !out.toString(UTF_8).contains("\n")) {
            Thread.sleep(5);
        }
        // The JDK connects to 0.0.0.0 and to :: by the name of the machine, which not every machine can look up.
        String url = out.toString(UTF_8).strip().replaceFirst("0\\.0\\.0\\.0|\\[0(:0){7}]", "127.0.0.1");
        try (InputStream list = URI.create(url).toURL().openStream()) {
            assertThat(new String(list.readAllBytes(), UTF_8)).contains("\"table\":\"trades\"");
        }
        thread.interrupt();
        thread.join();
        return run.get();
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1,127\\.0\\.0\\.1", "::1,\\[0:0:0:0:0:0:0:1\\]", "localhost,127\\.0\\.0\\.1"})
    void serve_onLoopback_printsTheUrlInItsFirstLine(String address, String host) throws Exception {
        TestImage.closed(base);
        assertThat(run("serve", "--bind", address, "--port", "0", base.toString()).succeeds().out())
                .matches("http://" + host + ":\\d+/\n");
    }

    @Test
    void serve_onAllAddresses_warnsThatTheNetworkCanRead() throws Exception {
        TestImage.closed(base);
        ToolRun run = run("serve", "--bind", "0.0.0.0", "--port", "0", directory.toString());
        assertThat(run.err()).contains("arena: 0.0.0.0: everybody who reaches this address can read the tables");
    }

    @Test
    void serve_onAUsedPort_namesTheOption() throws Exception {
        TestImage.closed(base);
        try (ServerSocket used = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(
                    ToolRun.of("serve", "--port", String.valueOf(used.getLocalPort()), base.toString()).exits(1).err())
                    .contains("127.0.0.1:" + used.getLocalPort() + ": ",
                            "choose another port with --port");
        }
    }

    @Test
    void serve_onAnAddressOfAnotherMachine_namesTheOption() throws Exception {
        TestImage.closed(base);
        assertThat(ToolRun.of("serve", "--bind", "192.0.2.1", "--port", "0", base.toString()).exits(1).err())
                .contains("192.0.2.1:0: ", "address of this machine with --bind");
    }

    @Test
    void serve_ofAnImageThatDoesNotExist_suggestsAnother() {
        TestImage.closed(base);
        assertThat(ToolRun.of("serve", directory.resolve("memroy").toString()).exits(1).err())
                .contains("no such image (did you mean memory?)");
    }

    @Test
    void serve_ofAWrongPort_saysWhy() {
        assertThat(ToolRun.of("serve", "--port", "65536", base.toString()).exits(2).err())
                .contains("Invalid value for option '--port': '65536' is not a number from 0 to 65535");
    }
}
