-- Runs on SQLite and on PostgreSQL. Times are milliseconds since 1970 (UTC).
CREATE TABLE messages (
    -- What the visitor's browser, or a digest of the words, names one submission by.
    submission_id   TEXT    PRIMARY KEY,
    -- The Message-ID of the mail to the team, fixed here so that a repeated send is recognisable.
    message_id      TEXT    NOT NULL,
    received_at     BIGINT  NOT NULL,
    name            TEXT    NOT NULL,
    email           TEXT    NOT NULL,
    company         TEXT    NOT NULL,
    message         TEXT    NOT NULL,
    -- Why a machine may have written it, or nothing.
    suspicion       TEXT    NOT NULL,
    -- 'pending', 'delivered' or 'dead'.
    state           TEXT    NOT NULL,
    -- How often delivery was begun. Whoever has begun it last holds the lease, until next_attempt_at.
    attempts        BIGINT  NOT NULL,
    next_attempt_at BIGINT  NOT NULL,
    last_error      TEXT    NOT NULL,
    -- When the team's mail and the visitor's acknowledgement went out; 0 before.
    sent_at         BIGINT  NOT NULL,
    acknowledged_at BIGINT  NOT NULL
);

CREATE INDEX messages_due ON messages (state, next_attempt_at);
