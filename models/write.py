"""The file, as core/src/embed/file.rs describes it."""

import struct

import numpy as np

MASK = (1 << 64) - 1


def fnv(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & MASK
    value = (value ^ value >> 32) * 0x9E3779B97F4A7C15 & MASK
    return value ^ value >> 29


def slots(pieces):
    size = 1 << (len(pieces) * 3 // 2).bit_length()
    table = np.zeros((size, 2), "<u4")
    for i, piece in enumerate(pieces):
        value = fnv(piece)
        at = value & size - 1
        while table[at, 1]:
            at = at + 1 & size - 1
        table[at] = value >> 32, i + 1
    return table


def quantised(table):
    scales = np.maximum(np.abs(table).max(1), 1e-9).astype(np.float32) / np.float32(127)
    return np.rint(table / scales[:, None]).astype(np.int8), scales.astype("<f4")


def write(path, name, pieces, scores, table, other_scale):
    raw = [p.encode() for p in pieces]
    rows, scales = quantised(table)
    index = slots(raw)
    offsets = np.cumsum([0] + [len(p) for p in raw]).astype("<u4")
    longest = max(map(len, pieces))
    head = struct.pack("<8s6If4x32s", b"MEMEMBED", 1, table.shape[1], len(raw), len(index), int(offsets[-1]), longest,
                       other_scale, name.encode())
    with open(path, "wb") as file:
        for part in (head, np.asarray(scores, "<i2").tobytes(), scales.tobytes(), offsets.tobytes(), index.tobytes(),
                     b"".join(raw), rows.tobytes()):
            file.write(part + bytes(-len(part) % 8))
