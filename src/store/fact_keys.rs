//! memory.fact_keys, kept ready for look-ups in every backend.

use std::cell::RefCell;
use std::rc::Rc;

use memory_core::fact::{Cardinality, Category, Class, Kind, Subject, Subjects};

use super::db::Db;
use crate::error::{self, Result};

thread_local! {
    static SUBJECTS: RefCell<Option<Rc<Subjects>>> = const { RefCell::new(None) };
}

/// The table as it is now. It is read again when a statement changed it, here or in another backend.
pub fn subjects(db: &Db) -> Result<Rc<Subjects>> {
    if let Some(subjects) = SUBJECTS.with_borrow(Clone::clone) {
        return Ok(subjects);
    }
    let rows = db
        .rows(
            "SELECT key, category, class, cardinality, kind, label_ko, label_en, synonyms_ko, synonyms_en, frame
             FROM memory.fact_keys ORDER BY rank, key",
            &[],
        )?
        .map(|row| {
            let key: String = row.want(1)?;
            let unknown = |what: &str| {
                error::invalid(
                    format!("memory.fact_keys has an unknown {what} for key \"{key}\""),
                    "See \"Fact keys\" in the reference for the names that can be used.",
                )
            };
            Ok(Subject {
                category: Category::from_name(&row.want::<String>(2)?).ok_or_else(|| unknown("category"))?,
                class: Class::from_name(&row.want::<String>(3)?).ok_or_else(|| unknown("class"))?,
                cardinality: Cardinality::from_name(&row.want::<String>(4)?).ok_or_else(|| unknown("cardinality"))?,
                kind: Kind::from_name(&row.want::<String>(5)?).ok_or_else(|| unknown("kind"))?,
                label_ko: row.want(6)?,
                label_en: row.want(7)?,
                synonyms_ko: row.want(8)?,
                synonyms_en: row.want(9)?,
                frame: row.want(10)?,
                key,
            })
        })
        .collect::<Result<Vec<Subject>>>()?;
    let subjects = Rc::new(Subjects::from_rows(rows));
    SUBJECTS.set(Some(subjects.clone()));
    Ok(subjects)
}

/// Forgets what was read, so that the next look-up reads the table.
pub fn forget() {
    SUBJECTS.set(None);
}
