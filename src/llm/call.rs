//! One call: made on the main thread, carried by a future that knows nothing of PostgreSQL, read on the main thread.

use std::time::{Duration, Instant};

use memory_core::llm::wire::{self, Api, Ask, Unread};
use reqwest::Client;
use reqwest::header::HeaderValue;

use super::{Answer, Chat, LlmError, Reply, http, key, pause};
use crate::config::{self, Provider};

/// A call that is ready to go.
pub struct Call {
    provider: Provider,
    client: Client,
    key: Option<HeaderValue>,
    first: wire::Call,
    /// For servers that refuse the schema.
    second: Option<wire::Call>,
    until: Instant,
    wants: Wants,
}

#[derive(Clone, Copy)]
enum Wants {
    Answer,
    /// So many vectors.
    Vectors(usize),
}

/// What came of it.
pub struct Landed {
    provider: Provider,
    wants: Wants,
    body: Result<Vec<u8>, LlmError>,
}

impl Call {
    pub fn chat(chat: &Chat) -> Result<Call, LlmError> {
        let provider = config::llm().ok_or(LlmError::NotConfigured)?;
        let ask = Ask {
            system: chat.system,
            user: chat.user,
            schema: chat.schema,
            max_tokens: chat.max_tokens.min(config::llm_max_tokens()),
            newest: is_openai(&provider),
        };
        let first = wire::chat(provider.api, &provider.model, &ask);
        let plain = Ask { schema: None, ..ask };
        let second = ask.schema.map(|_| wire::chat(provider.api, &provider.model, &plain));
        Call::new(provider, first, second, config::llm_timeout(), Wants::Answer)
    }

    pub fn embed(texts: &[&str], within: Duration) -> Result<Call, LlmError> {
        let provider = config::embedder().ok_or(LlmError::NotConfigured)?;
        let most = config::embed_max_chars();
        let texts: Vec<&str> = texts.iter().map(|text| beginning(text, most)).collect();
        let first = wire::embed(provider.api, &provider.model, &texts, config::embed_dimensions());
        Call::new(provider, first, None, within, Wants::Vectors(texts.len()))
    }

    fn new(
        provider: Provider,
        first: wire::Call,
        second: Option<wire::Call>,
        within: Duration,
        wants: Wants,
    ) -> Result<Call, LlmError> {
        if let Some(until) = pause::pending(&provider) {
            return Err(LlmError::CoolingDown { until });
        }
        let (_, before) = provider.api.key_header();
        Ok(Call {
            client: http::client(is_https(&provider.endpoint), provider.connect_timeout)?,
            key: key::header(&provider.key, before)?,
            provider,
            first,
            second,
            until: Instant::now() + within,
            wants,
        })
    }

    /// Goes and comes back in time. No PostgreSQL in here.
    pub async fn go(self) -> Landed {
        let exchange = async {
            let body = self.post(&self.first).await;
            match (&body, &self.second) {
                (Err(LlmError::Refused(400 | 422)), Some(second)) => self.post(second).await,
                _ => body,
            }
        };
        let body = tokio::time::timeout_at(self.until.into(), exchange).await;
        Landed {
            body: body.unwrap_or(Err(LlmError::TimedOut)),
            provider: self.provider,
            wants: self.wants,
        }
    }

    async fn post(&self, call: &wire::Call) -> Result<Vec<u8>, LlmError> {
        let url = format!("{}{}", self.provider.endpoint, call.path);
        let (header, _) = self.provider.api.key_header();
        let key = self.key.clone().map(|value| (header, value));
        http::post(&self.client, &url, key, call.body.clone()).await
    }
}

impl Landed {
    pub fn read(self) -> Result<Reply, LlmError> {
        if let Err(LlmError::RateLimited { retry_after }) = self.body {
            pause::begin(&self.provider, retry_after);
        }
        let (body, api) = (self.body?, self.provider.api);
        Ok(match self.wants {
            Wants::Vectors(count) => Reply::Vectors(wire::read_embed(api, &body, count)?),
            Wants::Answer => {
                let reply = wire::read_chat(api, &body)?;
                Reply::Answer(Answer {
                    text: reply.text,
                    model: reply.model.unwrap_or(self.provider.model),
                    prompt_tokens: reply.prompt_tokens,
                    answer_tokens: reply.answer_tokens,
                })
            }
        })
    }
}

fn is_https(endpoint: &str) -> bool {
    endpoint
        .get(..6)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("https:"))
}

fn is_openai(provider: &Provider) -> bool {
    let host = provider.endpoint.split('/').nth(2).unwrap_or("");
    provider.api == Api::OpenAi && (host == "api.openai.com" || host.ends_with(".openai.azure.com"))
}

fn beginning(text: &str, chars: usize) -> &str {
    text.char_indices().nth(chars).map_or(text, |(end, _)| &text[..end])
}

impl From<Unread> for LlmError {
    fn from(unread: Unread) -> LlmError {
        match unread {
            Unread::Empty => LlmError::Empty,
            Unread::Bad => LlmError::BadAnswer,
        }
    }
}
