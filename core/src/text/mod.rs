//! Words of a text, for keyword search.
