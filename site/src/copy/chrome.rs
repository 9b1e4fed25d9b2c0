//! The words around every page: navigation and footer.

use super::{Link, toml::tables};

tables! {
    /// The navigation bar's words.
    Navigation {
        /// The name of the landmark.
        label: String,
        /// Read after the brand in the logo's link.
        home: String,
        /// Leads to the pricing page.
        pricing: String,
        /// Leads to the contact page.
        contact: String,
        /// Leads to the documentation.
        documentation: String,
        /// Leads to the external application.
        dashboard: String,
        /// The menu button's name while the menu is closed.
        open_menu: String,
        /// The menu button's name while the menu is open.
        close_menu: String,
        /// Read after a link that opens in a new tab.
        new_tab: String,
        /// The skip link.
        skip: String,
    }

    /// The footer.
    Footer {
        /// The name of the footer's navigation landmark.
        label: String,
        /// Stands under the logo.
        tagline: String,
        /// The name of the list of social links.
        social_label: String,
        /// The columns of links.
        columns: Vec<FooterColumn>,
        /// The social networks.
        social: Social,
        /// Leads to the page about privacy.
        privacy: String,
    }

    /// A column of the footer.
    FooterColumn {
        /// Stands over the links.
        heading: String,
        /// The links.
        links: Vec<Link>,
    }

    /// The social networks, each with a mark of its own.
    Social {
        /// X.
        x: Link,
        /// TikTok.
        tiktok: Link,
        /// Discord.
        discord: Link,
    }
}
