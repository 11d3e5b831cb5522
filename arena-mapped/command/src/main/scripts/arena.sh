#!/bin/sh
# The arena command: this script finds a Java and runs the jar that follows its last line.
# After the first run, it makes a class cache in the background, with which later runs start faster.

# The release of Java for which the command is compiled.
NEEDED=25
# The directories in which Java is usually installed.
DIRECTORIES='
/usr/lib/jvm
/usr/lib64/jvm
/usr/java
/opt/java
/opt
/Library/Java/JavaVirtualMachines
~/.sdkman/candidates/java
~/.jdks
~/.asdf/installs/java
~/.local/share/mise/installs/java
~/Library/Java/JavaVirtualMachines
'

# Whether the directory $home contains a Java that is new enough, by its release file.
is_suitable() {
    [ -x "$home/bin/java" ] && [ -r "$home/release" ] || return 1
    while IFS= read -r line; do
        case $line in
        JAVA_VERSION=\"*)
            version=${line#*\"}
            version=${version%%[!0-9]*}
            [ "${version:-0}" -ge "$NEEDED" ]
            return
            ;;
        esac
    done <"$home/release"
    return 1
}

# Sets $home to the Java of JAVA_HOME, of PATH, or of a directory in which Java is usually installed.
find_java() {
    home=${JAVA_HOME:-}
    is_suitable && return
    home=$(command -v java) && home=$(readlink -f "$home") && home=${home%/bin/java} && is_suitable && return
    for parent in $DIRECTORIES; do
        case $parent in
        "~/"*) parent=${HOME:-}/${parent#??} ;;
        esac
        for home in "$parent"/*; do
            is_suitable && return
            home=$home/Contents/Home
            is_suitable && return
        done
    done
    return 1
}

# Sets $directory to the directory of the caches, and makes it if need be. The JVM trusts a cache. Therefore the
# directory and its parent must belong to this user, nobody else may write to them, and the directory must not be a link.
find_directory() {
    parent=${XDG_CACHE_HOME:-${HOME:-}/.cache}
    directory=$parent/arenakit
    case $parent in
    /.cache) return 1 ;;
    /*) ;;
    *) return 1 ;;
    esac
    [ -d "$parent" ] || mkdir -p "$parent" 2>/dev/null
    [ -d "$parent" ] && [ -O "$parent" ] || return 1
    case $(ls -ldL "$parent") in
    d????-??-*) ;;
    *) return 1 ;;
    esac
    [ -e "$directory" ] || mkdir -m 700 "$directory" 2>/dev/null
    [ -d "$directory" ] && [ ! -L "$directory" ] && [ -O "$directory" ] || return 1
    case $(ls -ld "$directory") in
    drwx------*) ;;
    *) return 1 ;;
    esac
}

# Removes earlier caches of this jar and Java, and those of jars and Javas that are gone.
remove_stale() {
    for jar in "$directory"/*.jar; do
        other=${jar%.jar}
        if [ "$other" = "$name" ]; then
            continue
        fi
        if [ ! -e "$jar" ] || [ ! -e "$other.java" ] \
            || { [ "$(readlink "$jar")" = "$self" ] && [ "$(readlink "$other.java")" = "$home/bin/java" ]; }; then
            rm -f "$jar" "$other.java" "$other.aot" "$other.failed"
        fi
    done
}

# Makes the cache under another name and renames it, after the command has ended. Does nothing if another process makes
# one, or if this has failed within the last day.
make_cache() {
    while kill -0 $$ 2>/dev/null; do
        sleep 1
    done
    find "$directory" -name 'ma[dk]*' -prune -mmin +10 -exec rm -rf {} +
    find "$directory" -name '*.failed' -mtime +0 -exec rm -f {} +
    for mark in "$directory"/making.*; do
        if [ -e "$mark" ] || [ -e "$name.failed" ] || [ -e "$name.aot" ]; then
            return
        fi
    done
    process=$(exec sh -c 'echo $PPID')
    made=$directory/made.$process
    : >"$directory/making.$process" && mkdir "$made" || return
    remove_stale
    # The links come first: a cache without them would never be removed.
    ln -sf "$self" "$name.jar" && ln -sf "$home/bin/java" "$name.java" \
        && "$home/bin/java" -XX:AOTCacheOutput="$made/aot" -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED \
            -cp "$self" dev.arenakit.tool.CacheTraining "$made"
    code=$?
    # After a power failure, the file may otherwise have its name without its contents.
    sync "$made/aot"
    if [ "$code" -eq 0 ] && mv "$made/aot" "$name.aot"; then
        :
    elif [ "$code" -lt 128 ]; then
        : >"$name.failed"
    fi
    rm -rf "$made" "$directory/making.$process"
}

# In the locale C, and in a locale that is not installed, Java reads arguments, and opens and prints names, with the
# characters of ASCII only.
charset=$(locale charmap 2>/dev/null)
case ${charset:-${LC_ALL:-${LC_CTYPE:-${LANG:-C}}}} in
ANSI_X3.4-1968 | US-ASCII | C | POSIX) export LC_ALL=C.UTF-8 ;;
esac
case ${PWD:-} in
/*) ;;
*)
    # Java would end with a message about its own start.
    echo "arena: the current directory does not exist any more: change to another one" >&2
    exit 1
    ;;
esac
if ! find_java; then
    echo "arena: Java $NEEDED or newer is needed: install one, for example Eclipse Temurin $NEEDED from" \
        "https://adoptium.net, in a usual directory, or set JAVA_HOME to it" >&2
    exit 1
fi
self=$(readlink -f "$0" 2>/dev/null)
if [ ! -r "$self" ]; then
    echo "arena: the path of $0 is not found: the program readlink must be in PATH" >&2
    exit 1
fi
case $self in
*:*)
    echo "arena: Java cannot run a file whose path contains a colon: $self" >&2
    exit 1
    ;;
esac
# Messages of the JVM would otherwise be part of the output.
set -- -Xlog:disable --enable-native-access=ALL-UNNAMED -jar "$self" "$@"
case "${JAVA_TOOL_OPTIONS:-} ${JDK_JAVA_OPTIONS:-} ${_JAVA_OPTIONS:-}" in
# Two collectors exclude each other, and the cache is made for one.
*-XX:+Use*GC*) exec "$home/bin/java" "$@" ;;
esac
set -- -XX:+UseSerialGC "$@"
if ! command -v cksum >/dev/null || ! find_directory; then
    exec "$home/bin/java" "$@"
fi
# The sizes and times of the files are part of the name, so that the JVM refuses no cache.
name=$directory/$(
    {
        printf '%s\n' "$self" "$home"
        LC_ALL=C ls -lnL "$self" "$home/bin/java" "$home/release"
    } | cksum | tr ' ' -
)
if [ -e "$name.aot" ]; then
    case $name in
    *[!A-Za-z0-9_/.@+\ -]*) ;;
    # The JVM does not check the contents of the cache. If it crashes, the next run makes another one.
    *) set -- -XX:OnError="rm -f '$name.aot'" "$@" ;;
    esac
    exec "$home/bin/java" -XX:AOTCache="$name.aot" "$@"
fi
(
    # Whoever reads the output of the command, or waits for a lock, does not wait for the cache.
    exec </dev/null >/dev/null 2>&1 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
    trap '' HUP INT
    cd /
    make_cache
) &
exec "$home/bin/java" "$@"
