//! The estimate against the real tokenizers, on texts written for this test. None of them was
//! in the corpus the tables were fitted to.

use bpe_openai::{cl100k_base, o200k_base};
use memory_core::tokens::{Tokenizer, estimate};

/// Shorter texts are held to "at most one token under" instead.
const ORDINARY: usize = 20;

#[rustfmt::skip]
const KOREAN: &[&str] = &[
    "어제 퇴근길에 비가 너무 많이 와서 우산도 없이 집까지 뛰어갔더니 오늘 아침부터 목이 칼칼하네요.",
    "저는 매운 음식을 잘 못 먹어서 떡볶이도 간장 맛으로만 시켜 먹어요. 혹시 추천해 주실 만한 가게 있나요?",
    "다음 주 수요일 오후 세 시에 강남역 근처 카페에서 만나기로 했으니까 잊지 말고 알려 줘.",
    "우리 강아지 이름은 콩이고 올해로 여섯 살이야. 산책을 하루에 두 번은 꼭 나가야 잠을 자.",
    "회의록을 정리해서 팀 채널에 올려 두었습니다. 확인하시고 빠진 내용이 있으면 댓글로 남겨 주세요.",
    "고등학교 때부터 알고 지낸 친구가 이번에 결혼한다고 청첩장을 보내왔는데 기분이 묘하더라.",
    "요즘 잠을 통 못 자서 병원에 갔더니 카페인을 줄이고 자기 전에 휴대폰을 보지 말라고 하더군요.",
    "할머니가 담가 주신 김치가 다 떨어져서 이번 주말에는 시골집에 내려가 볼까 생각 중이에요.",
    "정부는 내년부터 청년층의 주거 부담을 덜어 주기 위해 월세 지원 대상을 확대하겠다고 밝혔다.",
    "그 소설의 마지막 장면은 주인공이 눈 덮인 들판을 홀로 걸어가는 모습으로 끝나는데 여운이 길게 남는다.",
    "야 너 진짜 어디야? 다들 기다리고 있는데 연락도 안 되고 걱정되잖아. 빨리 전화 좀 받아 봐.",
    "냉장고에 남은 두부랑 애호박이 있으니까 된장찌개를 끓이고 계란말이도 하나 만들면 저녁은 충분하겠다.",
    "사용자의 취향을 오래 기억하려면 대화가 끝난 뒤에도 중요한 사실만 골라 따로 저장해 두어야 합니다.",
    "제주도 여행 일정은 첫째 날 성산일출봉, 둘째 날 한라산 등반, 셋째 날 협재 해수욕장으로 짰습니다.",
    "이 문제를 풀기 위해서는 먼저 양변을 제곱한 다음 공통인수를 묶어 내고 근의 공식을 적용하면 됩니다.",
    "동생이 군대에서 휴가를 나왔는데 살이 쏙 빠져서 엄마가 고기를 세 근이나 구워 주셨어요.",
    "환불 규정에 따르면 구매일로부터 칠 일 이내에 포장을 뜯지 않은 상품만 교환이나 반품이 가능합니다.",
    "나는 사람 많은 곳에 가면 금방 지치는 편이라 주말에는 보통 집에서 책을 읽거나 화초를 돌봐.",
    "오랜만에 대학 동기들을 만나서 새벽까지 이야기하느라 목이 다 쉬었지만 정말 즐거운 시간이었다.",
    "헐 대박 그게 진짜야? 나 완전 소름 돋았어. 다음 편 언제 나오는지 알면 나한테도 꼭 말해 줘.",
    "면접 볼 때는 자신의 경험을 구체적인 수치와 함께 설명하는 것이 막연한 포부를 말하는 것보다 낫습니다.",
    "아이가 열이 삼십팔 도를 넘으면 해열제를 먹이고 미지근한 물수건으로 몸을 닦아 주는 게 좋다고 해요.",
    "조선 시대의 수도였던 한양은 네 개의 큰 문과 네 개의 작은 문으로 둘러싸인 성곽 도시였다.",
    "괜찮아, 누구나 실수는 하는 거니까 너무 자책하지 마. 내일 다시 차근차근 해 보면 될 거야.",
    "알레르기가 있어서 땅콩이나 호두 같은 견과류가 들어간 빵은 절대로 먹으면 안 된다고 말씀드렸잖아요.",
    "전세 계약이 끝나가는데 집주인이 보증금을 오천만 원이나 올려 달라고 해서 이사를 알아보고 있습니다.",
    "밤하늘을 올려다보니 별이 쏟아질 듯 반짝였고 풀벌레 소리만이 고요한 산골 마을을 채우고 있었다.",
    "운동을 시작한 지 석 달 만에 허리 통증이 거의 사라졌고 계단을 오를 때도 숨이 덜 차는 느낌이에요.",
    "배송이 예정보다 이틀이나 늦어졌는데 아무런 안내도 없어서 고객센터에 문의를 남겼습니다.",
    "엊그제 꿈에서 돌아가신 할아버지를 뵀는데 아무 말씀 없이 웃기만 하셔서 깨고 나서 한참을 울었어.",
    "흥미로운 점은 꿀벌이 춤을 추는 방향과 속도로 꽃밭까지의 거리를 동료에게 알려 준다는 사실이다.",
    "뷁 쀍 같은 낯선 글자나 훼손된 활자, 곬과 넋, 읊조리다 같은 겹받침 낱말도 값을 매길 수 있어야 한다.",
];

