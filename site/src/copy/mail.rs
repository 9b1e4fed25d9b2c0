//! The words of the mails that a message becomes.

use super::toml::tables;

tables! {
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
}
