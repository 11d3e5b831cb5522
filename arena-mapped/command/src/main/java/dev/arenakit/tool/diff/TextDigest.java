package dev.arenakit.tool.diff;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

import static java.nio.charset.StandardCharsets.UTF_8;

/// A digest of a text. It is infeasible to find two texts with the same digest.
record TextDigest(long high, long low) {
    static TextDigest of(String text) {
        return new Maker().digest(text);
    }

    /// Makes digests. A maker can be used for many texts, which is faster than a new maker for each text.
    static final class Maker {
        private final MessageDigest sha;

        Maker() {
            try {
                sha = MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new AssertionError("Every Java has it", e);
            }
        }

        TextDigest digest(String text) {
            return digest(text.getBytes(UTF_8));
        }

        TextDigest digest(byte[] text) {
            ByteBuffer hash = ByteBuffer.wrap(sha.digest(text));
            return new TextDigest(hash.getLong(), hash.getLong());
        }
    }
}
