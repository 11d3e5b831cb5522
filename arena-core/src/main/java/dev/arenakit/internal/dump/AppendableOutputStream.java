package dev.arenakit.internal.dump;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// An output stream that decodes UTF-8 and appends the text to an [Appendable]. Each write must consist of whole
/// characters.
public final class AppendableOutputStream extends OutputStream {
    private final Appendable text;

    public AppendableOutputStream(Appendable text) {
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
