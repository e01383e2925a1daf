\pset format unaligned
\pset null '∅'
-- The key of a statement, however it is written.
SELECT x, fact_key_extract(x) AS key FROM unnest(ARRAY['직업: 개발자', '나이는 25살', '왼손잡이이다', '오른손잡이야', '3월 15일에 태어남', '생일: 3월 15일', 'my birthday is March 15',
    'job: developer', 'I am left-handed', '직업', '', '   ', NULL]) WITH ORDINALITY AS t (x, n) ORDER BY n;
-- It does not hang on normal forms, spaces, punctuation.
SELECT DISTINCT fact_key_extract(x) FROM unnest(ARRAY['생일: 3월 15일', normalize('생일: 3월 15일', NFD), '  생일 :3월 15일 ', '생일: 3월 15일.', '생일은 3월 15일!']) AS x;

-- One value however it is written.
SELECT x, key, value FROM unnest(ARRAY['25살', '스물다섯 살이야', '나이: 25세', '25 years old', 'I am twenty-five years old', '3월 15일에 태어남', '생일은 3월 15일', 'my birthday is March 15th',
    '키는 178cm', '내 키는 1미터 78', 'I am 178 cm tall', '혈액형: A형', 'my blood type is A']) WITH ORDINALITY AS t (x, n), fact_classify(x) ORDER BY n;

-- The 25 items of the 101-turn experiment.
SELECT n, key, value, category, class, single FROM unnest(ARRAY['이름: 김민수', '나이: 20살', '직업: 대학생', 'MBTI: INFP', '좋아하는 음식: 떡볶이', '반려동물: 나비/러시안블루', 'K-pop: BTS', '거미를 무서워함', '베프: 정호',
    '좋아하는 계절: 가을', '좋아하는 색: 파란색', '알레르기: 땅콩', '알바: 카페', '거주지: 서울 강남구', '생일: 3월 15일', '혈액형: A형', '키: 178cm', '별명: 수수', '가족: 외동아들', '고향: 부산',
    '꿈: 게임 개발자', '취미: 독서/판타지', '운동: 수영', '영화: 인터스텔라', '연애상태: 솔로']) WITH ORDINALITY AS t (x, n), fact_classify(x) ORDER BY n;
SELECT count(*) FILTER (WHERE class = 'identity') AS identity, count(*) AS items FROM unnest(ARRAY['이름은 김민수', '스무 살이다', '대학생이다', 'INFP다', '떡볶이를 제일 좋아함', '고양이 나비를 키움', 'BTS 팬이다', '거미가 무섭다', '베프는 정호',
    '가을을 좋아함', '파란색을 좋아함', '땅콩 알레르기가 있음', '카페에서 알바함', '서울 강남구에 산다', '3월 15일에 태어남', 'A형이다', '키가 178이다', '별명은 수수', '외동아들이다', '부산 출신이다',
    '꿈은 게임 개발자', '취미는 독서', '수영을 다닌다', '인생 영화는 인터스텔라', '솔로다']) AS x, fact_classify(x);
-- Actions are shared experiences; facts about others name them.
SELECT x, key, value, class, about FROM unnest(ARRAY['유저의 행동: 꽃을 선물했다', '내 동생은 간호사야', 'my sister is a nurse']) AS x, fact_classify(x);
SELECT count(*) FROM fact_classify(NULL);
SELECT count(*) FROM fact_classify('안녕');

-- Every fact of a message.
SELECT key, value, raw, category, class, single, op, about, confidence FROM fact_extract('난 김민수고 스무 살이야. 서울 강남구에 살면서 카페에서 알바해. 취미는 독서랑 수영이야');
SELECT key, value, raw, category, class, single, op, about, confidence FROM fact_extract('I''m Alex, I''m 25 years old and I live in Busan. I like reading and swimming. My brother is a nurse.');
-- Names of pets, and what one is told of oneself; what others are told is hearsay.
SELECT x, key, value FROM unnest(ARRAY['나비라는 고양이를 키워', '우리 집에 콩이라는 러시안블루 고양이를 키워', '내 혈액형은 A형이래', '검사해 봤는데 내 MBTI는 INFP래', '그 사람 혈액형은 A형이래', '나 바보래']) WITH ORDINALITY AS t (x, n), fact_extract(x) ORDER BY n;
SELECT key, value, op FROM fact_extract('아니, 스물여섯 살이야');
SELECT key, value, op FROM fact_extract('actually I moved to Busan');
SELECT key, value, op FROM fact_extract('나 이제 담배 안 피워');
SELECT key, value, op FROM fact_extract('I no longer work at Google');
-- No facts: questions, wishes, conditions, jokes, greetings, other people's talk.
SELECT x, key, value FROM unnest(ARRAY['너 몇 살이야?', '고양이 키우고 싶다', '내가 의사라면 좋겠다', '오늘 날씨 좋다', 'How old are you?', 'I wish I had a dog', 'If I were a doctor I would help people', 'Thanks!', 'ㅋㅋㅋ', '부산 가 봤어?', '그 사람 직업이 뭐래?', '']) AS x, fact_extract(x);
-- The language can be said; the role decides what is read.
SELECT key, value FROM fact_extract('My name is Alex', 'en');
SELECT key, value FROM fact_extract('내 이름은 민수야', 'ko');
SELECT key, value, class, category FROM fact_extract('내일 10시에 꼭 깨워 줄게. 나는 서른 살이야', role => 'assistant');
SELECT count(*) FROM fact_extract('나는 서른 살이야', role => 'assistant');
-- What we told the model ourselves is not read.
SELECT key, value FROM fact_extract(E'[사용자 정보]\n- **나이: 30**\n- **직업: 의사**\n\n난 스무 살이야');
SELECT count(*) FROM fact_extract(E'[Current state (canon)]\n- (GOAL) dream: to be a pilot\n- job: pilot');
SELECT count(*) FROM fact_extract(NULL);
-- Nothing breaks it.
SELECT count(*) >= 0 AS survived FROM unnest(ARRAY[repeat('나는 ', 20000), repeat('[', 10000), repeat('은는이가', 5000), E'\u0001\u200b', '👩‍👩‍👧‍👦', repeat('I am ', 20000), '나이: 99999999999999999999살', '생일: 13월 45일', repeat('직업: ', 3000)]) AS x
LEFT JOIN LATERAL fact_extract(x) ON true LEFT JOIN LATERAL fact_classify(x) ON true;
