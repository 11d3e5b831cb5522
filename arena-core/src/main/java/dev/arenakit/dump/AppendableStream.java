package dev.arenakit.dump;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// A stream of text in UTF-8 into an appendable. Each write has whole characters.
final class AppendableStream extends OutputStream {
    private final Appendable text;

    AppendableStream(Appendable text) {
        this.text = text;
    }

    @Override
    public void write(int ascii) throws IOException {
        text.append((char) (ascii & 0x7f));
    }

    @Override
    public void write(byte[] utf8, int from, int count) throws IOException {
        text.append(new String(utf8, from, count, StandardCharsets.UTF_8));
    }
}
