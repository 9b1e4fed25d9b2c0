//! The words of the page about privacy.

use super::{Meta, toml::tables};

tables! {
    /// The page about privacy.
    Privacy {
        /// Title and tags.
        meta: Meta,
        /// The page's heading.
        heading: String,
        /// The sentence under it.
        intro: String,
        /// What is stored of a message.
        message: Paragraphs,
        /// What it takes to limit how many one visitor sends.
        limit: Paragraphs,
        /// Who gets a message, and for how long.
        stay: MessageStay,
        /// What the site knows about whoever looks around.
        visit: Paragraphs,
        /// Stands before the e-mail address that answers questions.
        questions: PrivacyQuestions,
    }

    /// Who gets a message, and for how long. The page shows what is true of the site as it is set up.
    MessageStay {
        /// Stands over the sentences.
        heading: String,
        /// Said where messages are mailed to the team.
        mailed: String,
        /// Said where they are not.
        kept: String,
        /// Said where messages are deleted after `{days}` days.
        deleted: String,
        /// Said where they are not.
        stays: String,
        /// Said of the mails, where there are any, after what is said of the messages.
        mailbox: String,
    }

    /// A heading with its paragraphs.
    Paragraphs {
        /// The heading.
        heading: String,
        /// The paragraphs.
        text: Vec<String>,
    }

    /// Where to ask.
    PrivacyQuestions {
        /// The heading.
        heading: String,
        /// Stands before the contact page's e-mail address.
        text: String,
    }
}
