//! The columns whose texts are sealed.

/// A column by its name in the schema memory. The name is part of what a sealed text vouches for: it never changes.
#[derive(Clone, Copy)]
pub enum Column {
    MessageContent,
    SummaryContent,
    MemoryContent,
    MemoryInterpretation,
    HistoryBefore,
    FactValue,
    FactRaw,
    RelationshipNote,
    RelationshipReason,
    ScenePlace,
    SceneTime,
    SceneParticipants,
    SceneTone,
}

impl Column {
    pub fn name(self) -> &'static str {
        match self {
            Column::MessageContent => "stored_messages.content",
            Column::SummaryContent => "stored_summaries.content",
            Column::MemoryContent => "stored_memories.content",
            Column::MemoryInterpretation => "stored_memories.interpretation",
            Column::HistoryBefore => "stored_history.before",
            Column::FactValue => "stored_facts.value",
            Column::FactRaw => "stored_facts.raw",
            Column::RelationshipNote => "stored_relationships.director_note",
            Column::RelationshipReason => "stored_relationship_changes.reason",
            Column::ScenePlace => "stored_scenes.place",
            Column::SceneTime => "stored_scenes.scene_time",
            Column::SceneParticipants => "stored_scenes.participants",
            Column::SceneTone => "stored_scenes.tone",
        }
    }
}
