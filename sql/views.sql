-- What people read. security_invoker: the reader's own rights and row-level security decide. A text that begins with
-- the character 1 is sealed (or escaped); all others are plain, and no function is called for them.
CREATE VIEW memory.messages WITH (security_barrier, security_invoker) AS
    SELECT user_id, id, session_id, turn_id, role,
           CASE WHEN pg_catalog.starts_with(content, pg_catalog.chr(1))
                THEN @extschema@.memory_reveal(content, 'stored_messages.content', user_id, id)
                ELSE content END AS content,
           emotion, intent, processing_time, cached, metadata,
           tokens, created_at
    FROM memory.stored_messages;

CREATE VIEW memory.summaries WITH (security_barrier, security_invoker) AS
    SELECT user_id, id, session_id,
           CASE WHEN pg_catalog.starts_with(content, pg_catalog.chr(1))
                THEN @extschema@.memory_reveal(content, 'stored_summaries.content', user_id, id)
                ELSE content END AS content,
           topics, emotion, importance, source, first_message, last_message,
           message_count, metadata, created_at
    FROM memory.stored_summaries;

COMMENT ON VIEW memory.messages IS 'Every message to the letter';
COMMENT ON COLUMN memory.messages.user_id IS 'The data subject';
COMMENT ON COLUMN memory.messages.id IS 'The message; ids sort by time';
COMMENT ON COLUMN memory.messages.session_id IS 'The conversation';
COMMENT ON COLUMN memory.messages.turn_id IS 'The turn: the id of the user''s message that opened it';
COMMENT ON COLUMN memory.messages.role IS 'user, assistant, system or tool';
COMMENT ON COLUMN memory.messages.content IS 'The text';
COMMENT ON COLUMN memory.messages.emotion IS 'The emotion that the application found in it';
COMMENT ON COLUMN memory.messages.intent IS 'The intent that the application found in it';
COMMENT ON COLUMN memory.messages.processing_time IS 'Seconds that the answer took';
COMMENT ON COLUMN memory.messages.cached IS 'Whether the answer came from a cache';
COMMENT ON COLUMN memory.messages.metadata IS 'Whatever the application keeps with it';
COMMENT ON COLUMN memory.messages.tokens IS 'Estimated tokens of the content';
COMMENT ON COLUMN memory.messages.created_at IS 'When it was said';

COMMENT ON VIEW memory.summaries IS 'Summaries of sessions';
COMMENT ON COLUMN memory.summaries.user_id IS 'The data subject';
COMMENT ON COLUMN memory.summaries.id IS 'The summary';
COMMENT ON COLUMN memory.summaries.session_id IS 'The conversation that it sums up';
COMMENT ON COLUMN memory.summaries.content IS 'The text';
COMMENT ON COLUMN memory.summaries.topics IS 'What it is about';
COMMENT ON COLUMN memory.summaries.emotion IS 'The mood of the conversation';
COMMENT ON COLUMN memory.summaries.importance IS 'From 0 to 1';
COMMENT ON COLUMN memory.summaries.source IS 'Who made it';
COMMENT ON COLUMN memory.summaries.first_message IS 'The first message that it covers';
COMMENT ON COLUMN memory.summaries.last_message IS 'The last message that it covers';
COMMENT ON COLUMN memory.summaries.message_count IS 'How many messages it covers';
COMMENT ON COLUMN memory.summaries.metadata IS 'Whatever the application keeps with it';
COMMENT ON COLUMN memory.summaries.created_at IS 'When it was made';
