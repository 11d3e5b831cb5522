package dev.arenakit.tool.structs;

import dev.arenakit.dump.StructVisitor;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.RefType;
import java.io.IOException;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/// Visits all values of structs as objects.
public abstract class ValueVisitor implements StructVisitor {
    /// Visits a value.
    ///
    /// @param value a [Boolean], a [Character], a [String], or a number: a [Long], a [BigInteger], a [Float] or a
    ///              [Double]; null if the struct ends before the value
    protected abstract void value(@Nullable Object value) throws IOException;

    @Override
    public final void integer(long value) throws IOException {
        value(value);
    }

    @Override
    public final void unsigned(long value) throws IOException {
        value(value >= 0 ? (Object) value : new BigInteger(Long.toUnsignedString(value)));
    }

    @Override
    public final void floating(double value) throws IOException {
        value(value);
    }

    @Override
    public final void floating(float value) throws IOException {
        value(value);
    }

    @Override
    public final void character(char value) throws IOException {
        value(value);
    }

    @Override
    public final void bool(boolean value, int stored) throws IOException {
        value(value);
    }

    @Override
    public final void constant(EnumType type, String name, long value) throws IOException {
        if (!name.isEmpty()) {
            value(name);
        } else if (type.isUnsigned()) {
            unsigned(value);
        } else {
            integer(value);
        }
    }

    @Override
    public final void address(long address) throws IOException {
        value("0x" + Long.toHexString(address));
    }

    @Override
    public final void reference(RefType type, long stored, String target) throws IOException {
        value(target);
    }

    @Override
    public final void text(Text text) throws IOException {
        value(text.string());
    }

    @Override
    public final void cutOff() throws IOException {
        value(null);
    }
}
