//! The contract with the component library: each section and its props.
//!
//! `components/src/contract.ts` is generated from these types and from the copy's by `site contract`.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use strum::{IntoStaticStr, VariantNames};
use ts_rs::TS;

use crate::{
    copy::{self, SiteCopy},
    form::{ContactDraft, ContactField, FIELDS, FieldRule},
    svg,
};

/// How long 'Sending...' shows at least, in milliseconds (docs/behaviour.md, "Contact form").
const SEND_DELAY_MS: u32 = 1500;

/// A part of a page that is a React component, with everything that it shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, IntoStaticStr, VariantNames)]
#[serde(tag = "name", content = "props")]
#[expect(clippy::large_enum_variant, reason = "a few dozen exist, while an edition is made")]
pub enum Section {
    /// The navigation bar of every page.
    NavBar(NavBarProps),
    /// The plans on the pricing page.
    PricingCards(PricingCardsProps),
    /// The questions on the home page.
    FaqAccordion(FaqAccordionProps),
    /// The message form on the contact page.
    ContactForm(ContactFormProps),
    /// The room on the home page that visitors can use.
    Room(RoomProps),
    /// The estimate of a game's traffic on the pricing page.
    Estimate(EstimateProps),
}

impl Section {
    /// The component's name, as the sidecar's registry knows it.
    pub fn name(&self) -> &'static str {
        self.into()
    }

    /// The section with its props as the sidecar reads it; in the same bytes for equal sections.
    #[expect(
        clippy::expect_used,
        clippy::missing_panics_doc,
        reason = "props hold texts, numbers, flags, and lists and tables of them"
    )]
    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("props are JSON")
    }

    /// The folder of the component: its name in kebab case.
    pub fn folder(&self) -> String {
        let mut folder = String::new();
        for letter in self.name().chars() {
            if letter.is_uppercase() && !folder.is_empty() {
                folder.push('-');
            }
            folder.push(letter.to_ascii_lowercase());
        }
        folder
    }

    /// The section with some of its props replaced, as an example of the component has them.
    pub fn with(&self, props: &Value) -> serde_json::Result<Self> {
        let mut section = serde_json::to_value(self)?;
        merge(&mut section["props"], props);
        serde_json::from_value(section)
    }

    /// Every section once, as a page shows it; the examples of the components differ from these.
    pub fn samples(copy: &SiteCopy) -> Vec<Self> {
        vec![
            Self::NavBar(NavBarProps::new(copy, None)),
            Self::PricingCards(PricingCardsProps::new(copy)),
            Self::FaqAccordion(FaqAccordionProps::new(copy)),
            Self::ContactForm(ContactFormProps::new(copy)),
            Self::Room(RoomProps::new(copy)),
            Self::Estimate(EstimateProps::new(copy)),
        ]
    }
}

const MARK: &str = include_str!("../../assets/images/mark.svg");

/// What the navigation bar shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NavBarProps {
    /// The product's name.
    pub brand: String,
    /// The product's mark beside it, as SVG.
    pub mark: String,
    /// Where the links to other sites lead.
    pub links: copy::Links,
    /// The path of the page that is shown, or null where the navigation doesn't name it.
    pub current: Option<String>,
    /// The bar's own words.
    pub copy: copy::Navigation,
}

impl NavBarProps {
    /// The navigation bar of the page at the path `current`.
    pub fn new(copy: &SiteCopy, current: Option<&str>) -> Self {
        Self {
            brand: copy.site.name.clone(),
            mark: svg::inline(MARK),
            links: copy.links.clone(),
            current: current.map(str::to_owned),
            copy: copy.navigation.clone(),
        }
    }
}

/// What the pricing cards show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PricingCardsProps {
    /// Where a plan's button leads that names no destination.
    pub start: copy::Href,
    /// The plans with their words.
    pub copy: copy::PricingCards,
}

impl PricingCardsProps {
    /// The plans of the copy.
    pub fn new(copy: &SiteCopy) -> Self {
        Self { start: copy.links.start().clone(), copy: copy.pricing.cards.clone() }
    }
}

/// What the FAQ shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FaqAccordionProps {
    /// The questions, in order.
    pub entries: copy::FaqEntries,
}

impl FaqAccordionProps {
    /// The questions of the copy.
    pub fn new(copy: &SiteCopy) -> Self {
        Self { entries: copy.home.faq.entries.clone() }
    }
}

/// What the room shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RoomProps {
    /// The room's words.
    pub copy: copy::RoomCopy,
}

impl RoomProps {
    /// The room at rest.
    pub fn new(copy: &SiteCopy) -> Self {
        Self { copy: copy.home.mission.room.clone() }
    }
}

/// What the estimate shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EstimateProps {
    /// The estimate's words.
    pub copy: copy::EstimateCopy,
    /// What the plans carry, the smallest first.
    pub plans: copy::Plans,
}

impl EstimateProps {
    /// The estimate before anybody typed.
    pub fn new(copy: &SiteCopy) -> Self {
        let plans = copy.pricing.cards.plans.smallest_first();
        Self { copy: copy.pricing.estimate.clone(), plans }
    }
}

/// What the contact form shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ContactFormProps {
    /// Where the form is posted to.
    pub action: String,
    /// The fields, in order.
    pub fields: Vec<FieldRule>,
    /// The banner that the form starts with.
    pub state: ContactFormState,
    /// What the fields start with.
    pub draft: ContactDraft,
    /// What is wrong with the draft.
    pub errors: Vec<FieldError>,
    /// The form's own words.
    pub copy: copy::ContactForm,
    /// Where to write when the form fails.
    pub email: String,
    /// How long 'Sending...' shows at least, in milliseconds.
    pub send_delay_ms: u32,
}

impl ContactFormProps {
    /// The form as a visitor finds it.
    pub fn new(copy: &SiteCopy) -> Self {
        Self {
            action: "/contact".to_owned(),
            fields: FIELDS.to_vec(),
            state: ContactFormState::Idle,
            draft: ContactDraft::default(),
            errors: Vec::new(),
            copy: copy.contact.form.clone(),
            email: copy.contact.office.email.as_str().to_owned(),
            send_delay_ms: SEND_DELAY_MS,
        }
    }
}

/// The state of the contact form (docs/behaviour.md, "Contact form"). The server renders all but
/// `Sent`: where the form is sent without scripts, a page of its own has that banner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
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

/// What is wrong with one field, as a sentence for the visitor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FieldError {
    /// The field.
    pub field: ContactField,
    /// What is wrong and what to do.
    pub message: String,
}

/// Tables are merged, everything else is replaced (RFC 7396, but for null, which is a value here).
fn merge(value: &mut Value, change: &Value) {
    match (value, change) {
        (Value::Object(value), Value::Object(change)) => {
            for (key, change) in change {
                merge(value.entry(key).or_insert(Value::Null), change);
            }
        }
        (value, change) => *value = change.clone(),
    }
}
