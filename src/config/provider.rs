//! Settings of the providers over HTTP. Where a request goes and which key it carries is for superusers to say: whoever
//! could set an endpoint could send the key anywhere and reach whatever the server reaches.

use std::ffi::{CStr, CString, c_char, c_void};
use std::time::Duration;

use memory_core::language::Language;
use memory_core::llm::wire::Api;
use pgrx::guc::{GucContext, GucEnum, GucFlags, GucRegistry, GucSetting, PostgresGucEnum};
use pgrx::pg_sys;
use pgrx::prelude::*;
use reqwest::Url;

use super::{LanguageSetting, string};

static LLM_PROVIDER: GucSetting<LlmProvider> = GucSetting::<LlmProvider>::new(LlmProvider::none);
static LLM_ENDPOINT: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(Some(c""));
static LLM_MODEL: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(Some(c""));
static LLM_KEY_FILE: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(Some(c""));
static LLM_KEY_ENV: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(Some(c""));
static LLM_TIMEOUT: GucSetting<i32> = GucSetting::<i32>::new(60_000);
static LLM_MAX_TOKENS: GucSetting<i32> = GucSetting::<i32>::new(1_000);
static LLM_LANGUAGE: GucSetting<LanguageSetting> = GucSetting::<LanguageSetting>::new(LanguageSetting::auto);

static EMBED_PROTOCOL: GucSetting<Protocol> = GucSetting::<Protocol>::new(Protocol::openai);
static EMBED_ENDPOINT: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(Some(c""));
static EMBED_MODEL: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(Some(c""));
static EMBED_DIMENSIONS: GucSetting<i32> = GucSetting::<i32>::new(0);
static EMBED_MAX_CHARS: GucSetting<i32> = GucSetting::<i32>::new(6_000);
static EMBED_KEY_FILE: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(Some(c""));
static EMBED_KEY_ENV: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(Some(c""));
static EMBED_QUERY_TIMEOUT: GucSetting<i32> = GucSetting::<i32>::new(2_000);
static EMBED_QUERY_PAUSE: GucSetting<i32> = GucSetting::<i32>::new(5_000);
static EMBED_TIMEOUT: GucSetting<i32> = GucSetting::<i32>::new(30_000);

static CONNECT_TIMEOUT: GucSetting<i32> = GucSetting::<i32>::new(5_000);

#[allow(non_camel_case_types)]
#[derive(Clone, Copy, PostgresGucEnum)]
pub enum LlmProvider {
    none,
    openai,
    gemini,
    ollama,
}

#[allow(non_camel_case_types)]
#[derive(Clone, Copy, PostgresGucEnum)]
pub enum Protocol {
    openai,
    gemini,
    ollama,
}

/// A provider that can be called.
pub struct Provider {
    pub api: Api,
    /// Without a slash at its end.
    pub endpoint: String,
    pub model: String,
    pub key: KeySource,
    pub connect_timeout: Duration,
}

/// Where the key is; the key itself is never a setting.
pub struct KeySource {
    pub file: String,
    pub variable: String,
}

/// The LLM, when there is one.
pub fn llm() -> Option<Provider> {
    let api = match LLM_PROVIDER.get() {
        LlmProvider::none => return None,
        LlmProvider::openai => Api::OpenAi,
        LlmProvider::gemini => Api::Gemini,
        LlmProvider::ollama => Api::Ollama,
    };
    provider(api, &LLM_ENDPOINT, &LLM_MODEL, &LLM_KEY_FILE, &LLM_KEY_ENV)
}

/// The embedding service, when there is one.
pub fn embedder() -> Option<Provider> {
    let api = match EMBED_PROTOCOL.get() {
        Protocol::openai => Api::OpenAi,
        Protocol::gemini => Api::Gemini,
        Protocol::ollama => Api::Ollama,
    };
    provider(api, &EMBED_ENDPOINT, &EMBED_MODEL, &EMBED_KEY_FILE, &EMBED_KEY_ENV)
}

type Text = GucSetting<Option<CString>>;

fn provider(
    api: Api,
    endpoint: &'static Text,
    model: &'static Text,
    key_file: &'static Text,
    key_env: &'static Text,
) -> Option<Provider> {
    let model = string(model);
    if model.is_empty() {
        return None;
    }
    let endpoint = match string(endpoint) {
        unset if unset.is_empty() => api.endpoint().to_string(),
        endpoint => endpoint.trim_end_matches('/').to_string(),
    };
    Some(Provider {
        api,
        endpoint,
        model,
        key: KeySource {
            file: string(key_file),
            variable: string(key_env),
        },
        connect_timeout: millis(&CONNECT_TIMEOUT),
    })
}

pub fn llm_timeout() -> Duration {
    millis(&LLM_TIMEOUT)
}

