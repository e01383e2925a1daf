//! Facts in free text.
