package dev.arenakit.tool.diff;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

import static java.nio.charset.StandardCharsets.UTF_8;

/// A digest of a text. It is infeasible to find two texts with the same digest.
record TextDigest(long high, long low) {
    static TextDigest of(String text) {
        try {
            ByteBuffer hash = ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
            return new TextDigest(hash.getLong(), hash.getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java has it", e);
        }
    }
}
