//! Settings `memory_ext.*`. An agent's config may override those that `AgentConfig` names.

use std::ffi::{CStr, CString};
use std::ops::RangeInclusive;

use memory_core::language::Language;
use memory_core::tokens::Tokenizer;
use pgrx::guc::{GucContext, GucEnum, GucFlags, GucRegistry, GucSetting, PostgresGucEnum};
use pgrx::pg_sys::panic::ErrorReport;

use crate::error::{self, Result};

static USER_ID: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(Some(c""));
static RECENT_MESSAGES: GucSetting<i32> = GucSetting::<i32>::new(10);
static CONTEXT_TOKENS: GucSetting<i32> = GucSetting::<i32>::new(1500);
static SESSION_TIMEOUT: GucSetting<i32> = GucSetting::<i32>::new(30);
static SUMMARY_THRESHOLD: GucSetting<i32> = GucSetting::<i32>::new(20);
static AUTO_SUMMARY: GucSetting<bool> = GucSetting::<bool>::new(true);
static LANGUAGE: GucSetting<LanguageSetting> = GucSetting::<LanguageSetting>::new(LanguageSetting::auto);
static TOKENIZER: GucSetting<TokenizerSetting> = GucSetting::<TokenizerSetting>::new(TokenizerSetting::any);
static EMBEDDING_PROVIDER: GucSetting<EmbeddingProvider> =
    GucSetting::<EmbeddingProvider>::new(EmbeddingProvider::builtin);
static EMBEDDING_MODEL: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(Some(c"application"));
static EMBED_MESSAGES: GucSetting<bool> = GucSetting::<bool>::new(false);
static LEARN_FACTS: GucSetting<bool> = GucSetting::<bool>::new(true);
static DEFAULT_PLAN: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(Some(c"premium"));
static EXACT_LIMIT: GucSetting<i32> = GucSetting::<i32>::new(20_000);
static DECAY_TURNS: GucSetting<i32> = GucSetting::<i32>::new(5);
static CONSOLIDATE_TURNS: GucSetting<i32> = GucSetting::<i32>::new(10);
static PRUNE_TURNS: GucSetting<i32> = GucSetting::<i32>::new(25);
static MAINTENANCE_INTERVAL: GucSetting<i32> = GucSetting::<i32>::new(0);
static MAX_MEMORIES: GucSetting<i32> = GucSetting::<i32>::new(100);
static PRUNE_KEEP: GucSetting<i32> = GucSetting::<i32>::new(30 * 24 * 60);
static MASTER_KEY_FILE: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(Some(c""));
static MASTER_KEY_ENV: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(Some(c""));
static OLD_MASTER_KEY_FILE: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(Some(c""));
static OLD_MASTER_KEY_ENV: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(Some(c""));

#[allow(non_camel_case_types)]
#[derive(Clone, Copy, PostgresGucEnum)]
pub enum LanguageSetting {
    auto,
    ko,
    en,
}

#[allow(non_camel_case_types)]
#[derive(Clone, Copy, PostgresGucEnum)]
pub enum TokenizerSetting {
    any,
    o200k,
    cl100k,
}

#[allow(non_camel_case_types)]
#[derive(Clone, Copy, PostgresGucEnum)]
pub enum EmbeddingProvider {
    builtin,
    none,
}