pub fn llm_max_tokens() -> u32 {
    LLM_MAX_TOKENS.get().unsigned_abs()
}

/// The language of prompts and answers; `None`: that of the conversation.
pub fn llm_language() -> Option<Language> {
    super::written_in(LLM_LANGUAGE.get())
}

/// The number of dimensions to ask for; `None`: the model's own.
pub fn embed_dimensions() -> Option<u32> {
    Some(EMBED_DIMENSIONS.get().unsigned_abs()).filter(|dimensions| *dimensions > 0)
}

pub fn embed_max_chars() -> usize {
    EMBED_MAX_CHARS.get().unsigned_abs() as usize
}

pub fn embed_query_timeout() -> Duration {
    millis(&EMBED_QUERY_TIMEOUT)
}

pub fn embed_query_pause() -> Duration {
    millis(&EMBED_QUERY_PAUSE)
}

pub fn embed_timeout() -> Duration {
    millis(&EMBED_TIMEOUT)
}

fn millis(setting: &'static GucSetting<i32>) -> Duration {
    Duration::from_millis(setting.get().unsigned_abs().into())
}

pub fn init() {
    choice(
        c"memory_ext.llm_provider",
        c"The protocol of the LLM that writes summaries and reads facts; none: the built-in rules do.",
        &LLM_PROVIDER,
    );
    checked(
        c"memory_ext.llm_endpoint",
        c"The URL before /chat/completions, /models or /api; empty: the provider's public one.",
        &LLM_ENDPOINT,
        Some(check_endpoint),
    );
    checked(c"memory_ext.llm_model", c"The name of the LLM.", &LLM_MODEL, None);
    secret(
        c"memory_ext.llm_key_file",
        c"The file that holds the LLM's key.",
        &LLM_KEY_FILE,
        check_file,
    );
    secret(
        c"memory_ext.llm_key_env",
        c"The environment variable of the server that holds the LLM's key, when no file is named.",
        &LLM_KEY_ENV,
        check_variable,
    );
    time(
        c"memory_ext.llm_timeout",
        c"How long an answer of the LLM may take in all.",
        &LLM_TIMEOUT,
    );
    number(
        c"memory_ext.llm_max_tokens",
        c"How many tokens an answer of the LLM may have.",
        &LLM_MAX_TOKENS,
        16,
        100_000,
    );
    GucRegistry::define_enum_guc(
        c"memory_ext.llm_language",
        c"The language that the LLM is asked in and answers in; auto: that of the conversation.",
        c"",
        &LLM_LANGUAGE,
        GucContext::Userset,
        GucFlags::default(),
    );
    choice(
        c"memory_ext.embed_protocol",
        c"The protocol of the embedding service, which memory_ext.embedding_provider = http uses.",
        &EMBED_PROTOCOL,
    );
    checked(
        c"memory_ext.embed_endpoint",
        c"The URL before /embeddings, /models or /api; empty: the provider's public one.",
        &EMBED_ENDPOINT,
        Some(check_endpoint),
    );
    checked(
        c"memory_ext.embed_model",
        c"The name of the embedding model.",
        &EMBED_MODEL,
        None,
    );
    number(
        c"memory_ext.embed_dimensions",
        c"How many dimensions to ask the embedding model for; 0: its own number.",
        &EMBED_DIMENSIONS,
        0,
        16_000,
    );
    number(
        c"memory_ext.embed_max_chars",
        c"How many characters of a text are sent to the embedding model.",
        &EMBED_MAX_CHARS,
        100,
        1_000_000,
    );
    secret(
        c"memory_ext.embed_key_file",
        c"The file that holds the embedding service's key.",
        &EMBED_KEY_FILE,
        check_file,
    );
    secret(
        c"memory_ext.embed_key_env",
        c"The environment variable of the server that holds the embedding service's key, when no file is named.",
        &EMBED_KEY_ENV,
        check_variable,
    );
    GucRegistry::define_int_guc(
        c"memory_ext.embed_query_timeout",
        c"How long a query waits for its vector before it goes on with keywords.",
        c"",
        &EMBED_QUERY_TIMEOUT,
        10,
        600_000,
        GucContext::Userset,
        GucFlags::UNIT_MS,
    );
    GucRegistry::define_int_guc(
        c"memory_ext.embed_query_pause",
        c"How long queries go without vectors after the embedding service failed one; 0: not at all.",
        c"",
        &EMBED_QUERY_PAUSE,
        0,
        600_000,
        GucContext::Suset,
        GucFlags::UNIT_MS,
    );
    time(
        c"memory_ext.embed_timeout",
        c"How long the vectors of stored texts may take.",
        &EMBED_TIMEOUT,
    );
    time(
        c"memory_ext.connect_timeout",
        c"How long connecting to a provider may take.",
        &CONNECT_TIMEOUT,
    );
}

type Name = &'static CStr;

