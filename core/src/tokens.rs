//! Token counts without a tokenizer.
