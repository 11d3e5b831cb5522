package dev.arenakit.tool.where;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// The value of the option `--where`.
public final class WhereOption implements ITypeConverter<Where> {
    @Override
    public Where convert(String text) {
        try {
            return Where.parse(text);
        } catch (WhereException e) {
            throw new TypeConversionException(e.problem());
        }
    }
}