#[rustfmt::skip]
const ENGLISH: &[&str] = &[
    "I finally tried that Ethiopian place on Maple Street last night, and honestly the lentil stew alone was worth the trip.",
    "My sister is allergic to shellfish, so please make sure nothing on the menu has shrimp or crab in it.",
    "Could you remind me on Thursday to call the dentist and move my appointment to sometime in early March?",
    "We spent the whole afternoon untangling fishing line while the kids chased each other around the dock.",
    "The committee postponed its decision after several members questioned how the survey had been conducted.",
    "She used to play the cello in a youth orchestra before she moved to Lisbon and took up ceramics instead.",
    "Photosynthesis converts carbon dioxide and water into glucose, releasing oxygen as a byproduct of the reaction.",
    "Honestly? I'm exhausted. Work has been nonstop, the baby isn't sleeping, and I can't remember my last day off.",
    "The defendant's counsel argued that the evidence had been obtained without a valid warrant and should be excluded.",
    "Whisk the eggs with a pinch of salt, fold in the grated zucchini, and fry small spoonfuls until golden on both sides.",
    "If you're ever in Edinburgh, skip the castle queue and walk up Arthur's Seat at sunrise; you'll thank me later.",
    "Grandpa kept bees for forty years, and he swore that they could tell when somebody in the house was grieving.",
    "The quarterly report shows revenue climbing modestly, though operating margins slipped because of freight costs.",
    "hey lol sorry i fell asleep before i saw ur text, wanna grab boba tmrw after class or are u busy",
    "An unreliable narrator forces the reader to weigh every sentence against what the other characters seem to know.",
    "Patients presenting with persistent tachycardia and dyspnea should undergo echocardiography and a thyroid panel.",
    "The old lighthouse keeper climbed the spiral stairs slowly, counting each step aloud so he would not lose his place.",
    "He prefers window seats, drinks oat milk lattes, and refuses to fly on any airline that charges for carry-on bags.",
    "Nobody warned us that the trail would be flooded, so we waded knee-deep through icy meltwater for half a mile.",
    "Compound interest rewards patience: money left alone for thirty years grows far more than most people expect.",
    "Wow, congratulations on the promotion! You've earned it after everything you put into that migration project.",
    "Migratory songbirds navigate by starlight, by the sun's position, and apparently by the planet's magnetic field.",
    "I'd rather you didn't mention the surprise party to Devin, because he can't keep a secret to save his life.",
    "To reset the thermostat, hold the menu button for ten seconds until the display blinks twice and goes dark.",
    "Kowalczyk and Venkataraman met Oyelaran at a symposium in Reykjavik, where Dr. Szymborska gave the keynote.",
    "Rust's borrow checker rejects aliasing mutable references at compile time, which prevents data races by design.",
    "It rained for nine days straight; the basement smelled of mildew and the dog refused to go anywhere near the yard.",
    "What I miss most about the city isn't the restaurants or the music but the feeling of being pleasantly anonymous.",
    "The treaty obliged both kingdoms to dismantle their border fortresses and return prisoners within sixty days.",
    "After the divorce she repainted every room a different shade of green and adopted two elderly greyhounds.",
    "Quixotic zephyrs vexed jumbled sphinxes while gnomish wizards hexed kludgy flux capacitors and pfennigs.",
    "PLEASE NOTE THAT THE OFFICE WILL BE CLOSED ON MONDAY FOR THE NATIONAL HOLIDAY AND REOPEN ON TUESDAY MORNING.",
];

