//! Settings `memory_ext.*`. An agent's config may override those that `AgentConfig` names.

mod provider;

use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::ops::RangeInclusive;

use memory_core::language::Language;
use memory_core::llm::prompt::Purpose;
use memory_core::tokens::Tokenizer;
use pgrx::guc::{GucContext, GucEnum, GucFlags, GucRegistry, GucSetting, PostgresGucEnum};
use pgrx::pg_sys::panic::ErrorReport;

use crate::error::{self, Result};

pub use provider::{
    KeySource, Provider, embed_dimensions, embed_max_chars, embed_query_pause, embed_query_timeout, embed_timeout,
    embedder, llm, llm_language, llm_max_tokens, llm_timeout,
};

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
static WORKERS: GucSetting<bool> = GucSetting::<bool>::new(true);
static DATABASES: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(Some(c""));
static WORKER_NAPTIME: GucSetting<i32> = GucSetting::<i32>::new(10);
static SWEEP_INTERVAL: GucSetting<i32> = GucSetting::<i32>::new(60);
static CHECKPOINT_INTERVAL: GucSetting<i32> = GucSetting::<i32>::new(5);
static PURGE_INTERVAL: GucSetting<i32> = GucSetting::<i32>::new(60);
static REEMBED: GucSetting<bool> = GucSetting::<bool>::new(true);
static BATCH_SIZE: GucSetting<i32> = GucSetting::<i32>::new(100);
static REVIEW_MESSAGES: GucSetting<i32> = GucSetting::<i32>::new(10);
static EXTRACT_TURNS: GucSetting<i32> = GucSetting::<i32>::new(5);
static ANALYZE_TURNS: GucSetting<i32> = GucSetting::<i32>::new(5);
static REFLECT_TURNS: GucSetting<i32> = GucSetting::<i32>::new(50);
static LLM_CONCURRENCY: GucSetting<i32> = GucSetting::<i32>::new(8);
static JOB_LEASE: GucSetting<i32> = GucSetting::<i32>::new(120);
static JOB_KEEP: GucSetting<i32> = GucSetting::<i32>::new(24 * 60);
static FAILED_JOB_KEEP: GucSetting<i32> = GucSetting::<i32>::new(30 * 24 * 60);
static LLM_DAILY_CALLS: GucSetting<i32> = GucSetting::<i32>::new(0);
static LLM_DAILY_TOKENS: GucSetting<i32> = GucSetting::<i32>::new(0);
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
    http,
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
    provider::init();
    worker_settings();
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

