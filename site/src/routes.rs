//! The handlers: extract, call, answer.

pub mod contact;
pub mod development;
pub mod earlier;
pub mod operator;