#[rustfmt::skip]
const MIXED: &[&str] = &[
    "이번 sprint에서는 login API의 latency를 줄이는 게 목표라서 cache layer를 먼저 손보기로 했어요.",
    "Docker image 크기가 1.2GB나 돼서 multi-stage build로 바꿨더니 180MB까지 줄었습니다.",
    "나 요즘 Netflix에서 Stranger Things 정주행 중인데 season 4가 제일 재밌는 것 같아.",
    "PostgreSQL extension을 설치하려면 superuser 권한으로 CREATE EXTENSION 명령을 실행하세요.",
    "미팅 때 Sarah가 말한 proposal은 budget이 부족해서 Q3로 미뤄졌다고 들었어.",
    "아이폰 15 Pro랑 Galaxy S24 Ultra 중에 camera 성능은 뭐가 더 나아? battery도 궁금해.",
    "README.md에 적힌 대로 cargo build를 돌렸는데 linker error가 나면서 멈춰 버려요.",
    "오늘 OOTD는 black slacks에 white shirt, 그리고 vintage leather jacket이야.",
    "GPT-4o는 tokenizer가 바뀌어서 한국어 token 수가 예전보다 훨씬 적게 나옵니다.",
    "The meeting is at 3pm 내일이고, 장소는 Conference Room B로 변경되었습니다. Please confirm 부탁드려요.",
    "팀장님이 KPI랑 OKR을 헷갈리셔서 slide를 처음부터 다시 만들었다니까 ㅠㅠ 진짜 no answer야.",
    "React의 useEffect hook 안에서 setState를 호출하면 infinite loop에 빠질 수 있으니 dependency array를 확인하세요.",
    "저는 MBTI가 INFP인데 E 성향인 친구들이랑 trip 가면 energy가 금방 방전돼요.",
    "Kubernetes cluster를 upgrade하기 전에 etcd snapshot을 백업해 두는 것이 좋습니다.",
    "어제 먹은 pasta는 truffle oil 향이 너무 강해서 half만 먹고 doggy bag에 싸 왔어.",
    "embedding vector를 저장할 column은 vector(1536) type으로 만들고 HNSW index를 추가하면 됩니다.",
    "유튜브 channel 이름을 'Daily Seoul'로 바꿀까 하는데 thumbnail design도 같이 바꿔야겠지?",
    "My grandmother always says 밥은 먹고 다니니 whenever I call her, and it makes me tear up a little.",
    "Python 3.12에서 asyncio.TaskGroup을 쓰면 exception 처리가 훨씬 깔끔해진다고 하더라고요.",
    "택배 tracking number는 CJ 대한통운 6412-8890-1123이고 status는 out for delivery예요.",
    "이 class는 SOLID 원칙 중 single responsibility를 어기고 있어서 두 개의 module로 나눴습니다.",
    "Spotify playlist 이름은 '새벽 감성 lo-fi'이고 지금까지 total 87곡을 넣어 뒀어.",
    "pull request 리뷰할 때 nit이라고 적힌 comment는 꼭 반영하지 않아도 괜찮아요.",
    "Error: 'users' 테이블에 email column이 없습니다. migration을 먼저 실행했는지 확인해 주세요.",
    "헬스장에서 squat 5 set, deadlift 3 set 하고 protein shake 마시면 routine 끝!",
    "AWS bill이 갑자기 두 배로 나와서 보니까 NAT gateway traffic이 원인이었습니다.",
    "우리 회사 WiFi password는 guest 네트워크만 공유 가능하고 VPN은 IT팀에 ticket을 넣어야 해요.",
    "LLM에게 long-term memory를 주려면 retrieval, summary, decay 정책을 모두 설계해야 한다.",
    "주말에 IKEA 가서 bookshelf랑 LED lamp 사고 hot dog도 먹고 올 예정이야. Wanna come?",
    "JSON 파싱 중에 unexpected token 오류가 나는데 trailing comma 때문인지 봐 줄 수 있어?",
    "Figma 파일 link는 Slack #design channel에 pinned message로 걸어 두었으니 참고 바랍니다.",
];

