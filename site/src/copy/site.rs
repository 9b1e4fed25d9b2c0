//! What all pages share: the root of `site.toml`, the brand, links and errors.

use super::{
    Contact, Footer, Home, Mail, Navigation, Pricing, Privacy,
    toml::tables,
    values::{Day, Href, Language, Origin, Year},
};

tables! {
    /// Everything that the site says.
    SiteCopy {
        /// Facts about the site as a whole.
        site: Brand,
        /// Addresses outside of the site.
        links: Links,
        /// The navigation bar.
        navigation: Navigation,
        /// The footer.
        footer: Footer,
        /// The home page.
        home: Home,
        /// The pricing page.
        pricing: Pricing,
        /// The contact page.
        contact: Contact,
        /// The page about privacy.
        privacy: Privacy,
        /// The mails that a message becomes.
        mail: Mail,
        /// The error view.
        errors: Errors,
    }

    /// Facts about the site as a whole.
    Brand {
        /// The product's name.
        name: String,
        /// The site's public address; canonical links, the site map and social tags derive from it.
        address: Origin,
        /// The language of the copy (BCP 47).
        language: Language,
        /// The year in the copyright line.
        copyright_year: Year,
        /// The day from which security.txt no longer holds (RFC 9116, section 2.5.5).
        security_expires: Day,
    }

    /// Addresses outside of the site.
    Links {
        /// The root of the external application.
        application: Href,
        /// The documentation.
        documentation: Href,
        /// Where one signs up, if not at the application's root.
        sign_up: Option<Href> [optional],
    }

    /// A link that may have nowhere to go yet.
    Link {
        /// The text.
        label: String,
        /// The destination, or a placeholder without one.
        href: Option<Href> [optional],
    }

    /// What search engines and link previews are told about a page.
    Meta {
        /// The title of the page.
        title: String,
        /// One or two sentences.
        description: String,
        /// Search words.
        keywords: Vec<String>,
        /// What the social card shows, for those who don't see it.
        card: String,
        /// The day on which the page last said something new, for the site map.
        updated: Option<Day> [optional],
    }

    /// The error view.
    Errors {
        /// The heading of every error (docs/behaviour.md, "Errors").
        heading: String,
        /// The way home.
        home: String,
        /// The way to the contact page.
        contact: String,
        /// The way back to the same address, where that may help.
        again: String,
        /// What happened to a request for a page that there isn't, line by line.
        not_found: Vec<String>,
        /// What happened to a request that came before there were any pages, line by line.
        unavailable: Vec<String>,
    }
}

impl Links {
    /// Where the start buttons lead: where one signs up, or else the application's root.
    pub fn start(&self) -> &Href {
        self.sign_up.as_ref().unwrap_or(&self.application)
    }
}
