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
        EXECUTE pg_catalog.format('REVOKE ALL ON ROUTINE %s FROM PUBLIC', callable);
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
    @extschema@.build_context_json,
    @extschema@.strength_after,
    @extschema@.novelty_score,
    @extschema@.memory_get,
    @extschema@.memory_list,
    @extschema@.memory_load,
    @extschema@.memory_get_history,
    @extschema@.memory_recall,
    @extschema@.fact_keys_shipped,
    @extschema@.fact_key_extract,
    @extschema@.fact_classify,
    @extschema@.fact_extract,
    @extschema@.memory_get_facts,
    @extschema@.memory_get_fact_history,
    @extschema@.memory_get_relationship,
    @extschema@.memory_reveal
TO memory_reader;

GRANT EXECUTE ON FUNCTION
    @extschema@.memory_start_session,
    @extschema@.memory_end_session,
    @extschema@.memory_add_message,
    @extschema@.memory_add_turn,
    @extschema@.memory_add_summary,
    @extschema@.memory_delete_message,
    @extschema@.memory_delete_session,
    @extschema@.memory_clear,
    @extschema@.memory_create,
    @extschema@.memory_update,
    @extschema@.memory_pin,
    @extschema@.memory_delete,
    @extschema@.memory_archive,
    @extschema@.memory_restore,
    @extschema@.memory_archive_excess,
    @extschema@.memory_mark_used,
    @extschema@.memory_decay,
    @extschema@.memory_consolidate,
    @extschema@.memory_unconsolidate,
    @extschema@.memory_promote,
    @extschema@.memory_prune,
    @extschema@.memory_reembed,
    @extschema@.memory_maintain,
    @extschema@.memory_set_fact,
    @extschema@.memory_learn_facts,
    @extschema@.memory_retract_fact,
    @extschema@.memory_apply_relationship,
    @extschema@.memory_add_scene,
    @extschema@.memory_reflect,
    @extschema@.memory_summarize_session
TO memory_writer;

GRANT EXECUTE ON FUNCTION
    @extschema@.memory_set_agent,
    @extschema@.memory_set_plan,
    @extschema@.memory_sweep_sessions,
    @extschema@.memory_run_jobs,
    @extschema@.memory_requeue_job,
    @extschema@.memory_llm_check,
    @extschema@.fact_keys_changed,
    memory.keep_shipped_rows,
    @extschema@.encryption_changed,
    @extschema@.memory_encrypt,
    @extschema@.memory_rotate_master_key,
    @extschema@.memory_rotate_user_key
TO memory_admin;

GRANT EXECUTE ON PROCEDURE @extschema@.memory_work TO memory_admin;

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
COMMENT ON FUNCTION @extschema@.strength_after IS
    'The strength of a memory after so many steps of fading by this factor';
COMMENT ON FUNCTION @extschema@.novelty_score IS
    'How new a text or vector is to a scope: similarity to the nearest of its latest 50 memories, and the verdict';
COMMENT ON FUNCTION @extschema@.memory_create IS
    'Stores a memory unless it is known: saved, boosted, damped, reinforced (the known one grew stronger) or skipped';
COMMENT ON FUNCTION @extschema@.memory_get IS
    'One memory with its strength as of now';
COMMENT ON FUNCTION @extschema@.memory_list IS
    'A user''s memories, newest first, with the number of all that match';
COMMENT ON FUNCTION @extschema@.memory_load IS
    'The memories to begin a conversation with: by importance, newest first, one for each repeated topic';
COMMENT ON FUNCTION @extschema@.memory_get_history IS
    'What was changed in a memory, oldest first, with how it was before';
COMMENT ON FUNCTION @extschema@.memory_update IS
    'Changes a memory; what is NULL stays as it is';
COMMENT ON FUNCTION @extschema@.memory_pin IS
    'Pins a memory, so that it neither fades nor is archived or pruned; false when nothing changed';
COMMENT ON FUNCTION @extschema@.memory_delete IS
    'Deletes a memory with its history for good';
COMMENT ON FUNCTION @extschema@.memory_archive IS
    'Archives a memory; gives the time at which it was';
COMMENT ON FUNCTION @extschema@.memory_restore IS
    'Makes an archived memory active again; false when it was active';
COMMENT ON FUNCTION @extschema@.memory_archive_excess IS
    'Archives a user''s memories of an agent beyond max_active (the plan''s when NULL); gives their ids';
COMMENT ON FUNCTION @extschema@.memory_set_plan IS
    'Gives a user a plan of memory.plans; NULL is memory_ext.default_plan';
COMMENT ON FUNCTION @extschema@.memory_recall IS
    'Memories and messages ranked by meaning, words, importance, strength and time; caution and identity first';
COMMENT ON FUNCTION @extschema@.memory_mark_used IS
    'Counts a mention of memories that the application used and makes them stronger; gives how many';
