package dev.arenakit.dump;

import java.util.Arrays;

/// A simple implementation of `hexdump -C`.
final class ReferenceDump {
    private ReferenceDump() {}

    static String of(byte[] bytes, long skip, long length, boolean everyLine) {
        if (length == 0) {
            return "";
        }
        int start = (int) Math.min(skip, bytes.length);
        int end = (int) (length < bytes.length - start ? start + length : bytes.length);
        StringBuilder text = new StringBuilder();
        byte[] previous = {};
        boolean squeezing = false;
        for (int at = start; at < end; at += 16) {
            byte[] block = Arrays.copyOfRange(bytes, at, Math.min(at + 16, end));
            if (!everyLine && Arrays.equals(block, previous)) {
                text.append(squeezing ? "" : "*\n");
                squeezing = true;
            } else {
                text.append(line(at, block));
                squeezing = false;
            }
            previous = block;
        }
        return end == 0 ? "" : text.append(String.format("%08x\n", end)).toString();
    }

    private static String line(long offset, byte[] block) {
        StringBuilder hex = new StringBuilder();
        StringBuilder ascii = new StringBuilder();
        for (int i = 0; i < 16; i++) {
            hex.append(i < block.length ? String.format("%02x ", block[i]) : "   ").append(i == 7 ? " " : "");
        }
        for (byte value : block) {
            ascii.append(value >= ' ' && value <= '~' ? (char) value : '.');
        }
        return String.format("%08x  %s |%s|\n", offset, hex, ascii);
    }
}
