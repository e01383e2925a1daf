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
//! | `contact` | addresses and numbers |
//! | `correction`, `together` | bare corrections; promises, agreements, shared experiences |
//! | `extract` | the ways in |
//!
//! ```
//! use memory_core::fact::{Speaker, Subjects, extract, key_extract};
//!
//! let subjects = Subjects::builtin();
//! assert_eq!(key_extract("3월 15일에 태어남", subjects).as_deref(), Some("생일"));
//!
//! let facts = extract("난 김민수고 스무 살이야", None, subjects, Speaker::User);
//! assert_eq!((facts[0].key.as_str(), facts[0].value.as_str()), ("이름", "김민수"));
//! assert_eq!((facts[1].key.as_str(), facts[1].value.as_str()), ("나이", "20"));
//! ```
//!
//! A fact about somebody else has the key `<who> <subject>` (`동생 직업`), the category
//! RELATIONSHIP and that person as owner; it never touches the user's own key.

pub mod blocks;
mod contact;
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
pub(crate) use sentence::sentences as split_sentences;
pub use subjects::{Kind, Subject, Subjects};
pub use types::{Cardinality, Category, Class, Classified, Fact, Op, Owner, Speaker};
