//! What can go wrong between us and a provider. The texts are stable: they stand in jobs and in notices. None of
//! them holds a key, an address or anything that a provider said.

use std::fmt;
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LlmError {
    /// No provider or no model is set.
    NotConfigured,
    /// The key's file or variable is named but gives no key.
    NoKey,
    /// It answered 429, or failed a query a moment ago: it was not called. `until` is a time as `id::timestamp` takes it.
    CoolingDown {
        until: i64,
    },
    /// 429; later calls pause for at least a minute.
    RateLimited {
        retry_after: Duration,
    },
    TimedOut,
    /// 5xx, and 408 and 425 of the same meaning: worth another attempt.
    Server(u16),
    /// Any other status: asking again would not help.
    Refused(u16),
    /// No address, no connection, or no TLS.
    Unreachable,
    /// The connection ended before the answer did.
    CutOff,
    TooLarge,
    /// 3xx: redirects are never followed, for they would take the key elsewhere.
    Redirected,
    /// An answer without text or vectors.
    Empty,
    /// An answer that is not what the protocol says.
    BadAnswer,
    /// The caller had to stop.
    Stopped,
}

impl LlmError {
    /// Whether the service itself is in trouble, whatever it is asked.
    pub fn is_outage(self) -> bool {
        matches!(
            self,
            LlmError::TimedOut | LlmError::Server(_) | LlmError::Unreachable | LlmError::CutOff
        )
    }

    /// Whether the same request may fare better later.
    pub fn is_passing(self) -> bool {
        !matches!(
            self,
            LlmError::NotConfigured | LlmError::NoKey | LlmError::Refused(_) | LlmError::Redirected
        )
    }
}

impl fmt::Display for LlmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LlmError::NotConfigured => write!(f, "no provider is configured"),
            LlmError::NoKey => write!(f, "the provider's key cannot be read"),
            LlmError::CoolingDown { .. } => write!(f, "the provider is left alone for a while"),
            LlmError::RateLimited { .. } => write!(f, "the provider answered 429"),
            LlmError::TimedOut => write!(f, "the provider did not answer in time"),
            LlmError::Server(status) | LlmError::Refused(status) => write!(f, "the provider answered {status}"),
            LlmError::Unreachable => write!(f, "the provider cannot be reached"),
            LlmError::CutOff => write!(f, "the connection to the provider broke off"),
            LlmError::TooLarge => write!(f, "the provider's answer is too large"),
            LlmError::Redirected => write!(f, "the provider redirected, which is not followed"),
            LlmError::Empty => write!(f, "the provider's answer is empty"),
            LlmError::BadAnswer => write!(f, "the provider's answer cannot be read"),
            LlmError::Stopped => write!(f, "the call was stopped"),
        }
    }
}
