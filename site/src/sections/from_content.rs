//! The sections of this site, made from its copy.

use crate::content::{Content, FooterLink, Href, PlanItem};

use super::{
    ContactDraft, ContactFormCopy, ContactFormProps, ContactFormState, FaqAccordionProps, FaqEntry,
    FieldError, Link, NavBarCopy, NavBarProps, Plan, PlanCopy, PricingCardsProps,
};

/// How long 'Sending...' shows at least, in milliseconds (specification, section 9).
pub const SEND_DELAY_MS: u32 = 1500;

impl Link {
    /// A link in this tab.
    fn here(label: &str, href: &str) -> Self {
        Self { label: label.to_owned(), href: href.to_owned(), new_tab: false }
    }

    /// A link in a new tab.
    fn new_tab(label: &str, href: &Href) -> Self {
        Self { label: label.to_owned(), href: href.as_str().to_owned(), new_tab: true }
    }
}

impl NavBarProps {
    /// The navigation bar of the page at the path `current`.
    pub fn new(content: &Content, current: Option<&str>) -> Self {
        let words = &content.navigation;
        Self {
            brand: content.site.name.clone(),
            links: vec![
                Link::here(&words.pricing, "/pricing"),
                Link::here(&words.contact, "/contact"),
                Link::new_tab(&words.documentation, &content.links.documentation),
            ],
            dashboard: Link::new_tab(&words.dashboard, &content.links.application),
            current: current.map(str::to_owned),
            copy: NavBarCopy {
                navigation: words.label.clone(),
                home: words.home.clone(),
                open_menu: words.open_menu.clone(),
                close_menu: words.close_menu.clone(),
                new_tab: words.new_tab.clone(),
            },
        }
    }
}

impl PricingCardsProps {
    /// The plans of the content file.
    pub fn new(content: &Content) -> Self {
        Self { plans: content.pricing.plans.0.iter().map(|plan| card(content, plan)).collect() }
    }
}

fn card(content: &Content, plan: &PlanItem) -> Plan {
    let PlanItem { name, price, period, description, bandwidth, support, highlighted, action } =
        plan.clone();
    let FooterLink { label, href } = action;
    let pricing = &content.pricing;
    Plan {
        name,
        price,
        period,
        description,
        bandwidth,
        support,
        features: pricing.included.clone(),
        highlighted,
        action: Link::here(&label, href.as_ref().unwrap_or(content.links.start()).as_str()),
        copy: PlanCopy {
            bandwidth: pricing.bandwidth.clone(),
            support: pricing.support.clone(),
            features: pricing.included_heading.clone(),
        },
    }
}

impl FaqAccordionProps {
    /// The questions of the content file.
    pub fn new(content: &Content) -> Self {
        let entry = |item: &crate::content::FaqItem| FaqEntry {
            id: item.id.as_str().to_owned(),
            question: item.question.clone(),
            answer: item.answer.clone(),
        };
        Self { entries: content.home.faq.entries.0.iter().map(entry).collect() }
    }
}

impl ContactFormProps {
    /// The form as a visitor finds it.
    pub fn empty(content: &Content) -> Self {
        Self::new(content, ContactFormState::Idle, ContactDraft::default(), Vec::new())
    }

    /// The form in any of its states.
    pub fn new(
        content: &Content,
        state: ContactFormState,
        draft: ContactDraft,
        errors: Vec<FieldError>,
    ) -> Self {
        let words = content.contact.form.clone();
        Self {
            action: "/contact".to_owned(),
            state,
            draft,
            errors,
            copy: ContactFormCopy {
                heading: words.heading,
                name: words.name,
                email: words.email,
                company: words.company,
                message: words.message,
                optional: words.optional,
                submit: words.submit,
                sending: words.sending,
                success: words.success,
                failure: words.failure,
                limited: words.limited,
                error_summary: words.error_summary,
                error_prefix: words.error_prefix,
                privacy: words.privacy,
            },
            send_delay_ms: SEND_DELAY_MS,
        }
    }
}
