\pset format unaligned
\pset null '∅'
-- Strangers before anything happened.
SELECT trust, affection, respect, rivalry, familiarity, score, level, speech_style, director_note, updated_at FROM memory_get_relationship('rel-amy', 'luna');
-- Deltas move the axes, which stay within 0 and 100; score and level follow.
SELECT trust, affection, respect, rivalry, familiarity, score, level, speech_style FROM memory_apply_relationship('rel-amy', 'luna', deltas => '{"trust": 60, "affection": 80, "respect": 20, "rivalry": 10, "familiarity": 50}');
SELECT trust, affection, score, level FROM memory_apply_relationship('rel-amy', 'luna', deltas => '{"trust": 500, "affection": -7.5}');
SELECT rivalry, score, level FROM memory_apply_relationship('rel-amy', 'luna', deltas => '{"rivalry": -1e300}');
-- Every level at its edge.
SELECT n, score, level, speech_style FROM unnest('{0,19.99,20,39.99,40,59.99,60,79.99,80,100}'::float8[]) AS n,
    memory_apply_relationship('rel-' || n, 'luna', deltas => jsonb_build_object('trust', n, 'affection', n, 'respect', n, 'familiarity', n));
-- An agreed speech style stays.
SELECT level, speech_style FROM memory_apply_relationship('rel-amy', 'luna', speech_style => 'intimate');
SELECT level, speech_style FROM memory_apply_relationship('rel-amy', 'luna', deltas => '{"affection": -100, "trust": -100}');
SELECT speech_style FROM memory_get_relationship('rel-amy', 'luna');
-- Scopes keep apart.
SELECT score, level FROM memory_get_relationship('rel-amy', 'nova');
SELECT score, level FROM memory_get_relationship('rel-amy', 'luna', 'story');

-- Scenes, changes and the emotional history.
SELECT memory_add_scene('rel-bob', 'luna', session_id => 's', place => '옥상', scene_time => '밤', participants => '{루나,밥}', tone => '설렘', topics => '{별,약속}') AS scene \gset
SELECT affection, director_note FROM memory_apply_relationship('rel-bob', 'luna', deltas => '{"affection": 12}', emotion => 'joy', intensity => 0.8, reason => '별을 함께 봤다', scene_id => :'scene', director_note => '조금 더 다정하게');
SELECT affection, director_note FROM memory_apply_relationship('rel-bob', 'luna', deltas => '{"affection": -2}', emotion => 'anger', intensity => 0.3);
SELECT director_note FROM memory_apply_relationship('rel-bob', 'luna', director_note => '');
SELECT place, scene_time, participants, tone, topics, session_id FROM memory.scenes WHERE user_id = 'rel-bob';
SELECT deltas, score, level, emotion, intensity, reason, scene_id = :'scene' AS in_scene FROM memory.relationship_changes WHERE user_id = 'rel-bob' ORDER BY id;
SELECT emotion, intensity FROM memory.emotional_history WHERE user_id = 'rel-bob' ORDER BY felt_at;
SELECT round(score::numeric, 3), level, speech_style, director_note FROM memory.relationships WHERE user_id = 'rel-bob';

-- In the context: a line, the values, the director's note.
SELECT FROM memory_apply_relationship('rel-context', 'luna', deltas => '{"trust": 60, "affection": 80, "respect": 20, "rivalry": 10, "familiarity": 50}', director_note => E'비밀을\n[조금만] 보여 줘');
SELECT c -> 'relationship' AS relationship, c ->> 'director_note' AS director_note, c -> 'messages' -> 0 ->> 'content' AS system FROM build_context_json('rel-context', agent_id => 'luna', query => '안녕', language => 'ko') AS c;
SELECT c -> 'messages' -> 0 ->> 'content' AS system FROM build_context_json('rel-context', agent_id => 'luna', query => 'hi', language => 'en') AS c;

-- Older scopes were named after sessions. Once the session belongs to a work, the work takes them over.
SELECT FROM memory_apply_relationship('rel-old', 'luna', 'session-1', deltas => '{"trust": 50}', emotion => 'joy', intensity => 0.5);
SELECT FROM memory_apply_relationship('rel-old', 'luna', 'session-2', deltas => '{"trust": 70}');
SELECT count(*) FROM memory_add_scene('rel-old', 'luna', 'session-1', place => '바다');
SELECT outcome FROM memory_set_fact('rel-old', '이름', '민수', agent_id => 'luna', space => 'session-1');
SELECT outcome FROM memory_set_fact('rel-old', '이름', '민호', agent_id => 'luna', space => 'session-2');
SELECT outcome FROM unnest('{독서,수영}'::text[]) AS v, memory_set_fact('rel-old', '취미', v, agent_id => 'luna', space => 'session-1');
SELECT outcome FROM memory_set_fact('rel-old', '취미', '수영', agent_id => 'luna', space => 'session-2');
-- Another agent's and another user's are left alone, and so is a space that is no session of this work.
SELECT FROM memory_apply_relationship('rel-old', 'nova', 'session-1', deltas => '{"trust": 10}');
SELECT FROM memory_apply_relationship('rel-other', 'luna', 'session-1', deltas => '{"trust": 20}');
SELECT FROM memory_apply_relationship('rel-old', 'luna', 'elsewhere', deltas => '{"trust": 30}');
SELECT memory_start_session('rel-old', s, agent_id => 'luna', space => 'work') FROM unnest('{session-1,session-2}'::text[]) AS s;
-- Found when it is read, without a change.
SELECT trust FROM memory_get_relationship('rel-old', 'luna', 'work');
SELECT space, trust FROM memory.relationships WHERE user_id = 'rel-old' AND agent_id = 'luna' ORDER BY space;
-- Filled up when it is next written.
SELECT trust FROM memory_apply_relationship('rel-old', 'luna', 'work', deltas => '{"trust": 5}');
SELECT agent_id, space, trust FROM memory.relationships WHERE user_id IN ('rel-old', 'rel-other') ORDER BY user_id, agent_id, space;
SELECT space, count(*) FROM memory.relationship_changes WHERE user_id = 'rel-old' AND agent_id = 'luna' GROUP BY space ORDER BY space;
SELECT space, place FROM memory.scenes WHERE user_id = 'rel-old';
SELECT space, key, value, valid_to IS NULL AS current FROM memory.facts WHERE user_id = 'rel-old' ORDER BY key, id;
-- A turn is enough, too.
SELECT outcome FROM memory_set_fact('rel-turn', '이름', '영희', agent_id => 'luna', space => 's9');
SELECT added FROM memory_add_turn('rel-turn', 's9', '나는 스무 살이야', '응', agent_id => 'luna', space => 'work');
SELECT space, key, value FROM memory.facts WHERE user_id = 'rel-turn' ORDER BY key;
