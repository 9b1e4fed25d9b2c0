//! The tables and fields of `site.toml`, as types.

use super::{
    reader::{Read, Reader, tables},
    values::{Email, FaqItems, Href, Origin, Phone, PlanItems, Slug},
};

tables! {
    /// Everything that the site says.
    Content {
        /// Facts about the site as a whole.
        site: Site,
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
        /// The mails that a message becomes.
        mail: Mail,
        /// The error view.
        errors: Errors,
    }

    /// Facts about the site as a whole.
    Site {
        /// The product's name.
        name: String,
        /// The site's public address; canonical links, the site map and social tags derive from it.
        address: Origin,
        /// The language of the copy (BCP 47).
        language: String,
        /// The year in the copyright line.
        copyright_year: u16,
    }

    /// Addresses outside of the site.
    Links {
        /// The root of the external application.
        application: Href,
        /// The documentation.
        documentation: Href,
        /// Where one signs up, if not at the application's root.
        sign_up: Option<Href>,
    }

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
    }

    /// A column of the footer.
    FooterColumn {
        /// Stands over the links.
        heading: String,
        /// The links.
        links: Vec<FooterLink>,
    }

    /// A link that may have nowhere to go yet.
    FooterLink {
        /// The text.
        label: String,
        /// The destination, or a placeholder without one.
        href: Option<Href>,
    }

    /// The social networks, each with a mark of its own.
    Social {
        /// X.
        x: FooterLink,
        /// TikTok.
        tiktok: FooterLink,
        /// Discord.
        discord: FooterLink,
    }

    /// What search engines and link previews are told about a page.
    Meta {
        /// The title of the page.
        title: String,
        /// One or two sentences.
        description: String,
        /// Search words.
        keywords: Vec<String>,
    }

    /// The home page.
    Home {
        /// Title and tags.
        meta: Meta,
        /// The first section.
        hero: Hero,
        /// The three highlights.
        features: Features,
        /// The mission.
        mission: Mission,
        /// The questions.
        faq: Faq,
        /// The closing call to action.
        closing: HomeClosing,
    }

    /// The first section of the home page.
    Hero {
        /// The page's heading.
        headline: String,
        /// The pitch.
        text: String,
        /// The button to the external application.
        action: String,
        /// The quieter link beside the button.
        secondary: String,
        /// Stands under the product views.
        caption: String,
        /// The alternative texts of the product views.
        views: Views,
    }

    /// The alternative texts of the three product views.
    Views {
        /// Rooms and player control.
        rooms: String,
        /// The realtime networking log.
        log: String,
        /// The live room objects.
        objects: String,
    }

    /// The three highlights.
    Features {
        /// Stands over the highlights.
        heading: String,
        /// One sentence under the heading.
        intro: String,
        /// The first highlight.
        speed: Point,
        /// The second highlight.
        security: Point,
        /// The third highlight.
        reliability: Point,
    }

    /// A heading with a sentence.
    Point {
        /// The heading.
        heading: String,
        /// The sentence.
        text: String,
    }

    /// The mission.
    Mission {
        /// Stands over the statement.
        heading: String,
        /// The mission itself.
        statement: String,
        /// What follows from it.
        text: String,
        /// The service's features.
        points: Vec<Point>,
    }

    /// The questions.
    Faq {
        /// Stands over the questions.
        heading: String,
        /// The questions, no two with the same id.
        entries: FaqItems,
    }

    /// One question.
    FaqItem {
        /// The fragment identifier that leads to the question.
        id: Slug,
        /// The question.
        question: String,
        /// The paragraphs of the answer.
        answer: Vec<String>,
    }

    /// The closing call to action of the home page.
    HomeClosing {
        /// The heading.
        heading: String,
        /// The sentence under it.
        text: String,
        /// The button to the external application.
        action: String,
    }

    /// The pricing page.
    Pricing {
        /// Title and tags.
        meta: Meta,
        /// The page's heading.
        heading: String,
        /// The sentence under it.
        subtitle: String,
        /// Names the bandwidth of a plan.
        bandwidth: String,
        /// Names the support of a plan.
        support: String,
        /// Stands over what all plans include.
        included_heading: String,
        /// What all plans include.
        included: Vec<String>,
        /// The plans, at most one of them highlighted.
        plans: PlanItems,
        /// The call to action under the plans.
        closing: PricingClosing,
    }

    /// One plan.
    PlanItem {
        /// The plan's name.
        name: String,
        /// The price with its currency sign.
        price: String,
        /// What the price is for.
        period: String,
        /// Whom the plan is for.
        description: String,
        /// The bandwidth that is included.
        bandwidth: String,
        /// The support that is included.
        support: String,
        /// Whether the card stands out.
        highlighted: bool,
        /// The card's button; without a destination it leads to where one signs up.
        action: FooterLink,
    }

    /// The call to action under the plans.
    PricingClosing {
        /// The heading.
        heading: String,
        /// The sentence under it.
        text: String,
        /// The button to where one signs up.
        start: String,
        /// The link to the contact page.
        sales: String,
    }

    /// The contact page.
    Contact {
        /// Title and tags.
        meta: Meta,
        /// The page's heading.
        heading: String,
        /// The sentence under it.
        intro: String,
        /// Where to reach people.
        office: Office,
        /// When to reach people.
        hours: Hours,
        /// The form's words.
        form: Form,
        /// The page that a sent form leads to where scripts are off.
        sent: Sent,
    }

    /// Where to reach people.
    Office {
        /// Stands over the block.
        heading: String,
        /// Names the city.
        city_label: String,
        /// The city.
        city: String,
        /// Names the e-mail address.
        email_label: String,
        /// The e-mail address.
        email: Email,
        /// Names the telephone number.
        phone_label: String,
        /// The telephone number.
        phone: Phone,
    }

    /// When to reach people.
    Hours {
        /// Stands over the lines.
        heading: String,
        /// The hours, a line each.
        lines: Vec<String>,
    }

    /// The contact form's words.
    Form {
        /// Stands over the form.
        heading: String,
        /// Labels the name.
        name: String,
        /// Labels the e-mail address.
        email: String,
        /// Labels the company.
        company: String,
        /// Labels the message.
        message: String,
        /// Follows the label of a field that may stay empty.
        optional: String,
        /// The button.
        submit: String,
        /// The button while the message is on its way.
        sending: String,
        /// The success banner.
        success: String,
        /// The error banner.
        failure: String,
        /// The banner for a visitor who has sent too many messages.
        limited: String,
        /// Stands over the list of field errors.
        error_summary: String,
        /// Stands before the page's title and each field error.
        error_prefix: String,
        /// Says what happens with the data.
        privacy: String,
        /// What is said about a field that can't be taken as it is.
        errors: FormErrors,
    }

    /// What is said about a field that can't be taken as it is.
    FormErrors {
        /// No name.
        name_missing: String,
        /// No e-mail address.
        email_missing: String,
        /// No such thing as an e-mail address.
        email_malformed: String,
        /// No message.
        message_missing: String,
        /// More than `{limit}` characters.
        too_long: String,
        /// A character that can't be seen.
        control_character: String,
    }

    /// The page that a sent form leads to where scripts are off.
    Sent {
        /// The title of the page.
        title: String,
    }

    /// The mails that a message becomes.
    Mail {
        /// To the team.
        team: TeamMail,
        /// To the visitor.
        acknowledgement: Acknowledgement,
    }

    /// The mail to the team.
    TeamMail {
        /// The subject; `{name}` stands for the visitor's name.
        subject: String,
        /// Stands before the subject of a message that a machine may have written.
        suspected: String,
        /// Names the reason for that.
        suspicion: String,
        /// Names the time.
        received: String,
    }

    /// The mail to the visitor.
    Acknowledgement {
        /// The subject.
        subject: String,
        /// The text.
        paragraphs: Vec<String>,
    }

    /// The error view.
    Errors {
        /// The heading of every error (specification, section 8).
        heading: String,
        /// The way home.
        home: String,
        /// The way to the contact page.
        contact: String,
    }
}

impl Links {
    /// Where the start buttons lead: where one signs up, or else the application's root.
    pub fn start(&self) -> &Href {
        self.sign_up.as_ref().unwrap_or(&self.application)
    }
}
