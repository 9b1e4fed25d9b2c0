-- Messages are counted at each look at the site, without reading what people wrote. An error is in no
-- index: PostgreSQL takes no value of more than 2,700 bytes there.
CREATE INDEX messages_census ON messages (state, suspicion, received_at);
CREATE INDEX messages_postponed ON messages (received_at) WHERE state = 'pending' AND last_error <> '';
