//! From a dictionary form (`살다`) to the surfaces that endings attach to.
//!
//! Generating the forms of the few hundred verbs that can state a fact, once, is simpler and faster
//! than analysing every verb of the language for each message.

use super::jamo::{self, BIEUP, DIGEUT, MIEUM, NIEUN, RIEUL, SIOT, SSANG_SIOT};

/// What an ending attaches to. The letters are the ones used in `endings_ko.tsv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// `살`: the bare stem, before consonants.
    Base,
    /// `사` of `살다`: the stem without its ㄹ, before endings that start with ㄴ.
    Dropped,
    /// `사`, `먹으`: before endings that take 으.
    Eu,
    /// `살아`, `해`.
    Infinitive,
    /// `살았`, `했`.
    Past,
    /// `산`, `먹은`: fused ㄴ.
    N,
    /// `삽`, `먹습`: before 니다.
    B,
    /// `살`, `먹을`: fused ㄹ.
    L,
    /// `삶`, `먹음`: noun form.
    M,
}

impl Form {
    /// The form with this letter in the data file.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        Some(match letter {
            'S' => Self::Base,
            'U' => Self::Eu,
            'A' => Self::Infinitive,
            'P' => Self::Past,
            'N' => Self::N,
            'B' => Self::B,
            'L' => Self::L,
            'M' => Self::M,
            _ => return None,
        })
    }
}

/// Every (surface, form) of a verb given without 다. `irregular` marks ㅂ, ㄷ and ㅅ verbs, which
/// cannot be told from regular ones by their spelling (`무섭다` against `입다`).
#[must_use]
pub fn forms(stem: &str, irregular: bool) -> Vec<(String, Form)> {
    let mut out = vec![(stem.to_owned(), Form::Base)];
    let Some(end) = stem.chars().next_back() else {
        return out;
    };
    let Some((_, _, last)) = jamo::split(end) else {
        return out;
    };
    let open = eu_stem(stem, last, irregular);
    if last == RIEUL {
        out.push((open.clone(), Form::Dropped));
    }
    out.push((open.clone(), Form::Eu));
    for (fused, form) in [(NIEUN, Form::N), (RIEUL, Form::L), (MIEUM, Form::M)] {
        // A stem that keeps its ㄹ writes ㅁ as ㄻ (삶) and the future with its own ㄹ.
        let surface = match (last == RIEUL, form) {
            (true, Form::M) => jamo::with_final(stem, 10),
            (true, Form::L) => Some(stem.to_owned()),
            _ => jamo::with_final(&open, fused),
        };
        out.extend(surface.map(|s| (s, form)));
    }
    let polite = if last == 0 || last == RIEUL {
        jamo::with_final(&open, BIEUP)
    } else {
        Some(format!("{stem}습"))
    };
    out.extend(polite.map(|s| (s, Form::B)));
    for inf in infinitives(stem, &open, last, irregular) {
        if let Some(past) = jamo::with_final(&inf, SSANG_SIOT) {
            out.push((past, Form::Past));
        }
        out.push((inf, Form::Infinitive));
    }
    out
}

/// The stem as it stands before 으-endings, the 으 included.
fn eu_stem(stem: &str, last: u32, irregular: bool) -> String {
    let replaced = |l| jamo::with_final(stem, l).unwrap_or_else(|| stem.to_owned());
    match last {
        0 => stem.to_owned(),
        RIEUL => replaced(0),
        BIEUP if irregular => format!("{}우", replaced(0)),
        DIGEUT if irregular => format!("{}으", replaced(RIEUL)),
        SIOT if irregular => format!("{}으", replaced(0)),
        _ => format!("{stem}으"),
    }
}

/// The -아/어 forms, long and contracted (`하여`/`해`, `되어`/`돼`, `키우어`/`키워`).
fn infinitives(stem: &str, open: &str, last: u32, irregular: bool) -> Vec<String> {
    let Some(end) = stem.chars().next_back() else {
        return Vec::new();
    };
    let head = &stem[..stem.len() - end.len_utf8()];
    let Some((initial, vowel, _)) = jamo::split(end) else {
        return Vec::new();
    };
    let fused = |v: u32| jamo::join(initial, v, 0).map(|c| format!("{head}{c}"));
    let bright = matches!(vowel, 0 | 2 | 8);
    if end == '하' {
        return [Some(format!("{head}해")), Some(format!("{head}하여"))]
            .into_iter()
            .flatten()
            .collect();
    }
    if last == BIEUP && irregular {
        return jamo::with_final(stem, 0)
            .map(|s| format!("{s}워"))
            .into_iter()
            .collect();
    }
    if last != 0 {
        let base = if irregular { open.trim_end_matches('으') } else { stem };
        return vec![format!("{base}{}", if bright { '아' } else { '어' })];
    }
    match vowel {
        // 가 -> 가, 서 -> 서, 보내 -> 보내: the vowel swallows the ending.
        0 | 4 | 1 | 5 | 6 => vec![stem.to_owned()],
        8 => [fused(9), Some(format!("{stem}아"))].into_iter().flatten().collect(),
        13 => [fused(14), Some(format!("{stem}어"))].into_iter().flatten().collect(),
        20 => [fused(6), Some(format!("{stem}어"))].into_iter().flatten().collect(),
        11 => [fused(10), Some(format!("{stem}어"))].into_iter().flatten().collect(),
        18 if end == '르' => reu(head).into_iter().collect(),
        18 => {
            let before = head.chars().next_back().and_then(jamo::split);
            let v = if before.is_some_and(|(_, v, _)| matches!(v, 0 | 8)) {
                0
            } else {
                4
            };
            fused(v).into_iter().collect()
        }
        _ => vec![format!("{stem}어")],
    }
}

/// 부르 -> 불러, 고르 -> 골라.
fn reu(head: &str) -> Option<String> {
    let (_, vowel, _) = head.chars().next_back().and_then(jamo::split)?;
    let doubled = jamo::with_final(head, RIEUL)?;
    Some(format!("{doubled}{}", if matches!(vowel, 0 | 8) { '라' } else { '러' }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(stem: &str, irregular: bool, surface: &str, form: Form) {
        let all = forms(stem, irregular);
        assert!(
            all.contains(&(surface.to_owned(), form)),
            "{stem}: {surface} {form:?} not in {all:?}"
        );
    }

    #[test]
    fn common_verbs_conjugate() {
        has("살", false, "산", Form::N);
        has("살", false, "삽", Form::B);
        has("살", false, "살아", Form::Infinitive);
        has("살", false, "살았", Form::Past);
        has("좋아하", false, "좋아해", Form::Infinitive);
        has("좋아하", false, "좋아합", Form::B);
        has("키우", false, "키워", Form::Infinitive);
        has("키우", false, "키움", Form::M);
        has("무섭", true, "무서워", Form::Infinitive);
        has("무섭", true, "무서운", Form::N);
        has("부르", false, "불러", Form::Infinitive);
        has("태어나", false, "태어났", Form::Past);
        has("태어나", false, "태어남", Form::M);
        has("다니", false, "다녀", Form::Infinitive);
        has("끊", false, "끊었", Form::Past);
        has("먹", false, "먹습", Form::B);
        has("되", false, "돼", Form::Infinitive);
        has("걷", true, "걸어", Form::Infinitive);
        has("쓰", false, "써", Form::Infinitive);
        has("낫", true, "나았", Form::Past);
    }
}
