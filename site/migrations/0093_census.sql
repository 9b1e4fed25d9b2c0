-- Messages are counted at each look at the site, without reading what people wrote.
CREATE INDEX messages_census ON messages (state, suspicion, last_error, received_at);
