//! The contract with the component library: each section and its props.
//!
//! This file is the source; `components/src/contract.ts` is generated from it by `site contract`,
//! and the test `contract_is_current` fails when the two differ.

mod from_content;

use serde::{Deserialize, Serialize};
use ts_rs::{Config, TS};

/// A part of a page that is a React component, with everything that it shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "name", content = "props")]
#[expect(clippy::large_enum_variant, reason = "a handful exist at a time")]
pub enum Section {
    /// The navigation bar of every page.
    NavBar(NavBarProps),
    /// The plans on the pricing page.
    PricingCards(PricingCardsProps),
    /// The questions on the home page.
    FaqAccordion(FaqAccordionProps),
    /// The message form on the contact page.
    ContactForm(ContactFormProps),
}

impl Section {
    /// The component's name, as the sidecar's registry knows it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NavBar(_) => "NavBar",
            Self::PricingCards(_) => "PricingCards",
            Self::FaqAccordion(_) => "FaqAccordion",
            Self::ContactForm(_) => "ContactForm",
        }
    }
}

/// A link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Link {
    /// The text of the link.
    pub label: String,
    /// A path of this site or an absolute address.
    pub href: String,
    /// Whether it opens in a new tab.
    pub new_tab: bool,
}

/// What the navigation bar shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NavBarProps {
    /// The product's name, beside the logo.
    pub brand: String,
    /// The links, in order.
    pub links: Vec<Link>,
    /// The link that looks like a button.
    pub dashboard: Link,
    /// The path of the page that is shown, or null where the navigation doesn't name it.
    pub current: Option<String>,
    /// The bar's own words.
    pub copy: NavBarCopy,
}

/// The navigation bar's own words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NavBarCopy {
    /// The name of the landmark.
    pub navigation: String,
    /// What is read after the brand in the logo's link.
    pub home: String,
    /// The menu button's name while the menu is closed.
    pub open_menu: String,
    /// The menu button's name while the menu is open.
    pub close_menu: String,
    /// Read after a link that opens in a new tab.
    pub new_tab: String,
}

/// What the pricing cards show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PricingCardsProps {
    /// The plans, in order.
    pub plans: Vec<Plan>,
}

/// One plan (specification, section 3: pricing plan).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Plan {
    /// The plan's name.
    pub name: String,
    /// The price with its currency sign.
    pub price: String,
    /// What the price is for.
    pub period: String,
    /// Whom the plan is for.
    pub description: String,
    /// The bandwidth that is included.
    pub bandwidth: String,
    /// The support that is included.
    pub support: String,
    /// What all plans include.
    pub features: Vec<String>,
    /// Whether the card stands out.
    pub highlighted: bool,
    /// Where the card's button leads.
    pub action: Link,
    /// The card's own words.
    pub copy: PlanCopy,
}

/// A plan card's own words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlanCopy {
    /// Names the bandwidth.
    pub bandwidth: String,
    /// Names the support.
    pub support: String,
    /// Stands over the features.
    pub features: String,
}

/// What the FAQ shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FaqAccordionProps {
    /// The questions, in order.
    pub entries: Vec<FaqEntry>,
}

/// One question and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FaqEntry {
    /// The fragment identifier that leads to the question.
    pub id: String,
    /// The question.
    pub question: String,
    /// The paragraphs of the answer.
    pub answer: Vec<String>,
}

/// What the contact form shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ContactFormProps {
    /// Where the form is posted to.
    pub action: String,
    /// The banner that the form starts with.
    pub state: ContactFormState,
    /// What the fields start with.
    pub draft: ContactDraft,
    /// What is wrong with the draft.
    pub errors: Vec<FieldError>,
    /// The form's own words.
    pub copy: ContactFormCopy,
    /// How long 'Sending...' shows at least, in milliseconds.
    pub send_delay_ms: u32,
}

/// The state of the contact form as the server renders it (specification, section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum ContactFormState {
    /// No banner.
    Idle,
    /// The success banner.
    Sent,
    /// The error banner; the fields keep what was typed.
    Failed,
    /// The banner that asks to wait; the fields keep what was typed.
    Limited,
}

/// The text of the contact form's fields, as typed.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ContactDraft {
    /// The sender's name.
    pub name: String,
    /// The sender's e-mail address.
    pub email: String,
    /// The sender's company, or nothing.
    pub company: String,
    /// The message.
    pub message: String,
}

/// Hides what a visitor typed: a draft in a log or a panic message would be a leak.
impl std::fmt::Debug for ContactDraft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ContactDraft(…)")
    }
}

/// A field of the contact form; its name in the posted form, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum ContactField {
    /// The sender's name.
    Name,
    /// The sender's e-mail address.
    Email,
    /// The sender's company.
    Company,
    /// The message.
    Message,
}

/// What is wrong with one field, as a sentence for the visitor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FieldError {
    /// The field.
    pub field: ContactField,
    /// What is wrong and what to do.
    pub message: String,
}

/// The contact form's own words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ContactFormCopy {
    /// Stands over the form.
    pub heading: String,
    /// Labels the name.
    pub name: String,
    /// Labels the e-mail address.
    pub email: String,
    /// Labels the company.
    pub company: String,
    /// Labels the message.
    pub message: String,
    /// Follows the label of a field that may stay empty.
    pub optional: String,
    /// The button.
    pub submit: String,
    /// The button while the message is on its way.
    pub sending: String,
    /// The success banner.
    pub success: String,
    /// The error banner.
    pub failure: String,
    /// The banner for a visitor who has sent too many messages.
    pub limited: String,
    /// Stands over the list of field errors.
    pub error_summary: String,
    /// Stands before the page's title and each field error.
    pub error_prefix: String,
    /// Says what happens with the data.
    pub privacy: String,
}

/// The TypeScript text of the contract: `components/src/contract.ts`.
pub fn contract() -> String {
    let config = Config::default();
    let types = [
        declared::<Section>(&config),
        declared::<Link>(&config),
        declared::<NavBarProps>(&config),
        declared::<NavBarCopy>(&config),
        declared::<PricingCardsProps>(&config),
        declared::<Plan>(&config),
        declared::<PlanCopy>(&config),
        declared::<FaqAccordionProps>(&config),
        declared::<FaqEntry>(&config),
        declared::<ContactFormProps>(&config),
        declared::<ContactFormState>(&config),
        declared::<ContactDraft>(&config),
        declared::<ContactField>(&config),
        declared::<FieldError>(&config),
        declared::<ContactFormCopy>(&config),
    ];
    let origin = "// Generated from site/src/sections.rs by `make contract`: change it there.\n";
    format!("{origin}\n{}", types.join("\n"))
}

fn declared<T: TS>(config: &Config) -> String {
    format!("{}export {}\n", T::docs().unwrap_or_default(), T::decl(config))
}