pub fn init() {
    text(
        c"memory_ext.user_id",
        c"The user whose rows this connection sees; empty: nobody's.",
        &USER_ID,
    );
    number(
        c"memory_ext.recent_messages",
        c"How many of a session's last messages a context holds.",
        &RECENT_MESSAGES,
        1..=10_000,
    );
    number(
        c"memory_ext.context_tokens",
        c"The token budget of build_context_json; 0: only the number of messages or turns counts.",
        &CONTEXT_TOKENS,
        0..=10_000_000,
    );
    minutes(
        c"memory_ext.session_timeout",
        c"A session that is idle for longer is ended by the sweep.",
        &SESSION_TIMEOUT,
        1..=525_600,
    );
    number(
        c"memory_ext.summary_threshold",
        c"A session is summarised again after this many messages.",
        &SUMMARY_THRESHOLD,
        1..=100_000,
    );
    switch(
        c"memory_ext.auto_summary",
        c"Whether sessions are summarised without being asked.",
        &AUTO_SUMMARY,
    );
    choice(
        c"memory_ext.language",
        c"The language of headings and instructions in a context; auto: that of the conversation.",
        &LANGUAGE,
    );
    choice(
        c"memory_ext.tokenizer",
        c"Whose token counts the estimates follow; any: never below either of the others.",
        &TOKENIZER,
    );
    choice(
        c"memory_ext.embedding_provider",
        c"Where vectors come from when the application passes none.",
        &EMBEDDING_PROVIDER,
    );
    text(
        c"memory_ext.embedding_model",
        c"The name of the model that made the vectors which the application passes.",
        &EMBEDDING_MODEL,
    );
    switch(
        c"memory_ext.embed_messages",
        c"Whether messages get a vector too, beside their words.",
        &EMBED_MESSAGES,
    );
    switch(
        c"memory_ext.learn_facts",
        c"Whether memory_add_turn learns the facts that a turn states.",
        &LEARN_FACTS,
    );
    text(
        c"memory_ext.default_plan",
        c"The plan of users who have none of their own.",
        &DEFAULT_PLAN,
    );
    number(
        c"memory_ext.exact_limit",
        c"Users with more entries than this are searched through indexes.",
        &EXACT_LIMIT,
        0..=i32::MAX,
    );
    number(
        c"memory_ext.decay_turns",
        c"Memories fade every so many turns; 0: never.",
        &DECAY_TURNS,
        0..=100_000,
    );
    number(
        c"memory_ext.consolidate_turns",
        c"Memories are consolidated and promoted every so many turns; 0: never.",
        &CONSOLIDATE_TURNS,
        0..=100_000,
    );
    number(
        c"memory_ext.prune_turns",
        c"Memories are pruned every so many turns; 0: never.",
        &PRUNE_TURNS,
        0..=100_000,
    );
    minutes(
        c"memory_ext.maintenance_interval",
        c"Every duty is also due when this much time has passed; 0: only turns count.",
        &MAINTENANCE_INTERVAL,
        0..=525_600,
    );
    number(
        c"memory_ext.max_memories",
        c"Pruning leaves this many memories of a user in a space.",
        &MAX_MEMORIES,
        0..=i32::MAX,
    );
    minutes(
        c"memory_ext.prune_keep",
        c"How long a pruned memory can be restored before it is deleted.",
        &PRUNE_KEEP,
        0..=i32::MAX,
    );
    superuser_text(
        c"memory_ext.master_key_file",
        c"The file with the master key; when it is set, what is stored is encrypted.",
        &MASTER_KEY_FILE,
    );
    superuser_text(
        c"memory_ext.master_key_env",
        c"The environment variable of the server with the master key.",
        &MASTER_KEY_ENV,
    );
    superuser_text(
        c"memory_ext.old_master_key_file",
        c"The file with the former master key, until memory_rotate_master_key is done.",
        &OLD_MASTER_KEY_FILE,
    );
    superuser_text(
        c"memory_ext.old_master_key_env",
        c"The environment variable with the former master key, until memory_rotate_master_key is done.",
        &OLD_MASTER_KEY_ENV,
    );
    // SAFETY: a constant C string; a misspelt memory_ext.* setting is then an error.
    unsafe { pgrx::pg_sys::MarkGUCPrefixReserved(c"memory_ext".as_ptr()) };
}

type Name = &'static CStr;

fn text(name: Name, description: Name, setting: &'static GucSetting<Option<CString>>) {
    GucRegistry::define_string_guc(
        name,
        description,
        c"",
        setting,
        GucContext::Userset,
        GucFlags::default(),
    );
}

/// A setting that only superusers set and see.
fn superuser_text(name: Name, description: Name, setting: &'static GucSetting<Option<CString>>) {
    let flags = GucFlags::SUPERUSER_ONLY;
    GucRegistry::define_string_guc(name, description, c"", setting, GucContext::Suset, flags);
}

