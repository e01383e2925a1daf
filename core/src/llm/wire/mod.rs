//! What goes over the wire: paths and bodies of requests, and responses back as types.

mod gemini;
mod ollama;
mod openai;
mod pause;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::vector;

pub use pause::{LEAST_PAUSE, retry_after};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Api {
    /// OpenAI itself and those who speak like it: vLLM, llama.cpp, Ollama's /v1.
    OpenAi,
    Gemini,
    Ollama,
}

impl Api {
    /// Where the provider is unless the settings say otherwise; paths are appended to it.
    pub fn endpoint(self) -> &'static str {
        match self {
            Api::OpenAi => "https://api.openai.com/v1",
            Api::Gemini => "https://generativelanguage.googleapis.com/v1beta",
            Api::Ollama => "http://127.0.0.1:11434",
        }
    }

    /// The header that carries the key, and what stands before the key in it.
    pub fn key_header(self) -> (&'static str, &'static str) {
        match self {
            Api::OpenAi | Api::Ollama => ("authorization", "Bearer "),
            Api::Gemini => ("x-goog-api-key", ""),
        }
    }
}

/// A question with the limits of its answer.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    pub system: &'a str,
    pub user: &'a str,
    pub schema: Option<&'a Value>,
    pub max_tokens: u32,
    /// Whether the endpoint is OpenAI's own: its newer models refuse what all others understand.
    pub newest: bool,
}

/// What is posted, and where: the path after the endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub path: String,
    pub body: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    pub text: String,
    pub model: Option<String>,
    pub prompt_tokens: u32,
    pub answer_tokens: u32,
}

/// Why a response is of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unread {
    Empty,
    Bad,
}

pub fn chat(api: Api, model: &str, ask: &Ask) -> Call {
    let (path, body) = match api {
        Api::OpenAi => openai::chat(model, ask),
        Api::Gemini => gemini::chat(model, ask),
        Api::Ollama => ollama::chat(model, ask),
    };
    Call {
        path,
        body: body.to_string(),
    }
}

pub fn read_chat(api: Api, body: &[u8]) -> Result<Reply, Unread> {
    let reply = match api {
        Api::OpenAi => openai::read_chat(body),
        Api::Gemini => gemini::read_chat(body),
        Api::Ollama => ollama::read_chat(body),
    }?;
    match reply.text.trim().is_empty() {
        true => Err(Unread::Empty),
        false => Ok(reply),
    }
}

/// Asks for the vectors of texts; `dimensions` where the model can shorten them.
pub fn embed(api: Api, model: &str, texts: &[&str], dimensions: Option<u32>) -> Call {
    let (path, body) = match api {
        Api::OpenAi => openai::embed(model, texts, dimensions),
        Api::Gemini => gemini::embed(model, texts, dimensions),
        Api::Ollama => ollama::embed(model, texts, dimensions),
    };
    Call {
        path,
        body: body.to_string(),
    }
}

/// The vectors of `count` texts, in their order: all of them, of equal length, fit to be compared.
pub fn read_embed(api: Api, body: &[u8], count: usize) -> Result<Vec<Vec<f32>>, Unread> {
    let vectors = match api {
        Api::OpenAi => openai::read_embed(body),
        Api::Gemini => gemini::read_embed(body),
        Api::Ollama => ollama::read_embed(body),
    }?;
    let Some(first) = vectors.first() else {
        return Err(Unread::Empty);
    };
    let fit = |vector: &Vec<f32>| {
        vector.len() == first.len() && vector.len() <= MAX_DIMENSIONS && vector::check(vector).is_ok()
    };
    match vectors.len() == count && vectors.iter().all(fit) {
        true => Ok(vectors),
        false => Err(Unread::Bad),
    }
}

