package dev.arenakit.internal.layout.header;

import dev.arenakit.internal.layout.header.HeaderReader.Token;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StoredInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Evaluates constant expressions of integers: enum constants, lengths of arrays, sizes of bit fields and alignments.
final class HeaderExpression {
    /// The binary operators, from the weakest to the strongest binding.
    private static final List<Set<String>> OPERATORS = List.of(Set.of("||"), Set.of("&&"), Set.of("|"), Set.of("^"),
            Set.of("&"), Set.of("==", "!="), Set.of("<", ">", "<=", ">="), Set.of("<<", ">>"), Set.of("+", "-"),
            Set.of("*", "/", "%"));

    private final HeaderReader reader;
    private final HeaderParser types;
    /// The constants of all enums by name.
    final Map<String, Value> constants = new LinkedHashMap<>();

    /// A value of C. If its type is an unsigned integer of 64 bits, it is a bit pattern.
    ///
    /// @param bitSize the size of the type, 32 or 64
    record Value(long number, int bitSize, boolean unsigned) {
        Value {
            number = bitSize > Integer.SIZE ? number : unsigned ? number & 0xFFFF_FFFFL : (int) number;
        }

        /// The value in the first type that has it: `int`, `unsigned`, `long`.
        Value narrowed() {
            boolean huge = unsigned && number < 0;
            boolean small = number == (int) number && !huge;
            return new Value(number, small || number >>> Integer.SIZE == 0 ? Integer.SIZE : Long.SIZE, !small
                    && (huge || number >>> Integer.SIZE == 0));
        }
    }

    HeaderExpression(HeaderReader reader, HeaderParser types) {
        this.reader = reader;
        this.types = types;
    }

    /// Evaluates a length, a size or an alignment.
    long size() {
        long value = evaluate().number;
        if (value < 0) {
            throw new IllegalArgumentException("size is negative or too large");
        }
        return value;
    }

    /// Evaluates an expression, which ends before a comma or a closing bracket.
    Value evaluate() {
        reader.enter();
        return reader.leave(binary(0));
    }

    /// Evaluates operators that bind at least as strongly as a level of [#OPERATORS].
    private Value binary(int level) {
        if (level == OPERATORS.size()) {
            return unary();
        }
        Value left = binary(level + 1);
        while (reader.peek().isIn(OPERATORS.get(level))) {
            left = apply(reader.take().text(), left, binary(level + 1));
        }
        return left;
    }

    private static Value apply(String operator, Value left, Value right) {
        boolean shift = operator.equals("<<") || operator.equals(">>");
        int bits = shift ? left.bitSize : Math.max(left.bitSize, right.bitSize);
        boolean unsigned = (left.unsigned && left.bitSize == bits)
                || (right.unsigned && right.bitSize == bits && !shift);
        long a = new Value(left.number, bits, unsigned).number;
        long b = shift ? right.number : new Value(right.number, bits, unsigned).number;
        if ((shift && (b < 0 || b >= bits)) || (b == 0 && (operator.equals("/") || operator.equals("%")))) {
            throw new IllegalArgumentException(shift ? "shift by " + b + " of " + bits + " bits" : "division by zero");
        }
        int order = unsigned ? Long.compareUnsigned(a, b) : Long.compare(a, b);
        return switch (operator) {
            case "||" -> of(a != 0 || b != 0);
            case "&&" -> of(a != 0 && b != 0);
            case "==" -> of(a == b);
            case "!=" -> of(a != b);
            case "<" -> of(order < 0);
            case ">" -> of(order > 0);
            case "<=" -> of(order <= 0);
            case ">=" -> of(order >= 0);
            default -> new Value(switch (operator) {
                case "+" -> a + b;
                case "-" -> a - b;
                case "*" -> a * b;
                case "/" -> unsigned ? Long.divideUnsigned(a, b) : a / b;
                case "%" -> unsigned ? Long.remainderUnsigned(a, b) : a % b;
                case "<<" -> a << b;
                case ">>" -> unsigned ? a >>> b : a >> b;
                case "&" -> a & b;
                case "^" -> a ^ b;
                default -> a | b;
            }, bits, unsigned);
        };
    }

    private static Value of(boolean value) {
        return new Value(value ? 1 : 0, Integer.SIZE, false);
    }

    private Value unary() {
        reader.enter();
        Token at = reader.take();
        Value value = switch (at.text()) {
            case "+", "__extension__" -> unary();
            case "-" -> apply("-", of(false), unary());
            case "~" -> apply("-", apply("-", of(false), unary()), of(true));
            case "!" -> of(unary().number == 0);
            case "(" -> types.isType() ? cast() : closed(evaluate());
            case "sizeof" -> new Value(typeInParentheses().byteSize(), Long.SIZE, true);
            case "_Alignof", "__alignof__", "alignof" ->
                new Value(typeInParentheses().byteAlignment(), Long.SIZE, true);
            default -> at.text().matches("[0-9].*") ? literal(at.text()) : constant(at.text());
        };
        return reader.leave(value);
    }

    private <T> T closed(T value) {
        reader.take(")");
        return value;
    }

    private MemoryType typeInParentheses() {
        reader.take("(");
        return closed(types.typeName().memory());
    }

    private Value cast() {
        StoredInteger integer = closed(types.typeName().memory()).integer()
                .orElseThrow(() -> new IllegalArgumentException("cast to a type that is no integer"));
        int bits = integer.bitSize();
        int unused = Long.SIZE - bits;
        long stored = unary().number << unused;
        // A smaller integer becomes an int.
        return new Value(integer.isSigned() ? stored >> unused : stored >>> unused, Math.max(bits, Integer.SIZE),
                !integer.isSigned() && bits >= Integer.SIZE);
    }

    private Value constant(String text) {
        Value constant = text.length() == 3 && text.startsWith("'")
                ? new Value(text.charAt(1), Integer.SIZE, false)
                : constants.get(text);
        if (constant == null) {
            throw new IllegalArgumentException("expected a constant, found " + text);
        }
        return constant;
    }

    private static Value literal(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        String digits = lower.replaceFirst("[ul]{1,3}$", "");
        String suffix = lower.substring(digits.length());
        int radix = digits.startsWith("0x") ? 16 : digits.startsWith("0b") ? 2 : digits.startsWith("0") ? 8 : 10;
        long number;
        try {
            number = Long.parseUnsignedLong(digits.substring(radix == 16 || radix == 2 ? 2 : 0), radix);
        } catch (NumberFormatException _) {
            throw new IllegalArgumentException("expected an integer of 64 bits, found " + text);
        }
        boolean unsigned = suffix.contains("u");
        boolean small = number == (int) number && number >= 0;
        boolean fits = small || (number >>> Integer.SIZE == 0 && (unsigned || radix != 10));
        return fits && !suffix.contains("l")
                ? new Value(number, Integer.SIZE, unsigned || !small)
                : new Value(number, Long.SIZE, unsigned || number < 0);
    }
}
