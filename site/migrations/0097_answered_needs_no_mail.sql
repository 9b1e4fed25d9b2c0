-- The team has what it has answered: where mail is set up later, none is sent for it.
UPDATE messages SET state = 'delivered' WHERE answered_at > 0;
