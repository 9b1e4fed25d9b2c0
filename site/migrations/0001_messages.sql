-- Runs on SQLite and on PostgreSQL. Times are milliseconds since 1970 (UTC).
CREATE TABLE messages (
    -- What the visitor's browser, or a digest of the words, names one submission by.
    submission_id   TEXT    PRIMARY KEY,
    received_at     BIGINT  NOT NULL,
    name            TEXT    NOT NULL,
    email           TEXT    NOT NULL,
    company         TEXT    NOT NULL,
    message         TEXT    NOT NULL
);
