-- Messages are read from the newest on, some at a time.
CREATE INDEX messages_newest ON messages (received_at, submission_id);