#[rustfmt::skip]
const CODE: &[&str] = &[
    "fn median(values: &mut [f64]) -> Option<f64> {\n    values.sort_by(|a, b| a.total_cmp(b));\n    values.get(values.len() / 2).copied()\n}\n",
    "impl<T: Clone> Stack<T> {\n    pub fn peek(&self) -> Option<&T> {\n        self.items.last()\n    }\n\n    pub fn push_all(&mut self, other: &[T]) {\n        self.items.extend_from_slice(other);\n    }\n}\n",
    "let handle = std::thread::spawn(move || {\n    while let Ok(job) = receiver.lock().unwrap().recv() {\n        job.run();\n    }\n});\n",
    "def flatten(tree, depth=0):\n    for key, value in tree.items():\n        if isinstance(value, dict):\n            yield from flatten(value, depth + 1)\n        else:\n            yield depth, key, value\n",
    "class RateLimiter:\n    \"\"\"Allow `limit` calls per `window` seconds.\"\"\"\n\n    def __init__(self, limit: int, window: float) -> None:\n        self.limit = limit\n        self.window = window\n        self._calls: deque[float] = deque()\n",
    "import asyncio\nimport aiohttp\n\nasync def fetch_all(urls):\n    async with aiohttp.ClientSession() as session:\n        return await asyncio.gather(*(session.get(u) for u in urls))\n",
    "SELECT u.id, u.display_name, count(m.id) AS messages\nFROM users u\nLEFT JOIN messages m ON m.user_id = u.id AND m.created_at > now() - interval '7 days'\nGROUP BY u.id\nHAVING count(m.id) > 10\nORDER BY messages DESC\nLIMIT 50;\n",
    "CREATE TABLE invoice_lines (\n    invoice_id bigint NOT NULL REFERENCES invoices (id) ON DELETE CASCADE,\n    line_no smallint NOT NULL,\n    amount numeric(12, 2) CHECK (amount >= 0),\n    PRIMARY KEY (invoice_id, line_no)\n);\n",
    "WITH ranked AS (\n  SELECT *, row_number() OVER (PARTITION BY city ORDER BY temp_c DESC) AS rn FROM readings\n)\nDELETE FROM readings r USING ranked k WHERE r.ctid = k.ctid AND k.rn > 3;\n",
    "{\"user\": {\"id\": 48213, \"name\": \"Noor\", \"tags\": [\"beta\", \"emea\"], \"settings\": {\"darkMode\": true, \"fontSize\": 14, \"locale\": null}}}",
    "[\n  {\"sku\": \"LMP-0042\", \"price\": 39.95, \"inStock\": false, \"warehouses\": [3, 7, 19]},\n  {\"sku\": \"CHR-1180\", \"price\": 129.0, \"inStock\": true, \"warehouses\": []}\n]\n",
    "<section class=\"card card--wide\">\n  <h2 id=\"opening-hours\">Opening hours</h2>\n  <p>We are open <strong>daily</strong> from 9&nbsp;am.</p>\n  <a href=\"/contact?from=card\" data-track=\"cta\">Write to us</a>\n</section>\n",
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n  <meta charset=\"utf-8\">\n  <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n  <title>Ferry timetable</title>\n  <link rel=\"stylesheet\" href=\"main.css\">\n</head>\n",
    "| Plan | Seats | Price | Support |\n|------|------:|------:|:--------|\n| Free | 1 | $0 | community |\n| Team | 25 | $99 | email |\n| Enterprise | unlimited | call us | 24/7 phone |\n",
    "| 항목        | 수량 | 금액      |\n|-------------|------|-----------|\n| 사과        |   12 |   18,000  |\n| 복숭아 상자 |    3 |   45,500  |\n",
    "## Installing\n\n1. Clone the repository\n2. Run `make deps && make`\n3. Copy `config.example.toml` to `config.toml`\n\n> **Note:** on macOS you also need `brew install libpq`.\n",
    "export function debounce<T extends (...args: any[]) => void>(fn: T, ms = 250) {\n  let timer: ReturnType<typeof setTimeout> | undefined;\n  return (...args: Parameters<T>) => {\n    clearTimeout(timer);\n    timer = setTimeout(() => fn(...args), ms);\n  };\n}\n",
    "const grouped = orders.reduce((acc, order) => {\n  (acc[order.customerId] ??= []).push(order);\n  return acc;\n}, {});\nconsole.log(Object.keys(grouped).length);\n",
    "function TodoItem({ todo, onToggle }) {\n  return (\n    <li className={todo.done ? 'line-through' : ''} onClick={() => onToggle(todo.id)}>\n      {todo.title}\n    </li>\n  );\n}\n",
    "package main\n\nimport (\n\t\"fmt\"\n\t\"net/http\"\n)\n\nfunc main() {\n\thttp.HandleFunc(\"/healthz\", func(w http.ResponseWriter, r *http.Request) {\n\t\tfmt.Fprintln(w, \"ok\")\n\t})\n\thttp.ListenAndServe(\":8080\", nil)\n}\n",
    "public final class Point implements Comparable<Point> {\n    private final double x, y;\n\n    @Override\n    public int compareTo(Point other) {\n        return Double.compare(norm(), other.norm());\n    }\n}\n",
    "#include <stdio.h>\n#include <stdlib.h>\n\nint main(int argc, char **argv) {\n    for (int i = 1; i < argc; i++) {\n        printf(\"%d: %s\\n\", i, argv[i]);\n    }\n    return EXIT_SUCCESS;\n}\n",
    "template <typename It, typename Pred>\nIt find_last_if(It first, It last, Pred pred) {\n    It result = last;\n    for (; first != last; ++first)\n        if (pred(*first)) result = first;\n    return result;\n}\n",
    "#!/usr/bin/env bash\nset -euo pipefail\n\nfor f in \"$@\"; do\n  if [[ -f \"$f\" && ! -L \"$f\" ]]; then\n    gzip --keep --best -- \"$f\"\n  fi\ndone\n",
    "services:\n  db:\n    image: postgres:16-alpine\n    environment:\n      POSTGRES_PASSWORD: ${DB_PASSWORD:?missing}\n    ports:\n      - \"5432:5432\"\n    healthcheck:\n      test: [\"CMD\", \"pg_isready\", \"-U\", \"postgres\"]\n",
    ".sidebar > .nav-item:hover {\n  background-color: rgba(0, 0, 0, 0.08);\n  border-radius: 4px;\n  transition: background-color 120ms ease-in-out;\n}\n@media (max-width: 640px) {\n  .sidebar { display: none; }\n}\n",
    "[package]\nname = \"tide-tables\"\nversion = \"0.3.1\"\nedition = \"2021\"\n\n[dependencies]\nserde = { version = \"1\", features = [\"derive\"] }\nchrono = \"0.4\"\n",
    "class Invoice < ApplicationRecord\n  belongs_to :customer\n  has_many :lines, dependent: :destroy\n  scope :overdue, -> { where('due_on < ?', Date.current) }\n\n  def total = lines.sum(&:amount)\nend\n",
    "data class Track(val title: String, val seconds: Int)\n\nfun List<Track>.longest(): Track? = maxByOrNull { it.seconds }\n\nval shuffled = tracks.filterNot { it.title.isBlank() }.shuffled()\n",
    "Traceback (most recent call last):\n  File \"/srv/app/worker.py\", line 88, in <module>\n    main()\n  File \"/srv/app/worker.py\", line 61, in main\n    raise TimeoutError(\"queue did not drain\")\nTimeoutError: queue did not drain\n",
    "2024-11-03T08:14:55.120Z INFO  http_server::router request_id=7f3a method=GET path=/v1/items status=200 elapsed_ms=12\n2024-11-03T08:14:55.431Z WARN  http_server::pool waiting for connection pool_size=8\n",
    "diff --git a/src/lib.rs b/src/lib.rs\nindex 83db48f..bf269f4 100644\n--- a/src/lib.rs\n+++ b/src/lib.rs\n@@ -12,7 +12,7 @@ pub fn open(path: &Path) -> Result<Store> {\n-    let flags = O_RDONLY;\n+    let flags = O_RDWR | O_CREAT;\n",
    "// 사용자가 마지막으로 접속한 시각을 갱신한다\nfunc (s *Store) touchLastSeen(ctx context.Context, userID int64) error {\n\t_, err := s.db.ExecContext(ctx, updateLastSeenSQL, userID)\n\treturn err\n}\n",
];

