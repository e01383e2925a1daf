//! Settings `memory_ext.*`. An agent's config may override those that `AgentConfig` names.

use std::ffi::CString;

use memory_core::language::Language;
use memory_core::tokens::Tokenizer;
use pgrx::guc::{GucContext, GucFlags, GucRegistry, GucSetting, PostgresGucEnum};
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

pub fn init() {
    GucRegistry::define_string_guc(
        c"memory_ext.user_id",
        c"The user whose rows this connection sees.",
        c"Empty: none, unless the role is a member of memory_service.",
        &USER_ID,
        GucContext::Userset,
        GucFlags::default(),
    );
    GucRegistry::define_int_guc(
        c"memory_ext.recent_messages",
        c"How many of a session's last messages a context holds.",
        c"",
        &RECENT_MESSAGES,
        1,
        10_000,
        GucContext::Userset,
        GucFlags::default(),
    );
    GucRegistry::define_int_guc(
        c"memory_ext.context_tokens",
        c"The token budget of build_context_json.",
        c"0: no budget, only the number of messages or turns counts.",
        &CONTEXT_TOKENS,
        0,
        10_000_000,
        GucContext::Userset,
        GucFlags::default(),
    );
    GucRegistry::define_int_guc(
        c"memory_ext.session_timeout",
        c"A session that is idle for longer is ended by the sweep.",
        c"",
        &SESSION_TIMEOUT,
        1,
        525_600,
        GucContext::Userset,
        GucFlags::UNIT_MIN,
    );
    GucRegistry::define_int_guc(
        c"memory_ext.summary_threshold",
        c"A session is summarised again after this many messages.",
        c"",
        &SUMMARY_THRESHOLD,
        1,
        100_000,
        GucContext::Userset,
        GucFlags::default(),
    );
    GucRegistry::define_bool_guc(
        c"memory_ext.auto_summary",
        c"Whether sessions are summarised without being asked.",
        c"",
        &AUTO_SUMMARY,
        GucContext::Userset,
        GucFlags::default(),
    );
    GucRegistry::define_enum_guc(
        c"memory_ext.language",
        c"The language of headings and instructions in a context: auto, ko or en.",
        c"auto: the language that the conversation is held in.",
        &LANGUAGE,
        GucContext::Userset,
        GucFlags::default(),
    );
    GucRegistry::define_enum_guc(
        c"memory_ext.tokenizer",
        c"Whose token counts the estimates follow: any, o200k or cl100k.",
        c"any: never below either of them.",
        &TOKENIZER,
        GucContext::Userset,
        GucFlags::default(),
    );
    // SAFETY: a constant C string; a misspelt memory_ext.* setting is then an error.
    unsafe { pgrx::pg_sys::MarkGUCPrefixReserved(c"memory_ext".as_ptr()) };
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
            format!("\"{name}\" is not a language that memory_ext writes"),
            "Use ko, en or auto.",
        )
    })
}
