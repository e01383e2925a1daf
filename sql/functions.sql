-- Who may call a function (PUBLIC may call none), and what it is for.
DO $grants$
DECLARE
    callable pg_catalog.regprocedure;
BEGIN
    FOR callable IN
        SELECT d.objid FROM pg_catalog.pg_depend d
        JOIN pg_catalog.pg_extension e ON d.refobjid OPERATOR(pg_catalog.=) e.oid
        WHERE d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_extension'::pg_catalog.regclass
          AND d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass
          AND e.extname OPERATOR(pg_catalog.=) 'memory_ext'
    LOOP
        EXECUTE pg_catalog.format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', callable);
    END LOOP;
END
$grants$;

GRANT EXECUTE ON FUNCTION
    @extschema@.token_estimate,
    @extschema@.memory_get_recent,
    @extschema@.memory_search_messages,
    @extschema@.memory_list_sessions,
    @extschema@.memory_get_session,
    @extschema@.memory_stats,
    @extschema@.build_context_json
TO memory_reader;

GRANT EXECUTE ON FUNCTION
    @extschema@.memory_start_session,
    @extschema@.memory_end_session,
    @extschema@.memory_add_message,
    @extschema@.memory_add_turn,
    @extschema@.memory_add_summary,
    @extschema@.memory_delete_message,
    @extschema@.memory_delete_session,
    @extschema@.memory_clear
TO memory_writer;

GRANT EXECUTE ON FUNCTION
    @extschema@.memory_set_agent,
    @extschema@.memory_sweep_sessions
TO memory_admin;

COMMENT ON FUNCTION @extschema@.token_estimate IS
    'How many tokens a text costs an LLM, estimated by script; tokenizer: any (never below either), o200k, cl100k';
COMMENT ON FUNCTION @extschema@.memory_set_agent IS
    'Stores an agent''s persona and settings; what is NULL stays as it is, an empty persona removes it';
COMMENT ON FUNCTION @extschema@.memory_start_session IS
    'Starts a session, or opens it again when it ended; gives its id';
COMMENT ON FUNCTION @extschema@.memory_end_session IS
    'Ends a session; false when it had ended before';
COMMENT ON FUNCTION @extschema@.memory_sweep_sessions IS
    'Ends the sessions of all users that were idle for longer than this (memory_ext.session_timeout or the agent''s)';
COMMENT ON FUNCTION @extschema@.memory_add_message IS
    'Appends a message to a session, which is started when it is missing; gives the message''s id';
COMMENT ON FUNCTION @extschema@.memory_add_turn IS
    'Appends a user''s message and its answer as one unit';
COMMENT ON FUNCTION @extschema@.memory_add_summary IS
    'Stores a summary of a session that the application made itself; gives its id';
COMMENT ON FUNCTION @extschema@.memory_get_recent IS
    'The last messages of a session, oldest first';
COMMENT ON FUNCTION @extschema@.memory_search_messages IS
    'Messages that hold words of the query, best first (BM25; Korean particles and English endings do not matter)';
COMMENT ON FUNCTION @extschema@.memory_list_sessions IS
    'A user''s sessions, last used first, with the number of all that match';
COMMENT ON FUNCTION @extschema@.memory_get_session IS
    'One session';
COMMENT ON FUNCTION @extschema@.memory_delete_message IS
    'Deletes one message for good';
COMMENT ON FUNCTION @extschema@.memory_delete_session IS
    'Deletes a session with its messages and summaries for good; gives the number of messages';
COMMENT ON FUNCTION @extschema@.memory_clear IS
    'Deletes everything that is remembered of a user; needs confirm => true';
COMMENT ON FUNCTION @extschema@.memory_stats IS
    'What is stored of a user: counts, first and last, and the settings in force';
COMMENT ON FUNCTION @extschema@.build_context_json IS
    'The context of the next LLM call within a token budget: its parts, and messages ready for an OpenAI-style API';