#[rustfmt::skip]
const EMOJI: &[&str] = &[
    "생일 축하해 🎂🎉🎈 오늘 하루도 행복하게 보내고 맛있는 거 많이 먹어 😋💕",
    "Just landed in Tokyo!! 🇯🇵✈️ So jet lagged but so happy 😴😍🗼🍜",
    "😂😂😂 I can't believe you actually said that to him 💀💀",
    "🔥🔥🔥 New drop tomorrow at noon 🔥🔥🔥 set your alarms ⏰👟",
    "오늘 날씨 완전 최고 ☀️🌤️ 산책하러 나갈 사람 🙋‍♀️🙋‍♂️ 손 들어 ✋",
    "👨‍👩‍👧‍👦 Family dinner tonight 🍝🥗🍷 everyone is coming, even grandma 👵🏼❤️",
    "✅ tests ✅ docs ❌ changelog ⚠️ needs review 🚀 ready to ship?",
    "고마워 🙏🙏 덕분에 시험 잘 봤어 📝💯 다음에 내가 커피 살게 ☕️😊",
    "😀😃😄😁😆😅🤣😂🙂🙃😉😊😇🥰😍🤩",
    "🐶🐱🐭🐹🐰🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵",
    "🍎🍐🍊🍋🍌🍉🍇🍓🫐🍈🍒🍑🥭🍍🥥🥝",
    "⚽🏀🏈⚾🥎🎾🏐🏉🥏🎱🪀🏓🏸🏒🏑",
    "❤️ 🧡 💛 💚 💙 💜 🖤 🤍 🤎 💔 ❣️ 💕 💞 💓",
    "Heading to the gym 💪🏽 then brunch 🥞☕ then nap 😴💤 perfect Sunday ✨",
    "👍👍👍 좋아요! 그럼 내일 7️⃣시에 봐요 👋🏻😄",
    "The garden is finally blooming 🌷🌻🌼🌹🌸 and the bees are back 🐝🍯",
    "🤔 hmm, 그건 좀 아닌 것 같은데 🙅‍♂️ 다시 생각해 보자 🧠💭",
    "🎵🎶 on repeat all day 🎧🎤 this album is unreal 🤯🙌",
    "🏳️‍🌈🏳️‍⚧️ Happy Pride everyone 🌈💖 see you at the parade 🥳🎊",
    "🇰🇷🇺🇸🇬🇧🇫🇷🇩🇪🇪🇸🇮🇹🇨🇦🇧🇷🇮🇳🇲🇽🇦🇺",
    "Status: 🟢 api 🟢 web 🟡 queue 🔴 billing — we are on it 🛠️👩‍💻",
    "우리 집 고양이 🐈 또 화분 깼어 🪴💥 이번이 세 번째야 🤦‍♀️😩",
    "🌍🌎🌏 climate march this Saturday 🪧📣 bring water 💧 and sunscreen 🧴",
    "ㅋㅋㅋㅋ 진짜 웃겨 죽겠다 🤣🤣🤣 어떻게 그런 생각을 했어 👏👏",
    "👩🏻‍🚀👨🏿‍🔬🧑🏽‍🎨👩🏾‍🌾👨🏼‍🍳🧑🏻‍⚕️👮🏽‍♀️",
    "Packing list 🧳: passport 🛂, charger 🔌, sunglasses 🕶️, swimsuit 🩱, book 📖",
    "😭😭 시험 망했어 📉 오늘은 그냥 치킨 🍗 먹고 잘래 🛌 위로 좀 해줘 🥺",
    "🎃👻🕷️🕸️🦇 Spooky season is here 🧙‍♀️🔮 who's dressing up? 🧛🏻",
    "♠️♥️♦️♣️ ♟️ ☎️ ✉️ ✏️ ✂️ ☂️ ☃️ ⚓ ⚡ ⭐ ☕",
    "New PR 🆕 adds retries 🔁, fixes the leak 🩹🐛 and bumps deps ⬆️📦 PTAL 👀🙏",
    "할머니 댁 가는 길 🚗💨 휴게소 호두과자 🌰 못 참지 😆👍",
    "💰💵💸📈📊 monthly budget done ✔️ savings up 3% 🎯🥂",
];

#[rustfmt::skip]
const CHINESE: &[&str] = &[
    "昨天晚上我们一起去吃了火锅，味道很辣，但是大家都吃得非常开心。",
    "请提醒我下周三下午三点给牙医打电话，把预约改到三月初。",
    "这座城市的地铁系统非常发达，上下班高峰期每两分钟就有一班车。",
    "她从小学习钢琴，后来搬到上海工作，现在周末还会去教孩子们弹琴。",
    "人工智能的发展正在改变我们的生活方式，也带来了许多新的伦理问题。",
    "奶奶做的红烧肉是我最喜欢的菜，每次回家都要吃上两大碗米饭。",
    "數據庫的索引可以大幅提升查詢速度，但同時也會增加寫入時的負擔。",
    "颱風即將登陸，請民眾做好防颱準備，盡量避免外出以策安全。",
    "如果明天不下雨的话，我们打算去郊外爬山，顺便摘一些草莓回来。",
    "这部小说描写了一个普通家庭三代人的悲欢离合，读完令人感慨万千。",
];