/// How many texts every service embeds at once.
pub const MAX_TEXTS: usize = 64;
/// pgvector stores no more.
const MAX_DIMENSIONS: usize = 16_000;

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Unread> {
    if body.iter().all(u8::is_ascii_whitespace) {
        return Err(Unread::Empty);
    }
    let text = std::str::from_utf8(body).map_err(|_| Unread::Bad)?;
    serde_json::from_str(text).map_err(|_| Unread::Bad)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    const APIS: [Api; 3] = [Api::OpenAi, Api::Gemini, Api::Ollama];

    fn ask<'a>(schema: Option<&'a Value>) -> Ask<'a> {
        Ask {
            system: "be brief",
            user: "안녕",
            schema,
            max_tokens: 50,
            newest: false,
        }
    }

    fn body(call: &Call) -> Value {
        serde_json::from_str(&call.body).unwrap()
    }

    #[test]
    fn chat_requests_of_each_protocol() {
        let schema = json!({"type": "object", "properties": {"a": {"type": ["string", "null"]}}, "required": ["a"], "additionalProperties": false});
        let call = chat(Api::OpenAi, "m", &ask(Some(&schema)));
        assert_eq!(call.path, "/chat/completions");
        let sent = body(&call);
        assert_eq!(
            sent["messages"],
            json!([{"role": "system", "content": "be brief"}, {"role": "user", "content": "안녕"}])
        );
        assert_eq!(sent["max_tokens"], 50);
        assert_eq!(sent["response_format"]["json_schema"]["schema"], schema);
        let newest = Ask {
            newest: true,
            ..ask(None)
        };
        let sent = body(&chat(Api::OpenAi, "m", &newest));
        assert_eq!(sent["max_completion_tokens"], 50);
        assert!(sent.get("max_tokens").is_none() && sent.get("temperature").is_none());

        let call = chat(Api::Gemini, "models/gemini-2.5-flash", &ask(Some(&schema)));
        assert_eq!(call.path, "/models/gemini-2.5-flash:generateContent");
        let sent = body(&call);
        assert_eq!(sent["systemInstruction"]["parts"][0]["text"], "be brief");
        assert_eq!(sent["contents"][0]["parts"][0]["text"], "안녕");
        assert_eq!(
            sent["generationConfig"]["responseSchema"],
            json!({"type": "OBJECT", "properties": {"a": {"type": "STRING", "nullable": true}}, "required": ["a"]})
        );

        let call = chat(Api::Ollama, "m", &ask(Some(&schema)));
        assert_eq!(call.path, "/api/chat");
        let sent = body(&call);
        assert_eq!((&sent["stream"], &sent["format"]), (&json!(false), &schema));
        assert_eq!(sent["options"]["num_predict"], 50);
    }

    #[test]
    fn a_model_cannot_leave_its_place_in_the_path() {
        let call = chat(Api::Gemini, "../../x?key=1#y z", &ask(None));
        assert_eq!(call.path, "/models/..%2F..%2Fx%3Fkey%3D1%23y%20z:generateContent");
    }

    #[test]
    fn chat_responses_of_each_protocol() {
        let cases: [(Api, Value); 3] = [
            (
                Api::OpenAi,
                json!({"model": "m-1", "choices": [{"message": {"content": "hi"}}], "usage": {"prompt_tokens": 3, "completion_tokens": 1}}),
            ),
            (
                Api::Gemini,
                json!({"modelVersion": "m-1", "candidates": [{"content": {"parts": [{"text": "think", "thought": true}, {"text": "h"}, {"text": "i"}]}}],
                       "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 1}}),
            ),
            (
                Api::Ollama,
                json!({"model": "m-1", "message": {"role": "assistant", "content": "hi"}, "prompt_eval_count": 3, "eval_count": 1}),
            ),
        ];
        for (api, response) in cases {
            let reply = read_chat(api, response.to_string().as_bytes()).unwrap();
            assert_eq!(
                (reply.text.as_str(), reply.model.as_deref()),
                ("hi", Some("m-1")),
                "{api:?}"
            );
            assert_eq!((reply.prompt_tokens, reply.answer_tokens), (3, 1), "{api:?}");
        }
        let parts = br#"{"choices": [{"message": {"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}}]}"#;
        assert_eq!(read_chat(Api::OpenAi, parts).unwrap().text, "ab");
    }

    #[test]
    fn responses_that_say_nothing_or_nonsense() {
        for api in APIS {
            for body in [&b""[..], b"  \n"] {
                assert_eq!(read_chat(api, body), Err(Unread::Empty));
                assert_eq!(read_embed(api, body, 1), Err(Unread::Empty));
            }
            for body in [&b"null"[..], b"[]", b"<html>", b"{\"error\":", b"\"x\"", b"\xff\xfe{}"] {
                assert_eq!(read_chat(api, body).ok(), None);
                assert_eq!(read_embed(api, body, 1).ok(), None);
            }
        }
        assert_eq!(
            read_chat(Api::OpenAi, br#"{"choices": [{"message": {"content": null}}]}"#),
            Err(Unread::Empty)
        );
        assert_eq!(read_chat(Api::OpenAi, br#"{"choices": []}"#), Err(Unread::Empty));
        assert_eq!(
            read_chat(Api::Gemini, br#"{"promptFeedback": {"blockReason": "SAFETY"}}"#),
            Err(Unread::Empty)
        );
        assert_eq!(
            read_chat(Api::Ollama, br#"{"error": "model not found"}"#),
            Err(Unread::Empty)
        );
        assert_eq!(
            read_chat(
                Api::OpenAi,
                "{\"choices\": [{\"message\": {\"content\": \"\u{a0} \"}}]}".as_bytes()
            ),
            Err(Unread::Empty)
        );
    }

    #[test]
    fn vectors_of_each_protocol() {
        let cases: [(Api, &str, Value); 3] = [
            (
                Api::OpenAi,
                "/embeddings",
                json!({"data": [{"index": 1, "embedding": [0, 1]}, {"index": 0, "embedding": [1.5, 0]}]}),
            ),
            (
                Api::Gemini,
                "/models/m:batchEmbedContents",
                json!({"embeddings": [{"values": [1.5, 0]}, {"values": [0, 1]}]}),
            ),
            (Api::Ollama, "/api/embed", json!({"embeddings": [[1.5, 0], [0, 1]]})),
        ];
        for (api, path, response) in cases {
            assert_eq!(embed(api, "m", &["a", "b"], Some(2)).path, path);
            let response = response.to_string();
            let vectors = read_embed(api, response.as_bytes(), 2);
            assert_eq!(vectors, Ok(vec![vec![1.5, 0.0], vec![0.0, 1.0]]), "{api:?}");
            assert_eq!(read_embed(api, response.as_bytes(), 1), Err(Unread::Bad), "{api:?}");
        }
    }

    #[test]
    fn vectors_that_cannot_be_compared_are_refused() {
        for embeddings in ["[[]]", "[[0, 0]]", "[[1e39]]", "[[1], [1, 2]]", "[[null]]", "[[\"1\"]]"] {
            let body = format!("{{\"embeddings\": {embeddings}}}");
            let count = if embeddings.contains("], [") { 2 } else { 1 };
            assert_eq!(
                read_embed(Api::Ollama, body.as_bytes(), count),
                Err(Unread::Bad),
                "{embeddings}"
            );
        }
        let twice = br#"{"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [2]}]}"#;
        assert_eq!(read_embed(Api::OpenAi, twice, 2), Err(Unread::Bad));
    }

    proptest! {
        #[test]
        fn no_response_panics(body in prop::collection::vec(any::<u8>(), 0..200), count in 0usize..3) {
            for api in APIS {
                let _ = read_chat(api, &body);
                let _ = read_embed(api, &body, count);
            }
        }

        #[test]
        fn nor_does_broken_json(text in r#"[\[\]{}",:0-9a-z ]{0,80}"#) {
            for api in APIS {
                let wrapped = format!("{{\"choices\":{text},\"candidates\":{text},\"message\":{text}}}");
                let _ = read_chat(api, text.as_bytes());
                let _ = read_chat(api, wrapped.as_bytes());
                let _ = read_embed(api, text.as_bytes(), 1);
            }
        }

        #[test]
        fn whatever_is_asked_is_valid_json(system in "\\PC*", user in any::<String>(), model in "\\PC*") {
            for api in APIS {
                let ask = Ask { system: &system, user: &user, schema: None, max_tokens: 1, newest: false };
                prop_assert!(serde_json::from_str::<Value>(&chat(api, &model, &ask).body).is_ok());
                prop_assert!(serde_json::from_str::<Value>(&embed(api, &model, &[&user], None).body).is_ok());
            }
        }
    }
}
