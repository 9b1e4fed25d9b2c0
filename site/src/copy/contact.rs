//! The words of the contact page.

use crate::form::Fields;

use super::{
    Meta,
    toml::tables,
    values::{Email, Phone},
};

tables! {
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
        form: ContactForm,
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
    ContactForm {
        /// Stands over the form.
        heading: String,
        /// Stands over it once a message was sent.
        again: String,
        /// Stands in the emptied field then.
        prompt: String,
        /// The words of each field.
        fields: Fields<FieldWords>,
        /// Follows the label of a field that may stay empty.
        optional: String,
        /// How many characters may still be typed, with `{count}`.
        left: String,
        /// Said about a field with more than `{limit}` characters.
        too_long: String,
        /// Said about a field with a character that can't be seen.
        control_character: String,
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
        /// Stands before the e-mail address under the error banner.
        instead: String,
        /// Stands before the e-mail address where the site is served without a form.
        absent: String,
        /// Says what happens with the data.
        privacy: String,
        /// Leads to the page about privacy.
        privacy_link: String,
    }

    /// The words of one field of the contact form.
    FieldWords {
        /// The label.
        label: String,
        /// Said where nothing was typed; a field that is required needs it.
        missing: Option<String> [optional],
        /// Said where the text is no such thing; a field of kind e-mail needs it.
        malformed: Option<String> [optional],
    }

    /// The page that a sent form leads to where scripts are off.
    Sent {
        /// The title of the page.
        title: String,
        /// The page's heading.
        heading: String,
    }
}