#[rustfmt::skip]
const JAPANESE: &[&str] = &[
    "昨日は友達と一緒に新しいラーメン屋に行って、とても美味しかったです。",
    "来週の水曜日の午後三時に歯医者の予約を変更するのを忘れないでください。",
    "このアプリケーションは、ユーザーの好みを記憶して適切な提案を行います。",
    "祖母が作ってくれた味噌汁の味が、今でも忘れられません。",
    "電車が遅れているので、会議には十五分ほど遅刻しそうです。申し訳ありません。",
    "猫を二匹飼っているんですが、毎朝五時に起こされて寝不足なんですよね。",
    "データベースのインデックスを追加したら、検索が十倍ぐらい速くなりました。",
    "桜の花びらが川面に散って、春の終わりを静かに告げていた。",
    "マジで？それ本当ならすごいじゃん！今度詳しく聞かせてよ、楽しみにしてる。",
    "彼女は大学でロボット工学を専攻し、卒業後はドイツの研究所に就職した。",
];

#[rustfmt::skip]
const ARABIC: &[&str] = &[
    "ذهبت أمس مع أصدقائي إلى المطعم الجديد وكان الطعام لذيذا جدا.",
    "من فضلك ذكرني يوم الأربعاء بأن أتصل بطبيب الأسنان لتغيير الموعد.",
    "تقع المدينة القديمة على ضفاف النهر وتحيط بها بساتين النخيل والزيتون.",
    "أحب القراءة قبل النوم، خاصة الروايات التاريخية التي تتحدث عن الأندلس.",
    "أعلنت الحكومة عن خطة جديدة لدعم الشباب وتوفير فرص العمل في القرى.",
    "جدتي كانت تحكي لنا قصصا جميلة كل ليلة حتى ننام أنا وإخوتي الصغار.",
    "يجب تحديث البرنامج إلى آخر إصدار قبل تشغيل قاعدة البيانات من جديد.",
    "السلام عليكم، كيف حالك اليوم؟ لم نتحدث منذ فترة طويلة وأنا مشتاق إليك.",
    "هطلت أمطار غزيرة على المناطق الشمالية وتسببت في إغلاق بعض الطرق.",
    "تعلمت الطبخ من والدتي، وأفضل طبق أعده هو الكسكس بالخضار واللحم.",
];

#[rustfmt::skip]
const HINDI: &[&str] = &[
    "कल हम सब दोस्त मिलकर नए रेस्टोरेंट में गए और खाना बहुत स्वादिष्ट था।",
    "कृपया मुझे बुधवार को याद दिलाना कि दंत चिकित्सक को फोन करना है।",
    "मेरी दादी हर सुबह मंदिर जाती हैं और लौटकर सबके लिए चाय बनाती हैं।",
    "सरकार ने किसानों के लिए एक नई योजना की घोषणा की है जिससे लाखों लोगों को लाभ होगा।",
    "बारिश के मौसम में पहाड़ों का दृश्य बहुत सुंदर हो जाता है, लेकिन रास्ते फिसलन भरे होते हैं।",
    "मुझे मसालेदार खाना पसंद नहीं है, इसलिए सब्जी में मिर्च कम डालना।",
    "डेटाबेस को दोबारा चालू करने से पहले सॉफ्टवेयर को नवीनतम संस्करण में बदल लें।",
    "बच्चे मैदान में क्रिकेट खेल रहे थे और अचानक तेज आँधी आ गई।",
    "वह पिछले दस साल से शास्त्रीय संगीत सीख रही है और अब खुद भी सिखाती है।",
    "अगर तुम्हें समय मिले तो रविवार को घर आना, माँ ने तुम्हारे लिए खीर बनाई है।",
];

#[rustfmt::skip]
const RUSSIAN: &[&str] = &[
    "Вчера мы с друзьями ходили в новый ресторан, и еда оказалась удивительно вкусной.",
    "Напомни мне, пожалуйста, в среду позвонить стоматологу и перенести приём на март.",
    "Бабушка каждое лето варила варенье из крыжовника и прятала банки от внуков.",
    "Правительство объявило о новой программе поддержки молодых специалистов в регионах.",
    "Я не ем орехи из-за аллергии, поэтому торт лучше заказать без них.",
    "Поезд опаздывает на сорок минут, так что на совещание я, скорее всего, не успею.",
    "После обновления сервера запросы к базе данных стали выполняться заметно быстрее.",
    "Осенний лес шуршал под ногами, пахло грибами, дымом и мокрой корой.",
    "Слушай, а ты не знаешь, где можно недорого снять квартиру недалеко от метро?",
    "Она выучила португальский за полгода и переехала в Лиссабон преподавать керамику.",
];

