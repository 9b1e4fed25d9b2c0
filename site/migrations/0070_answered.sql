-- When somebody noted that the message was answered; 0 before.
ALTER TABLE messages ADD COLUMN answered_at BIGINT NOT NULL DEFAULT 0;
