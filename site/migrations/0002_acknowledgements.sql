-- When an address was last sent acknowledgements, whoever asked for them.
CREATE TABLE acknowledgements (
    -- A digest of the address: nobody's address stays here when their message is deleted.
    address         TEXT    PRIMARY KEY,
    -- The submission that the latest one is for.
    submission_id   TEXT    NOT NULL,
    -- The last three, in milliseconds since 1970; 0 before.
    latest          BIGINT  NOT NULL,
    second          BIGINT  NOT NULL,
    third           BIGINT  NOT NULL
);

-- What people wrote is delivered first, and what a machine may have written makes room.
DROP INDEX messages_due;
CREATE INDEX messages_due ON messages (next_attempt_at) WHERE state = 'pending' AND suspicion = '';
CREATE INDEX suspected_due ON messages (next_attempt_at) WHERE state = 'pending' AND suspicion <> '';
CREATE INDEX suspected ON messages (received_at) WHERE suspicion <> '';