#[rustfmt::skip]
const URLS: &[&str] = &[
    "https://shop.example.com/category/garden-tools?page=3&sort=price_asc&utm_source=newsletter&utm_medium=email",
    "See https://docs.example.org/en/latest/guides/getting-started.html#installing-on-windows and then restart.",
    "https://maps.example.net/place/Harbour+Cafe/@51.5033640,-0.1276250,17z/data=!3m1!4b1",
    "git clone git@git.example.com:platform/billing-service.git && cd billing-service",
    "https://ko.example.org/wiki/%EC%84%9C%EC%9A%B8%ED%8A%B9%EB%B3%84%EC%8B%9C",
    "postgres://app_user:s3cr3t@db-primary.internal.example:6432/orders?sslmode=require",
    "이 링크 좀 봐줘 https://blog.example.kr/posts/2024/11/memory-design-notes 정리가 잘 돼 있어",
    "http://192.168.10.24:8080/admin/login.php?redirect=%2Fdashboard%2Foverview&lang=en-GB",
    "ftp://mirror.example.edu/pub/linux/kernel/v6.x/linux-6.9.4.tar.xz and its signature linux-6.9.4.tar.sign",
    "https://cdn.example.io/assets/v2.14.0/js/vendor.bundle.min.js?integrity=a81bc81b",
    "Contact: maria.fernandes+orders@mail.example.pt, backup j_oconnor@example.ie, www.example.ie/staff/oconnor",
    "/usr/local/share/applications/org.example.Editor.desktop -> /opt/editor/share/editor.desktop",
];

#[rustfmt::skip]
const NUMBERS: &[&str] = &[
    "3.14159265358979323846264338327950288419716939937510",
    "2024-03-18 09:30, 2024-03-19 14:45, 2024-03-21 08:00, 2024-04-02 17:15",
    "1,204,556 + 98,731 = 1,303,287; minus 12.5% leaves 1,140,376.13",
    "010-2345-6789, 02-555-0199, +82-10-9876-5432, 1588-1234",
    "[0.0123, -1.882e-05, 7.4401, 19.000, -0.5512, 3.3e8, 0.25]",
    "4111 1111 1111 1111 exp 09/27 cvv 123, total $1,249.99 (incl. 19% VAT)",
    "10 20 30 40 50 60 70 80 90 100 110 120 130 140 150",
    "서울 인구 9,386,034명, 부산 3,293,362명, 대구 2,374,960명 (2023년 기준)",
    "1000000007 998244353 2147483647 18446744073709551615 6700417",
    "٣٫١٤ و ١٢٣٤٥ و ٢٠٢٤ ثم ９８７６ и ½ ¾ Ⅷ ²",
    "IP 10.0.0.1/24 gw 10.0.0.254 dns 1.1.1.1 8.8.8.8 mtu 1500 vlan 230",
    "37.5665° N, 126.9780° E, altitude 38 m; 48.8566° N, 2.3522° E, altitude 35 m",
];

#[rustfmt::skip]
const BLANKS: &[&str] = &[
    "name:     Ines\nage:      41\ncity:     Porto\nlanguages:    pt,  en,   es\n",
    "\n\n\nfirst\n\n\n\nsecond\n\n\n\n\nthird, after many empty lines\n\n\nand the end\n\n\n\n",
    "a\tb\tc\td\te\n1\t2\t3\t4\t5\n6\t7\t8\t9\t10\n",
    "            deeply indented text\n                    even deeper than that\n    and back again\n",
    "one\r\ntwo\r\nthree\r\n\r\nfour, with carriage returns\r\n\r\n\r\nfive\r\n",
    "trailing   \nblanks    \nat the end  \nof each line     \nare a nuisance   \n",
    "wide　ideographic　spaces　between　words　and\u{a0}no\u{a0}break\u{a0}spaces\u{a0}too",
    "word          word                    word                              word     end of line here",
    "\t\t\tif (x) {\n\t\t\t\treturn y;\n\t\t\t}\n\n\n\t\t\telse {\n\t\t\t\treturn z;\n\t\t\t}\n",
    "이름      나이      도시\n지수      서른      부산\n민호      마흔      대전\n",
];

#[rustfmt::skip]
const REPEATS: &[&str] = &[
    "ㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋ",
    "아 진짜 ㅋㅋㅋㅋㅋㅋ 너무 웃겨 ㅎㅎㅎㅎㅎㅎㅎ 근데 좀 슬프다 ㅠㅠㅠㅠㅠㅠ ㅜㅜㅜㅜ",
    "no way!!!!!!!!!!!! are you serious?????????? omg omg omg!!!!!!!!",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "hahahahahahaha hahahaha hehehehehe hihihihihihi hohohohohohoho muahahahaha",
    "soooooooo goooooood, I loooooove it, yesssssssss, nooooooooo, pleeeeeease",
    "====================\nSECTION ONE\n====================\n\n--------------------\ndetails\n--------------------\n",
    "~~~~~~ *** ~~~~~~ *** ~~~~~~ ### ~~~~~~ ### ^^^^^^ ....... ,,,,,, ;;;;; @@@@@",
    "네네네네네네네네 하하하하하하하하하하 아아아아아아아아 으으으으으으으",
    "哈哈哈哈哈哈哈哈哈哈 呵呵呵呵呵呵 wwwwwwwwwwww 。。。。。。。。 ！！！！！！！！",
    "na na na na na na na na na na na na, hey hey hey, goodbye, la la la la la la la",
    "....................................................................... wait ....................... what",
];

