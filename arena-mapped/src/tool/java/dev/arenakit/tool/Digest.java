package dev.arenakit.tool;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

import static java.nio.charset.StandardCharsets.UTF_8;

/// What stands for a text of any length: no two texts with the same one can be found.
record Digest(long high, long low) {
    private static final ThreadLocal<MessageDigest> SHA = ThreadLocal.withInitial(Digest::sha);

    static Digest of(String text) {
        ByteBuffer hash = ByteBuffer.wrap(SHA.get().digest(text.getBytes(UTF_8)));
        return new Digest(hash.getLong(), hash.getLong());
    }

    private static MessageDigest sha() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java has it", e);
        }
    }
}
