//! The words of the home page.

use super::{Meta, RoomCopy, lists::FaqEntries, toml::tables, values::Slug};

tables! {
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
        /// Leads from them to the room that visitors can use.
        try_it: String,
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
        /// The room that visitors can use.
        room: RoomCopy,
        /// The service's features.
        points: MissionPoints,
    }

    /// The service's features, each pointing at what shows it in the room.
    MissionPoints {
        /// Points at the players.
        control: Point,
        /// Points at the objects.
        objects: Point,
        /// Points at the log.
        log: Point,
        /// Points at the room's head.
        setup: Point,
        /// Points at the sum.
        sessions: Point,
    }

    /// The questions.
    Faq {
        /// Stands over the questions.
        heading: String,
        /// For whoever has another question.
        otherwise: String,
        /// Leads them to the contact page.
        write: String,
        /// The questions, no two with the same id.
        entries: FaqEntries,
    }

    /// One question.
    FaqEntry {
        /// The fragment identifier that leads to the question.
        id: Slug,
        /// The question.
        question: String,
        /// The answer in a few words, seen before the question is opened.
        gist: Option<String> [optional],
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
}