COMMENT ON FUNCTION @extschema@.memory_decay IS
    'Lets the memories of a user''s scopes fade by so many steps; gives the number of scopes';
COMMENT ON FUNCTION @extschema@.memory_consolidate IS
    'Makes one semantic memory of each group of similar episodes, which are archived; dry_run only tells';
COMMENT ON FUNCTION @extschema@.memory_unconsolidate IS
    'Takes a consolidation back: the episodes are active again, the merged memory is deleted; gives their ids';
COMMENT ON FUNCTION @extschema@.memory_promote IS
    'Makes semantic memories of episodes mentioned three times; gives their ids';
COMMENT ON FUNCTION @extschema@.memory_prune IS
    'Archives faded memories and those over the limit of a space, deletes what was pruned longer ago than keep';
COMMENT ON FUNCTION @extschema@.memory_maintain IS
    'Runs what the turn counters and the clock make due, for one scope or all; noted in memory.maintenance_runs';
COMMENT ON FUNCTION @extschema@.memory_reembed IS
    'Moves a batch of a scope to the present embedding model; call it until remaining is 0';
COMMENT ON FUNCTION memory.keep_shipped_rows IS
    'Trigger: keeps the rows that come with the extension, and lets those of a dump take their place';
COMMENT ON FUNCTION @extschema@.fact_keys_shipped IS
    'The fact keys that the extension ships; memory.fact_keys holds those in force';
COMMENT ON FUNCTION @extschema@.fact_keys_changed IS
    'Tells all backends that memory.fact_keys has changed';
COMMENT ON FUNCTION @extschema@.fact_key_extract IS
    'What a statement is about: one canonical key however it is said, in Korean or English';
COMMENT ON FUNCTION @extschema@.fact_classify IS
    'One statement put in its place: key, normal form of the value, category, class, whether it has one value';
COMMENT ON FUNCTION @extschema@.fact_extract IS
    'Every fact that a message states; nothing is stored';
COMMENT ON FUNCTION @extschema@.memory_set_fact IS
    'Sets a fact; another value of a single-valued key is closed and kept: added, confirmed or corrected';
COMMENT ON FUNCTION @extschema@.memory_learn_facts IS
    'Learns every fact that a message states, with corrections and retractions';
COMMENT ON FUNCTION @extschema@.memory_retract_fact IS
    'Ends the current value of a key, or only the one given; it is kept in the history';
COMMENT ON FUNCTION @extschema@.memory_get_facts IS
    'Facts that are true now, or were at as_of, by what was known at known_at';
COMMENT ON FUNCTION @extschema@.memory_get_fact_history IS
    'Every value that a key ever had, oldest first';
COMMENT ON FUNCTION @extschema@.memory_get_relationship IS
    'How a user and an agent stand to each other: axes, score, level, speech style, director''s note';
COMMENT ON FUNCTION @extschema@.memory_apply_relationship IS
    'Moves the axes of a relationship by deltas such as {"trust": 5}, and notes the change';
COMMENT ON FUNCTION @extschema@.memory_add_scene IS
    'Notes a scene: place, time, participants, tone, topics; gives its id';
COMMENT ON FUNCTION @extschema@.memory_reflect IS
    'Makes a short profile of the user out of facts and memories; the old one is archived';
COMMENT ON FUNCTION @extschema@.memory_summarize_session IS
    'Summarises what a session said since its last summary: at once, or by a job when there is an LLM';
COMMENT ON FUNCTION @extschema@.memory_run_jobs IS
    'Does what a background worker would: sweeps, checkpoints, and up to max jobs, within the caller''s transaction';
COMMENT ON PROCEDURE @extschema@.memory_work IS
    'The same with a commit after each step, so that no transaction stays open while the LLM is asked';
COMMENT ON FUNCTION @extschema@.memory_requeue_job IS
    'Puts a failed job back in the queue; false when it has not failed';
COMMENT ON FUNCTION @extschema@.memory_llm_check IS
    'Asks the LLM one trivial question and the embedding service for one vector; tells whether they answer, and how fast';
COMMENT ON FUNCTION @extschema@.memory_reveal IS
    'The text of a sealed one, for the views: place is the table and column that it was stored in';
COMMENT ON FUNCTION @extschema@.encryption_changed IS
    'Tells all backends that memory.encryption has changed';
COMMENT ON FUNCTION @extschema@.memory_encrypt IS
    'Encrypts a batch of texts that are plain or under an older key; call it until users_left is 0';
COMMENT ON FUNCTION @extschema@.memory_rotate_master_key IS
    'Puts a batch of users'' keys under the master key that is configured now; call it until remaining is 0';
COMMENT ON FUNCTION @extschema@.memory_rotate_user_key IS
    'Gives a user a new key and its number; memory_encrypt then encrypts the user''s texts anew';
