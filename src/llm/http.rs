//! One POST and its answer.

use std::cell::RefCell;
use std::time::Duration;

use memory_core::llm::wire::retry_after;
use reqwest::header::{CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};

use super::LlmError;
use super::resolve::Resolver;

/// Bigger answers are broken off while they arrive.
const MAX_BYTES: usize = 16 * 1024 * 1024;

thread_local! {
    /// The client of this backend: making one reads the system's certificates. No connection is kept in it, for a
    /// connection does not outlive the runtime of its call.
    static CLIENT: RefCell<Option<(bool, Duration, Client)>> = const { RefCell::new(None) };
}

pub async fn post(
    client: &Client,
    url: &str,
    key: Option<(&'static str, HeaderValue)>,
    body: String,
) -> Result<Vec<u8>, LlmError> {
    let mut request = client.post(url).header(CONTENT_TYPE, "application/json").body(body);
    if let Some((name, value)) = key {
        request = request.header(HeaderName::from_static(name), value);
    }
    let response = request.send().await.map_err(|cause| unsent(&cause))?;
    accept(&response)?;
    read(response).await
}

pub fn client(tls: bool, connect_timeout: Duration) -> Result<Client, LlmError> {
    CLIENT.with_borrow_mut(|kept| {
        if let Some((with_tls, timeout, client)) = kept
            && (*with_tls, *timeout) == (tls, connect_timeout)
        {
            return Ok(client.clone());
        }
        let client = make(tls, connect_timeout)?;
        *kept = Some((tls, connect_timeout, client.clone()));
        Ok(client)
    })
}

fn make(tls: bool, connect_timeout: Duration) -> Result<Client, LlmError> {
    // Somebody may have installed one before us, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder()
        .user_agent(concat!("memory_ext/", env!("CARGO_PKG_VERSION")))
        .redirect(Policy::none())
        .retry(reqwest::retry::never())
        .no_proxy()
        .referer(false)
        .http1_only()
        .pool_max_idle_per_host(0)
        .connect_timeout(connect_timeout)
        .dns_resolver(Resolver);
    // A server without certificates can still speak to a model on its own machine.
    let builder = match tls {
        true => builder,
        false => builder.tls_certs_only([]),
    };
    builder.build().map_err(|_| LlmError::Unreachable)
}

fn accept(response: &Response) -> Result<(), LlmError> {
    let status = response.status();
    match status.as_u16() {
        200..=299 => Ok(()),
        300..=399 => Err(LlmError::Redirected),
        429 => Err(LlmError::RateLimited {
            retry_after: asked_pause(response),
        }),
        408 | 425 | 500.. => Err(LlmError::Server(status.as_u16())),
        refused => Err(LlmError::Refused(refused)),
    }
}

fn asked_pause(response: &Response) -> Duration {
    let header = response
        .headers()
        .get(RETRY_AFTER)
        .and_then(|value| value.to_str().ok());
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    retry_after(header, now.map_or(0, |now| now.as_secs() as i64))
}

async fn read(mut response: Response) -> Result<Vec<u8>, LlmError> {
    let announced = response.content_length().unwrap_or(0);
    if announced > MAX_BYTES as u64 {
        return Err(LlmError::TooLarge);
    }
    let mut body = Vec::with_capacity(announced as usize);
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) if body.len() + chunk.len() <= MAX_BYTES => body.extend_from_slice(&chunk),
            Ok(Some(_)) => return Err(LlmError::TooLarge),
            Ok(None) => return Ok(body),
            Err(_) => return Err(LlmError::CutOff),
        }
    }
}

/// What went wrong before there was a status.
fn unsent(cause: &reqwest::Error) -> LlmError {
    if cause.is_connect() {
        LlmError::Unreachable
    } else if cause.is_timeout() {
        LlmError::TimedOut
    } else if cause.is_builder() {
        LlmError::NotConfigured
    } else {
        LlmError::CutOff
    }
}