fn choice<T: GucEnum>(name: Name, description: Name, setting: &'static GucSetting<T>) {
    GucRegistry::define_enum_guc(name, description, c"", setting, GucContext::Suset, GucFlags::default());
}

fn time(name: Name, description: Name, setting: &'static GucSetting<i32>) {
    let (context, flags) = (GucContext::Suset, GucFlags::UNIT_MS);
    GucRegistry::define_int_guc(name, description, c"", setting, 10, 600_000, context, flags);
}

fn number(name: Name, description: Name, setting: &'static GucSetting<i32>, least: i32, most: i32) {
    let (context, flags) = (GucContext::Suset, GucFlags::default());
    GucRegistry::define_int_guc(name, description, c"", setting, least, most, context, flags);
}

type Check = unsafe extern "C-unwind" fn(*mut *mut c_char, *mut *mut c_void, pg_sys::GucSource::Type) -> bool;

fn checked(name: Name, description: Name, setting: &'static Text, check: Option<Check>) {
    define(name, description, setting, GucFlags::default(), check);
}

/// Only superusers see where a key is.
fn secret(name: Name, description: Name, setting: &'static Text, check: Check) {
    define(name, description, setting, GucFlags::SUPERUSER_ONLY, Some(check));
}

fn define(name: Name, description: Name, setting: &'static Text, flags: GucFlags, check: Option<Check>) {
    // SAFETY: the hooks are functions of this file, which stay for the life of the process.
    unsafe {
        GucRegistry::define_string_guc_with_hooks(
            name,
            description,
            c"",
            setting,
            GucContext::Suset,
            flags,
            check,
            None,
            None,
        );
    }
}

#[pg_guard]
unsafe extern "C-unwind" fn check_endpoint(
    value: *mut *mut c_char,
    _extra: *mut *mut c_void,
    _source: pg_sys::GucSource::Type,
) -> bool {
    // SAFETY: Postgres passes a C string.
    unsafe { judge(value, endpoint_fault) }
}

#[pg_guard]
unsafe extern "C-unwind" fn check_file(
    value: *mut *mut c_char,
    _extra: *mut *mut c_void,
    _source: pg_sys::GucSource::Type,
) -> bool {
    // SAFETY: as above.
    unsafe { judge(value, file_fault) }
}

#[pg_guard]
unsafe extern "C-unwind" fn check_variable(
    value: *mut *mut c_char,
    _extra: *mut *mut c_void,
    _source: pg_sys::GucSource::Type,
) -> bool {
    // SAFETY: as above.
    unsafe { judge(value, variable_fault) }
}

/// What is wrong with a value, and what would be right.
type Fault = (&'static CStr, &'static CStr);

/// Refuses a faulty value with a message of our own. PostgreSQL's would repeat the value, which may be a key in the
/// wrong place.
///
/// # Safety
/// `value` points to a C string or to null.
unsafe fn judge(value: *mut *mut c_char, fault: fn(&str) -> Option<Fault>) -> bool {
    // SAFETY: by contract; the strings are copied to where Postgres frees them with the error.
    unsafe {
        if value.is_null() || (*value).is_null() {
            return true;
        }
        let text = CStr::from_ptr(*value).to_string_lossy();
        if text.is_empty() {
            return true;
        }
        let Some((message, hint)) = fault(&text) else {
            return true;
        };
        pg_sys::GUC_check_errmsg_string = pg_sys::MemoryContextStrdup(pg_sys::ErrorContext, message.as_ptr());
        pg_sys::GUC_check_errhint_string = pg_sys::MemoryContextStrdup(pg_sys::ErrorContext, hint.as_ptr());
        false
    }
}

fn endpoint_fault(text: &str) -> Option<Fault> {
    const HINT: &CStr = c"Give a URL like https://api.openai.com/v1 or http://127.0.0.1:11434.";
    let Ok(url) = Url::parse(text) else {
        return Some((c"the endpoint is not a URL", HINT));
    };
    if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
        return Some((c"the endpoint is not an http or https URL", HINT));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Some((
            c"the endpoint holds a user or password",
            c"Put the key into a file and name it in the setting that ends in _key_file.",
        ));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Some((c"the endpoint has a query or fragment", HINT));
    }
    None
}

fn file_fault(text: &str) -> Option<Fault> {
    (!text.starts_with('/')).then_some((
        c"the key's file must be named by an absolute path",
        c"Put the key into a file that the server can read; never set the key itself.",
    ))
}

fn variable_fault(text: &str) -> Option<Fault> {
    let first = !text.starts_with(|c: char| c.is_ascii_digit());
    let name = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (!first || !name || text.len() > 64).then_some((
        c"that is no name of an environment variable",
        c"Name a variable of the server's environment, like OPENAI_API_KEY; never set the key itself.",
    ))
}
