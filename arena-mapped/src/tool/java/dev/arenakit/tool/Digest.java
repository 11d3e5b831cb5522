package dev.arenakit.tool;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

import static java.nio.charset.StandardCharsets.UTF_8;

/// What stands for a text of any length: no two texts with the same one can be found.
record Digest(long high, long low) {
    static Digest of(String text) {
        try {
            ByteBuffer hash = ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
            return new Digest(hash.getLong(), hash.getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java has it", e);
        }
    }
}
