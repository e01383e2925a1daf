//! Facts about the user in free text, Korean and English, by rules alone.
//!
//! | file | concept |
//! |---|---|
//! | `types` | categories, classes, owners, facts |
//! | `subjects`, `subjects.tsv` | what facts can be about |
//! | `words`, `relations`, `data/` | word sets, people, endings, sentence patterns: data, not code |
//! | `value`, `number`, `date`, `measure` | one normal form for every value |
//! | `normal`, `sentence`, `blocks` | the message made readable |
//! | `korean`, `english` | clauses and patterns of each language |
//! | `label` | `주제: 내용` |
//! | `correction`, `together` | bare corrections; promises, agreements, shared experiences |
//! | `extract` | the ways in |
//!
//! A fact about somebody else has the key `<who> <subject>` (`동생 직업`), the category
//! RELATIONSHIP and that person as owner; it never touches the user's own key.

pub mod blocks;
mod correction;
pub mod date;
mod emit;
mod english;
mod extract;
mod hash;
mod korean;
mod label;
pub mod measure;
mod normal;
pub mod number;
mod relations;
mod sentence;
mod subjects;
mod together;
mod types;
pub mod value;
mod words;

pub use blocks::strip_memory_blocks;
pub use correction::may_correct;
pub use emit::owned_key;
pub use extract::{classify, extract, extract_with_context, key_extract, key_label, key_owner};
pub use label::ACTION_KEY;
pub use subjects::{Kind, Subject, Subjects};
pub use types::{Cardinality, Category, Class, Classified, Fact, Op, Owner, Speaker};
