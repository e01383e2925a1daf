//! The ranking.

use memory_core::text::TermHasher;
use memory_core::text::bm25::{B, Collection, K1, MAX_QUERY_TERMS, Query, idf, match_counts};
use proptest::prelude::*;

fn rank(docs: &[&str], query: &str) -> Vec<usize> {
    let hasher = TermHasher::for_user("u");
    let query = Query::new(hasher.ids_in_order(query));
    let mut pass = Collection::new(&query);
    for (i, doc) in docs.iter().enumerate() {
        pass.add(&hasher.ids(doc), || i);
    }
    pass.top(10).into_iter().map(|(doc, _)| doc).collect()
}

#[test]
fn better_matches_come_first() {
    let docs = [
        "I have a cat and a dog",
        "My dog loves the beach",
        "오늘 날씨가 정말 좋아요",
        "내 생일은 3월 7일이야",
        "날씨 얘기는 그만하자 우리 날씨 말고 생일 얘기",
    ];
    assert_eq!(rank(&docs, "dog at the beach"), [1, 0]);
    assert_eq!(rank(&docs, "생일이 언제야?")[..], [3, 4]);
    assert_eq!(rank(&docs, "오늘 날씨 어때")[0], 2);
    assert!(rank(&docs, "the").is_empty());
    assert!(rank(&docs, "").is_empty());
    assert!(rank(&[], "dog").is_empty());
}

#[test]
fn idf_is_never_negative_and_falls() {
    for n in [0, 1, 2, 10, 10_000] {
        let mut before = f32::INFINITY;
        for df in 0..=n.min(100) {
            let value = idf(n, df);
            assert!(value >= 0.0 && value <= before, "{n} {df}");
            before = value;
        }
    }
    assert!((idf(10, 1) - (1.0f32 + 9.5 / 1.5).ln()).abs() < 1e-6);
}

#[test]
fn one_score_by_hand() {
    let query = Query::new([7]);
    let mut pass = Collection::new(&query);
    pass.add(&[1, 7, 7], || "a");
    pass.add(&[2, 3, 4, 5, 6], || "b");
    assert_eq!((pass.docs(), pass.hits()), (2, 1));
    let expected = idf(2, 1) * 2.0 * (K1 + 1.0) / (2.0 + K1 * (1.0 - B + B * 3.0 / 4.0));
    let scores = pass.scores();
    assert_eq!(scores[0].0, "a");
    assert!((scores[0].1 - expected).abs() < 1e-6);
}

#[test]
fn queries_are_capped_and_weighted() {
    let query = Query::new((0..1000).chain([3, 999]));
    assert_eq!(query.len(), MAX_QUERY_TERMS);
    assert!(query.ids().is_sorted());
    assert!(Query::new([]).is_empty());
}

#[test]
fn equal_scores_keep_their_order() {
    let query = Query::new([1]);
    let mut pass = Collection::new(&query);
    (0..100).for_each(|i| {
        pass.add(&[1, 2], || i);
    });
    let top: Vec<i32> = pass.top(5).into_iter().map(|(doc, _)| doc).collect();
    assert_eq!(top, [0, 1, 2, 3, 4]);
}

proptest! {
    #[test]
    fn counts_are_right(
        mut doc in prop::collection::vec(-50i32..50, 0..60),
        query in prop::collection::vec(-60i32..60, 0..20),
    ) {
        doc.sort_unstable();
        let query = Query::new(query);
        let mut tfs = vec![0; query.len()];
        let any = match_counts(&doc, &query, &mut tfs);
        for (id, tf) in query.ids().iter().zip(&tfs) {
            prop_assert_eq!(doc.iter().filter(|d| *d == id).count(), usize::from(*tf));
        }
        prop_assert_eq!(any, tfs.iter().any(|tf| *tf > 0));
    }
}

#[test]
fn a_group_scores_as_one_document() {
    let query = Query::new([1, 2]);
    let documents: [(usize, &[i32]); 4] = [(0, &[1, 3]), (0, &[3, 3, 4]), (1, &[2, 2]), (0, &[1, 5])];
    let mut parts = Collection::new(&query);
    let mut lengths = [0u64; 3];
    for (group, terms) in documents {
        lengths[group] += terms.len() as u64;
        parts.add(terms, || group);
    }
    let mut whole = Collection::new(&query);
    whole.add(&[1, 1, 3, 3, 3, 4, 5], || 0);
    whole.add(&[2, 2], || 1);
    whole.add(&[], || 2);
    let expected = whole.scores();
    let groups = parts.group_scores(|group| Some(*group), &lengths);
    assert_eq!(groups[..2], [expected[0].1, expected[1].1]);
    assert_eq!(groups[2], 0.0);
}