fn switch(name: Name, description: Name, setting: &'static GucSetting<bool>) {
    GucRegistry::define_bool_guc(
        name,
        description,
        c"",
        setting,
        GucContext::Userset,
        GucFlags::default(),
    );
}

fn choice<T: GucEnum>(name: Name, description: Name, setting: &'static GucSetting<T>) {
    GucRegistry::define_enum_guc(
        name,
        description,
        c"",
        setting,
        GucContext::Userset,
        GucFlags::default(),
    );
}

fn number(name: Name, description: Name, setting: &'static GucSetting<i32>, range: RangeInclusive<i32>) {
    let (least, most) = range.into_inner();
    let flags = GucFlags::default();
    GucRegistry::define_int_guc(name, description, c"", setting, least, most, GucContext::Userset, flags);
}

fn minutes(name: Name, description: Name, setting: &'static GucSetting<i32>, range: RangeInclusive<i32>) {
    let (least, most) = range.into_inner();
    let flags = GucFlags::UNIT_MIN;
    GucRegistry::define_int_guc(name, description, c"", setting, least, most, GucContext::Userset, flags);
}

/// The settings in force for one agent.
pub struct Settings {
    pub recent_messages: i64,
    pub recent_turns: Option<i64>,
    pub context_tokens: i64,
    pub language: Option<Language>,
    pub tokenizer: Tokenizer,
    pub summary_threshold: i64,
    pub auto_summary: bool,
}

/// What an agent may set for itself. A key that is not here is refused.
#[derive(Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentConfig {
    pub recent_messages: Option<u16>,
    pub recent_turns: Option<u16>,
    pub context_tokens: Option<u32>,
    pub language: Option<String>,
    /// Minutes; read by the sweep's own statement.
    pub session_timeout: Option<u32>,
    pub summary_threshold: Option<u32>,
    pub auto_summary: Option<bool>,
}

/// The error for an agent's config that cannot be read.
pub fn not_valid(cause: serde_json::Error) -> ErrorReport {
    error::invalid(
        format!("the agent's config is not valid: {cause}"),
        "See \"Agents\" in the reference for the keys and their types.",
    )
}

impl AgentConfig {
    pub fn parse(config: &serde_json::Value) -> Result<AgentConfig> {
        let parsed: AgentConfig = serde::Deserialize::deserialize(config).map_err(not_valid)?;
        let positive = [
            ("recent_messages", parsed.recent_messages.map(u32::from)),
            ("recent_turns", parsed.recent_turns.map(u32::from)),
            ("session_timeout", parsed.session_timeout),
            ("summary_threshold", parsed.summary_threshold),
        ];
        for (key, value) in positive {
            if value == Some(0) {
                return Err(error::invalid(
                    format!("the agent's config is not valid: {key} is 0"),
                    "Leave the key out to follow the server's setting.",
                ));
            }
        }
        if let Some(name) = &parsed.language {
            language(name)?;
        }
        Ok(parsed)
    }
}

impl Settings {
    pub fn for_agent(config: Option<&serde_json::Value>) -> Result<Settings> {
        let agent = config.map(AgentConfig::parse).transpose()?.unwrap_or_default();
        Ok(Settings {
            recent_messages: agent.recent_messages.map_or(RECENT_MESSAGES.get().into(), i64::from),
            recent_turns: agent.recent_turns.map(i64::from),
            context_tokens: agent.context_tokens.map_or(CONTEXT_TOKENS.get().into(), i64::from),
            language: match agent.language {
                Some(name) => language(&name)?,
                None => default_language(),
            },
            tokenizer: default_tokenizer(),
            summary_threshold: agent
                .summary_threshold
                .map_or(SUMMARY_THRESHOLD.get().into(), i64::from),
            auto_summary: agent.auto_summary.unwrap_or(AUTO_SUMMARY.get()),
        })
    }
}

pub fn session_timeout_minutes() -> i32 {
    SESSION_TIMEOUT.get()
}