/// What the workers follow: a superuser's to change, by a reload or for a database.
fn worker_settings() {
    let none = GucFlags::default;
    GucRegistry::define_bool_guc(
        c"memory_ext.workers",
        c"Whether background workers run.",
        c"",
        &WORKERS,
        GucContext::Suset,
        none(),
    );
    GucRegistry::define_string_guc(
        c"memory_ext.databases",
        c"The databases that get a worker, with commas between them; empty: all that have the extension.",
        c"",
        &DATABASES,
        GucContext::Sighup,
        none(),
    );
    GucRegistry::define_bool_guc(
        c"memory_ext.reembed",
        c"Whether the worker moves vectors of another model to the present one.",
        c"",
        &REEMBED,
        GucContext::Suset,
        none(),
    );
    type Number = (Name, Name, &'static GucSetting<i32>, RangeInclusive<i32>, GucFlags);
    let numbers: [Number; 15] = [
        (
            c"memory_ext.worker_naptime",
            c"How long a worker sleeps when nobody wakes it.",
            &WORKER_NAPTIME,
            1..=3600,
            GucFlags::UNIT_S,
        ),
        (
            c"memory_ext.sweep_interval",
            c"How often idle sessions are ended; 0: never.",
            &SWEEP_INTERVAL,
            0..=86_400,
            GucFlags::UNIT_S,
        ),
        (
            c"memory_ext.checkpoint_interval",
            c"How often an open session is looked after; 0: never.",
            &CHECKPOINT_INTERVAL,
            0..=1440,
            GucFlags::UNIT_MIN,
        ),
        (
            c"memory_ext.purge_interval",
            c"How often what was kept long enough is deleted; 0: never.",
            &PURGE_INTERVAL,
            0..=10_080,
            GucFlags::UNIT_MIN,
        ),
        (
            c"memory_ext.batch_size",
            c"How many jobs, sessions or rows a worker takes at once.",
            &BATCH_SIZE,
            1..=10_000,
            none(),
        ),
        (
            c"memory_ext.review_messages",
            c"After every so many messages of a session a worker looks what they make due; 0: never.",
            &REVIEW_MESSAGES,
            0..=100_000,
            none(),
        ),
        (
            c"memory_ext.extract_turns",
            c"The LLM looks for facts every so many turns of a session; 0: never.",
            &EXTRACT_TURNS,
            0..=100_000,
            none(),
        ),
        (
            c"memory_ext.analyze_turns",
            c"The LLM analyses the relationship every so many turns of a session; 0: never.",
            &ANALYZE_TURNS,
            0..=100_000,
            none(),
        ),
        (
            c"memory_ext.reflect_turns",
            c"The user's profile is made every so many turns; 0: never.",
            &REFLECT_TURNS,
            0..=100_000,
            none(),
        ),
        (
            c"memory_ext.llm_concurrency",
            c"How many questions to the LLM are on their way at once.",
            &LLM_CONCURRENCY,
            1..=256,
            none(),
        ),
        (
            c"memory_ext.job_lease",
            c"How long a job belongs to the process that works on it.",
            &JOB_LEASE,
            5..=86_400,
            GucFlags::UNIT_S,
        ),
        (
            c"memory_ext.job_keep",
            c"How long done jobs are kept.",
            &JOB_KEEP,
            0..=i32::MAX,
            GucFlags::UNIT_MIN,
        ),
        (
            c"memory_ext.failed_job_keep",
            c"How long failed jobs are kept.",
            &FAILED_JOB_KEEP,
            0..=i32::MAX,
            GucFlags::UNIT_MIN,
        ),
        (
            c"memory_ext.llm_daily_calls",
            c"How often the LLM is asked for a user on one day (UTC); 0: as often as needed.",
            &LLM_DAILY_CALLS,
            0..=i32::MAX,
            none(),
        ),
        (
            c"memory_ext.llm_daily_tokens",
            c"How many tokens of the LLM a user has on one day (UTC); 0: as many as needed.",
            &LLM_DAILY_TOKENS,
            0..=i32::MAX,
            none(),
        ),
    ];
    for (name, description, setting, range, flags) in numbers {
        let (least, most) = range.into_inner();
        GucRegistry::define_int_guc(name, description, c"", setting, least, most, GucContext::Suset, flags);
    }
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
    /// Instructions in place of the built-in ones, by their purpose.
    pub prompts: HashMap<String, String>,
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
    /// Instructions to the LLM in place of the built-in ones: summary, facts, interpretation, profile, relationship.
    pub prompts: Option<HashMap<String, String>>,
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
        for purpose in parsed.prompts.iter().flatten().map(|(purpose, _)| purpose) {
            if !Purpose::ALL.iter().any(|known| known.as_str() == purpose) {
                return Err(error::invalid(
                    format!(
                        "\"{}\" is not something that the LLM is asked for",
                        error::shown(purpose)
                    ),
                    "Use summary, facts, interpretation, profile and relationship.",
                ));
            }
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
            prompts: agent.prompts.unwrap_or_default(),
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

pub fn workers() -> bool {
    WORKERS.get()
}

/// The databases that get a worker; empty: all that have the extension.
pub fn databases() -> Vec<String> {
    let named = string(&DATABASES);
    let names = named.split(',').map(|name| name.trim().trim_matches('"').to_string());
    names.filter(|name| !name.is_empty()).collect()
}

pub fn worker_naptime() -> u64 {
    WORKER_NAPTIME.get() as u64
}

/// Seconds; 0: never.
pub fn sweep_interval() -> u64 {
    SWEEP_INTERVAL.get() as u64
}

/// Minutes; 0: never.
pub fn checkpoint_interval() -> i32 {
    CHECKPOINT_INTERVAL.get()
}

/// Minutes; 0: never.
pub fn purge_interval() -> i32 {
    PURGE_INTERVAL.get()
}

pub fn reembed() -> bool {
    REEMBED.get()
}

pub fn batch_size() -> i64 {
    BATCH_SIZE.get().into()
}

fn positive(setting: &'static GucSetting<i32>) -> Option<i64> {
    Some(setting.get().into()).filter(|number| *number > 0)
}

pub fn review_messages() -> Option<i64> {
    positive(&REVIEW_MESSAGES)
}

pub fn extract_turns() -> Option<i64> {
    positive(&EXTRACT_TURNS)
}

pub fn analyze_turns() -> Option<i64> {
    positive(&ANALYZE_TURNS)
}

pub fn reflect_turns() -> Option<i64> {
    positive(&REFLECT_TURNS)
}

pub fn llm_concurrency() -> usize {
    LLM_CONCURRENCY.get() as usize
}

/// Seconds; longer than the longest call takes.
pub fn job_lease() -> f64 {
    let longest = llm_timeout().max(embed_timeout()).as_secs_f64();
    f64::from(JOB_LEASE.get()).max(longest + 30.0)
}

/// Minutes.
pub fn job_keep() -> i32 {
    JOB_KEEP.get()
}

/// Minutes.
pub fn failed_job_keep() -> i32 {
    FAILED_JOB_KEEP.get()
}

pub fn llm_daily_calls() -> Option<i64> {
    positive(&LLM_DAILY_CALLS)
}

pub fn llm_daily_tokens() -> Option<i64> {
    positive(&LLM_DAILY_TOKENS)
}

/// Where a master key comes from, by which setting.
#[derive(Clone, PartialEq, Eq)]
pub struct MasterKeySource {
    pub setting: &'static str,
    pub place: KeyPlace,
}

#[derive(Clone, PartialEq, Eq)]
pub enum KeyPlace {
    File(String),
    Variable(String),
}

type KeySetting = (&'static str, &'static GucSetting<Option<CString>>);

fn key_sources((file, path): KeySetting, (variable, name): KeySetting) -> Vec<MasterKeySource> {
    let source = |setting, value: String, place: fn(String) -> KeyPlace| {
        let place = (!value.is_empty()).then(|| place(value));
        place.map(|place| MasterKeySource { setting, place })
    };
    let file = source(file, string(path), KeyPlace::File);
    let variable = source(variable, string(name), KeyPlace::Variable);
    file.into_iter().chain(variable).collect()
}

/// The master key in force, by the file or the variable.
pub fn master_key() -> Vec<MasterKeySource> {
    key_sources(
        ("memory_ext.master_key_file", &MASTER_KEY_FILE),
        ("memory_ext.master_key_env", &MASTER_KEY_ENV),
    )
}

/// The former master key.
pub fn old_master_key() -> Vec<MasterKeySource> {
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
    written_in(LANGUAGE.get())
}

fn written_in(setting: LanguageSetting) -> Option<Language> {
    match setting {
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
