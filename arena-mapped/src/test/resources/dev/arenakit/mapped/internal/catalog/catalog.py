"""Lists the allocations of a catalog as the documentation of CatalogFormat describes it."""

import struct
import sys

MASK = (1 << 64) - 1


def mix(h, w):
    x = ((h ^ w) + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & MASK
    return x ^ x >> 31


def check(number, content, offset):
    y = ((content ^ (number * 0x9E3779B97F4A7C15 & MASK)) * 0xBF58476D1CE4E5B9 + offset) & MASK
    return ((y ^ y >> 32) * 0x94D049BB133111EB & MASK) >> 48


class Catalog:
    def __init__(self, data):
        self.data = data
        self.seals = {}
        self.counts = {}
        self.files = {}
        assert data[:8] == b"\x89ARENA\r\n" and self.int32(8) in (1, 2, 3)

    def int32(self, at):
        return struct.unpack_from("<i", self.data, at)[0]

    def int64(self, at):
        return struct.unpack_from("<Q", self.data, at)[0]

    def text(self, line):
        """The text that begins in a line, and its checksum; None if it is not valid."""
        if line == 0:
            return "", 0
        at = line * 64
        size = self.int32(at + 12)
        if self.int32(at) != line or self.data[at + 8] != 4 or not 0 <= size <= 1 << 20:
            return None
        text = self.data[at + 24:at + 24 + size]
        h = mix(0, size)
        for i in range(0, size, 8):
            h = mix(h, int.from_bytes(text[i:i + 8], "little"))
        return (text.decode(), h) if h == self.int64(at + 16) else None

    def is_valid(self, at, line, name, kind):
        h = line
        for field in (8, 16, 24, 32, 40, 48):
            changes = {2: (16,), 7: (16,), 8: (16,), 9: (16, 24, 32)}.get(self.data[at + 8], ())
            h = mix(h, 0 if field in changes else self.int64(at + field))
        return mix(mix(h, name), kind) == self.int64(at + 56)

    def run(self, at, lines):
        """The allocations of a run."""
        position = self.int64(at + 16)
        base = self.int32(at + 48)
        for slot_at in range(at + 64, at + lines * 64, 8):
            slot = self.int64(slot_at)
            if slot == 0:
                return
            alignment = 1 << (slot >> 41 & 31)
            position = (position + base + alignment - 1) // alignment * alignment - base
            state = slot >> 46 & 3
            if slot >> 48 != check(slot_at // 8, slot & (1 << 46) - 1, position) ^ (state * 0x5A5A & 0xFFFF):
                return
            size = slot & (1 << 41) - 1
            yield (slot_at // 8, self.int32(at + 12), position, size, alignment, state == 1, "", "",
                   self.int64(at + 32), self.int64(at + 40))
            position += size

    def value(self, at):
        """A value with a check; None if it is not valid."""
        value = self.int64(at) & (1 << 48) - 1
        return value if self.int64(at) >> 48 == check(at // 8, value, 0) else None

    def allocations(self):
        at = 128
        end = self.int64(64) & (1 << 48) - 1
        while at < end:
            line = at // 64
            kind = self.data[at + 8]
            lines = 1
            if kind == 4:
                lines = (24 + self.int32(at + 12) + 63) // 64
                self.seal(line)
            elif kind == 6:
                lines = struct.unpack_from("<H", self.data, at + 10)[0]
                if self.int32(at) == line and self.is_valid(at, line, 0, 0):
                    yield from self.run(at, lines)
            elif kind == 2 and self.int32(at) == line and self.is_valid(at, line, 0, 0):
                self.file(at)
            elif kind == 1 and self.int32(at) == line:
                name, type_text = self.text(self.int32(at + 48)), self.text(self.int32(at + 52))
                if name and type_text and self.is_valid(at, line, name[1], type_text[1]):
                    yield (line * 8, self.int32(at + 12), self.int64(at + 16), self.int64(at + 24), 1 << self.data[at + 9],
                           self.int32(at + 4) not in (2, -1), name[0], type_text[0], self.int64(at + 32), self.int64(at + 40))
            elif kind == 9 and self.int32(at) == line and self.is_valid(at, line, 0, 0):
                self.counts[line + 1] = self.value(at + 16), self.value(at + 24)
            elif kind in (7, 8) and self.int32(at) == line:
                name, type_text = self.text(self.int32(at + 48)), self.text(self.int32(at + 52))
                size = self.value(at + 16)
                if name and type_text and size is not None and self.is_valid(at, line, name[1], type_text[1]):
                    yield (line * 8, self.int32(at + 12), 0, size, 1 << self.data[at + 9], self.int32(at + 4) not in (2, -1), name[0],
                           type_text[0], self.int64(at + 32), self.int64(at + 40))
            at += lines * 64

    def file(self, at):
        """Reads a data file, unless the check of its size is wrong."""
        size = self.int64(at + 16) & (1 << 48) - 1
        if self.int64(at + 16) == 0:
            size = self.int64(at + 24)
        elif self.int64(at + 16) >> 48 != check((at + 16) // 8, size, 0):
            return
        self.files[self.int32(at + 12)] = (size, {2: "removed", 3: "planned"}.get(self.int32(at + 4), "there"))

    def seal(self, last):
        """Reads the seal whose last text begins in a line."""
        text = self.text(last)
        line, runs = last, []
        while text and text[0][:6] in ("\x01seal ", "\x01part ") and (text[0][:6] == "\x01seal ") == (line == last):
            number, size, time, previous, sums = text[0][6:].split(" ", 4)
            runs = sums.split() + runs
            if previous == "0":
                self.seals[int(number)] = (int(size), int(time), runs)
                return
            line = int(previous)
            text = self.text(line)


with open(sys.argv[1], "rb") as file:
    catalog = Catalog(file.read())
    for allocation in catalog.allocations():
        print(*(repr(value) if isinstance(value, str) else int(value) for value in allocation), sep="|")
    for line, (count, forced) in catalog.counts.items():
        print("count", line * 8, count, forced, sep="|")
    for number, (size, state) in catalog.files.items():
        print("file", number, size, state, sep="|")
    for number, (size, time, runs) in catalog.seals.items():
        print("seal", number, size, time, sum(len(run.split(":")[1]) // 8 for run in runs), runs[0].split(":")[0], sep="|")
