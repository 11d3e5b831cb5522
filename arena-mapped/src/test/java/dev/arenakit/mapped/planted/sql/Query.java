package dev.arenakit.mapped.planted.sql;

/// A class of a module that is built after this one.
public final class Query {
    private Query() {}
}
