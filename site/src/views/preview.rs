//! The preview page of a development server: every token, and every section in all its states.

use maud::{DOCTYPE, Markup, html};

use crate::assets::Assets;

use super::raw;

/// A custom property of `assets/css/tokens.css`.
pub struct Token<'a> {
    /// The name with its two hyphens.
    pub name: &'a str,
    /// The value in the light scheme.
    pub value: &'a str,
}

/// A state of a section.
pub struct Example {
    /// The section's name.
    pub section: &'static str,
    /// Its place in the section's examples file.
    pub index: usize,
    /// What the state is called.
    pub name: String,
}

/// The tokens of a style sheet, each once, in its order.
pub fn tokens(css: &str) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    for declaration in css.split([';', '{', '}']) {
        let declaration = declaration.rsplit("*/").next().unwrap_or(declaration).trim();
        let Some((name, value)) = declaration.split_once(':') else { continue };
        if name.starts_with("--") && tokens.iter().all(|token| token.name != name) {
            tokens.push(Token { name, value: value.trim() });
        }
    }
    tokens
}

/// The styles that show each token as a swatch; in the page's style sheet, because its content
/// security policy knows no other place.
pub fn swatches(tokens: &[Token<'_>]) -> String {
    let rule = |token: &Token<'_>| {
        let class = token.name.trim_start_matches('-');
        format!(".swatch-{class}{{background:var({})}}", token.name)
    };
    tokens.iter().map(rule).collect()
}

/// All tokens and all states, each state in a frame of its own, since ids repeat.
pub fn index(style: &str, tokens: &[Token<'_>], examples: &[Example]) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head { meta charset="utf-8"; title { "Preview" } (raw::style(style)) }
            body.preview {
                main.page {
                    h1 { "Preview" }
                    h2 { "Tokens" }
                    div.tokens {
                        @for token in tokens {
                            div.token {
                                span class={ "swatch swatch-" (token.name.trim_start_matches('-')) } {}
                                (token.name) ": " (token.value)
                            }
                        }
                    }
                    @for Example { section, index, name } in examples {
                        @let address = format!("/_preview/{section}/{index}");
                        h2 { (section) ": " a href=(address) { (name) } }
                        iframe src=(address) title=(name) loading="lazy" {}
                    }
                }
            }
        }
    }
}

/// One state by itself, as interactive as on its page.
pub fn example(assets: &Assets, style: &str, fragment: &Markup) -> anyhow::Result<Markup> {
    Ok(html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Preview" }
                (raw::style(style))
            }
            body {
                main.example { (fragment) }
                (raw::script(assets.inline("loader.js")?))
            }
        }
    })
}