pub fn embedding_provider() -> EmbeddingProvider {
    EMBEDDING_PROVIDER.get()
}

pub fn application_model() -> String {
    string(&EMBEDDING_MODEL)
}

pub fn embed_messages() -> bool {
    EMBED_MESSAGES.get()
}

pub fn learn_facts() -> bool {
    LEARN_FACTS.get()
}

pub fn default_plan() -> String {
    string(&DEFAULT_PLAN)
}

pub fn exact_limit() -> i64 {
    EXACT_LIMIT.get().into()
}

/// Turns after which each duty is due; `None`: never.
pub struct Cadence {
    pub decay: Option<i64>,
    pub consolidate: Option<i64>,
    pub prune: Option<i64>,
    /// Minutes after which every duty is due.
    pub minutes: Option<i32>,
}

pub fn cadence() -> Cadence {
    let turns = |setting: &'static GucSetting<i32>| Some(setting.get().into()).filter(|turns| *turns > 0);
    Cadence {
        decay: turns(&DECAY_TURNS),
        consolidate: turns(&CONSOLIDATE_TURNS),
        prune: turns(&PRUNE_TURNS),
        minutes: Some(MAINTENANCE_INTERVAL.get()).filter(|minutes| *minutes > 0),
    }
}

pub fn max_memories() -> i64 {
    MAX_MEMORIES.get().into()
}

pub fn prune_keep_minutes() -> i32 {
    PRUNE_KEEP.get()
}

/// Where a master key comes from, by which setting.
#[derive(Clone, PartialEq, Eq)]
pub struct KeySource {
    pub setting: &'static str,
    pub place: KeyPlace,
}

#[derive(Clone, PartialEq, Eq)]
pub enum KeyPlace {
    File(String),
    Variable(String),
}

type KeySetting = (&'static str, &'static GucSetting<Option<CString>>);

fn key_sources((file, path): KeySetting, (variable, name): KeySetting) -> Vec<KeySource> {
    let source = |setting, value: String, place: fn(String) -> KeyPlace| {
        let place = (!value.is_empty()).then(|| place(value));
        place.map(|place| KeySource { setting, place })
    };
    let file = source(file, string(path), KeyPlace::File);
    let variable = source(variable, string(name), KeyPlace::Variable);
    file.into_iter().chain(variable).collect()
}

/// The master key in force, by the file or the variable.
pub fn master_key() -> Vec<KeySource> {
    key_sources(
        ("memory_ext.master_key_file", &MASTER_KEY_FILE),
        ("memory_ext.master_key_env", &MASTER_KEY_ENV),
    )
}

/// The former master key.
pub fn old_master_key() -> Vec<KeySource> {
    key_sources(
        ("memory_ext.old_master_key_file", &OLD_MASTER_KEY_FILE),
        ("memory_ext.old_master_key_env", &OLD_MASTER_KEY_ENV),
    )
}

fn string(setting: &'static GucSetting<Option<CString>>) -> String {
    setting
        .get()
        .map_or_else(String::new, |value| value.to_string_lossy().into_owned())
}

pub fn default_tokenizer() -> Tokenizer {
    match TOKENIZER.get() {
        TokenizerSetting::any => Tokenizer::Any,
        TokenizerSetting::o200k => Tokenizer::O200k,
        TokenizerSetting::cl100k => Tokenizer::Cl100k,
    }
}

fn default_language() -> Option<Language> {
    match LANGUAGE.get() {
        LanguageSetting::auto => None,
        LanguageSetting::ko => Some(Language::Ko),
        LanguageSetting::en => Some(Language::En),
    }
}

/// A language by name; `auto` is `None`.
pub fn language(name: &str) -> Result<Option<Language>> {
    if name.eq_ignore_ascii_case("auto") {
        return Ok(None);
    }
    name.parse().map(Some).map_err(|()| {
        error::invalid(
            format!("\"{}\" is not a language that memory_ext writes", error::shown(name)),
            "Use ko, en or auto.",
        )
    })
}
