//! Talking to an LLM, without the talking: what is asked, in which form, and what an answer must look like.
//!
//! * [`wire`]: requests and responses of the protocols that providers speak
//! * [`prompt`]: what is asked, in Korean and English, with the conversation fenced off as data
//! * [`repair`]: the JSON in an answer
//! * [`answer`]: answers as types; what does not fit is no answer

pub mod answer;
pub mod prompt;
pub mod repair;
pub mod wire;
