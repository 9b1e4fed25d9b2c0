//! Reads a TOML document into types and collects every mistake on the way, each with its place.

use toml_span::{Span, Value, value::Table, value::ValueInner};

/// A type that can be read from a TOML value.
pub(super) trait Read: Sized {
    /// Returns nothing where the value is no such thing; the reader then holds the mistake.
    fn read(value: &mut Value<'_>, reader: &mut Reader) -> Option<Self>;

    /// What stands for a field that the file leaves out, where it may.
    fn left_out() -> Option<Self> {
        None
    }
}

/// The mistakes so far and the path of the value that is being read.
#[derive(Default)]
pub(super) struct Reader {
    path: Vec<String>,
    mistakes: Vec<Found>,
}

/// A mistake at a byte offset of the document.
pub(super) struct Found {
    pub(super) offset: usize,
    pub(super) field: String,
    pub(super) message: String,
}

impl Reader {
    /// Everything that was refused, in the order of the file.
    pub(super) fn into_mistakes(mut self) -> Vec<Found> {
        self.mistakes.sort_by_key(|found| found.offset);
        self.mistakes
    }

    /// Refuses the value that is being read.
    pub(super) fn refuse<T>(&mut self, span: Span, message: impl Into<String>) -> Option<T> {
        self.mistakes.push(Found {
            offset: span.start,
            field: self.path.join("."),
            message: message.into(),
        });
        None
    }

    /// Reads a value that a key or an index leads to.
    fn inside<T: Read>(&mut self, key: String, value: &mut Value<'_>) -> Option<T> {
        self.path.push(key);
        let read = T::read(value, self);
        self.path.pop();
        read
    }

    /// Takes the value as a table.
    pub(super) fn table<'de>(&mut self, value: &mut Value<'de>) -> Option<Table<'de>> {
        match value.take() {
            ValueInner::Table(table) => Some(table),
            other => self.refuse(value.span, wanted("a table", &other)),
        }
    }

    /// Takes one field out of a table.
    pub(super) fn field<T: Read>(
        &mut self,
        table: &mut Table<'_>,
        span: Span,
        name: &'static str,
    ) -> Option<T> {
        if let Some(mut value) = table.remove(name) {
            return self.inside(name.to_owned(), &mut value);
        }
        T::left_out().or_else(|| self.refuse(span, format!("`{name}` is missing")))
    }

    /// Refuses what is left in a table after all its fields were taken.
    pub(super) fn nothing_else(&mut self, table: Table<'_>, fields: &[&str]) {
        for key in table.into_keys() {
            let message = format!(
                "`{}` is not a field here; expected one of: {}",
                key.name,
                fields.join(", ")
            );
            self.refuse::<()>(key.span, message);
        }
    }
}

/// Says what was expected in words that fit a text file.
pub(super) fn wanted(expected: &str, found: &ValueInner<'_>) -> String {
    format!(
        "expected {expected}, found {}",
        match found {
            ValueInner::String(_) => "a text",
            ValueInner::Integer(_) | ValueInner::Float(_) => "a number",
            ValueInner::Boolean(_) => "true or false",
            ValueInner::Array(_) => "a list",
            ValueInner::Table(_) => "a table",
        }
    )
}

/// A text that isn't empty.
impl Read for String {
    fn read(value: &mut Value<'_>, reader: &mut Reader) -> Option<Self> {
        match value.take() {
            ValueInner::String(text) if !text.trim().is_empty() => Some(text.into_owned()),
            ValueInner::String(_) => {
                reader.refuse(value.span, "expected a text, found an empty one")
            }
            other => reader.refuse(value.span, wanted("a text", &other)),
        }
    }
}

/// `false` where it is left out.
impl Read for bool {
    fn read(value: &mut Value<'_>, reader: &mut Reader) -> Option<Self> {
        match value.take() {
            ValueInner::Boolean(flag) => Some(flag),
            other => reader.refuse(value.span, wanted("true or false", &other)),
        }
    }

    fn left_out() -> Option<Self> {
        Some(false)
    }
}

impl Read for u16 {
    fn read(value: &mut Value<'_>, reader: &mut Reader) -> Option<Self> {
        match value.take() {
            ValueInner::Integer(number) => Self::try_from(number)
                .ok()
                .or_else(|| reader.refuse(value.span, "expected a number from 0 to 65535")),
            other => reader.refuse(value.span, wanted("a whole number", &other)),
        }
    }
}

impl<T: Read> Read for Option<T> {
    fn read(value: &mut Value<'_>, reader: &mut Reader) -> Option<Self> {
        T::read(value, reader).map(Some)
    }

    fn left_out() -> Option<Self> {
        Some(None)
    }
}

/// A list with at least one element; every element is read, also after one that was refused.
impl<T: Read> Read for Vec<T> {
    fn read(value: &mut Value<'_>, reader: &mut Reader) -> Option<Self> {
        match value.take() {
            ValueInner::Array(items) if items.is_empty() => {
                reader.refuse(value.span, "expected at least one element, found an empty list")
            }
            ValueInner::Array(items) => {
                let read: Vec<_> = items
                    .into_iter()
                    .enumerate()
                    .map(|(index, mut item)| reader.inside((index + 1).to_string(), &mut item))
                    .collect();
                read.into_iter().collect()
            }
            other => reader.refuse(value.span, wanted("a list", &other)),
        }
    }
}

/// Defines structs whose fields are the fields of a TOML table, each with its doc comment.
macro_rules! tables {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $type,)*
        }

        impl Read for $name {
            fn read(value: &mut toml_span::Value<'_>, reader: &mut Reader) -> Option<Self> {
                let span = value.span;
                let mut table = reader.table(value)?;
                $(let $field = reader.field(&mut table, span, stringify!($field));)*
                reader.nothing_else(table, &[$(stringify!($field)),*]);
                Some(Self { $($field: $field?,)* })
            }
        }
    )*};
}
pub(super) use tables;