/// Base64, hex and UUIDs of fixed pseudo-random bytes.
fn opaque() -> Vec<String> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut byte = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    };
    let mut texts = Vec::new();
    for size in [24, 48, 96, 192] {
        for _ in 0..4 {
            const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
            texts.push((0..size).map(|_| DIGITS[usize::from(byte() % 64)] as char).collect());
            texts.push((0..size / 2).map(|_| format!("{:02x}", byte())).collect());
            let uuid = |byte: &mut dyn FnMut() -> u8| {
                let hex: String = (0..16).map(|_| format!("{:02x}", byte())).collect();
                [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
            };
            texts.push((0..size / 24).map(|_| uuid(&mut byte)).collect::<Vec<_>>().join("\n"));
        }
    }
    texts
}

fn categories() -> Vec<(&'static str, Vec<String>)> {
    let own = |texts: &[&str]| texts.iter().map(|&t| t.to_owned()).collect();
    vec![
        ("korean", own(KOREAN)),
        ("english", own(ENGLISH)),
        ("mixed", own(MIXED)),
        ("code", own(CODE)),
        ("emoji", own(EMOJI)),
        ("chinese", own(CHINESE)),
        ("japanese", own(JAPANESE)),
        ("arabic", own(ARABIC)),
        ("hindi", own(HINDI)),
        ("russian", own(RUSSIAN)),
        ("urls", own(URLS)),
        ("numbers", own(NUMBERS)),
        ("blanks", own(BLANKS)),
        ("repeats", own(REPEATS)),
        ("opaque", opaque()),
    ]
}

#[derive(Clone, Copy)]
struct Ratios {
    min: f64,
    sum: f64,
    n: usize,
}

impl Default for Ratios {
    fn default() -> Self {
        Ratios {
            min: f64::MAX,
            sum: 0.0,
            n: 0,
        }
    }
}

impl Ratios {
    fn add(&mut self, ratio: f64) {
        self.min = self.min.min(ratio);
        self.sum += ratio;
        self.n += 1;
    }

    fn mean(&self) -> f64 {
        self.sum / self.n as f64
    }
}

#[test]
fn estimates_stay_between_5_percent_under_and_25_percent_over() {
    const COLUMNS: [(&str, Tokenizer, bool); 4] = [
        ("cl100k/cl100k", Tokenizer::Cl100k, true),
        ("o200k/o200k", Tokenizer::O200k, false),
        ("any/cl100k", Tokenizer::Any, true),
        ("any/o200k", Tokenizer::Any, false),
    ];
    let mut faults = Vec::new();
    let (mut any, mut floor) = (Ratios::default(), Ratios::default());
    print!("{:10} {:>4}", "category", "n");
    for (name, ..) in COLUMNS {
        print!(" {name:>14} min  mean");
    }
    println!();
    for (category, texts) in categories() {
        let mut columns = [Ratios {
            min: f64::MAX,
            sum: 0.0,
            n: 0,
        }; 4];
        for text in &texts {
            let counts = [cl100k_base().count(text.as_str()), o200k_base().count(text.as_str())];
            for ((name, tokenizer, cl), column) in COLUMNS.into_iter().zip(&mut columns) {
                let real = counts[usize::from(!cl)];
                let estimated = estimate(text, tokenizer);
                if real < ORDINARY {
                    if estimated + 1 < real {
                        faults.push(format!("{name} {estimated} for {real}: {text:?}"));
                    }
                    continue;
                }
                let ratio = estimated as f64 / real as f64;
                if ratio < 0.95 {
                    faults.push(format!("{name} {estimated} for {real}: {text:?}"));
                }
                column.add(ratio);
                if tokenizer == Tokenizer::Any {
                    any.add(ratio);
                    floor.add(counts[0].max(counts[1]) as f64 / real as f64);
                }
            }
        }
        print!("{category:10} {:4}", texts.len());
        for ((name, ..), column) in COLUMNS.into_iter().zip(&columns) {
            print!(" {:18.3} {:5.3}", column.min, column.mean());
            // o200k is far denser than cl100k in some scripts; only the grand mean is held.
            if name != "any/o200k" && column.mean() > 1.25 {
                faults.push(format!("{name} is {:.3} on {category}", column.mean()));
            }
        }
        println!();
    }
    // Following the larger count costs something even with perfect estimates.
    println!(
        "any over all texts and both tokenizers: {:.3}, of which {:.3} is cl100k against o200k",
        any.mean(),
        floor.mean()
    );
    if any.mean() > 1.25 {
        faults.push(format!("the grand mean of any is {:.3}", any.mean()));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Words cut out of the texts above stand for short messages.
#[test]
fn short_texts_are_at_most_one_token_under() {
    let mut faults = Vec::new();
    for (_, texts) in categories() {
        for text in &texts {
            let words: Vec<&str> = text.split_inclusive(' ').collect();
            for part in words.chunks(3).chain(words.chunks(1)) {
                let part = part.concat();
                for (real, tokenizer) in [(cl100k_base(), Tokenizer::Cl100k), (o200k_base(), Tokenizer::O200k)] {
                    let real = real.count(part.as_str());
                    let estimated = estimate(&part, tokenizer);
                    if real < ORDINARY && estimated + 1 < real {
                        faults.push(format!("{tokenizer:?} {estimated} for {real}: {part:?}"));
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
