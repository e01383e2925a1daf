"""Text made up for the teachers: any text can be labelled by them, so words that free text lacks get sentences too."""

import random

# A noun before a particle: {} takes the form without, {을} the one that fits the noun's last sound.
FRAMES = """
나는 {을} 좋아해
{을} 별로 안 좋아해요
어제 {을} 샀어
{이} 필요해
{이} 없어서 곤란해요
{에} 대해 알려줘
{은} 어디에 있어?
{이} 뭐야?
{을} 보고 싶다
{때문에} 걱정이야
요즘 {을} 배우고 있어
내일 {을} 준비해야 해
{이} 너무 비싸요
{이} 정말 좋았습니다
{하고} {은} 다르다
{보다} {이} 더 좋아
{이랑} {을} 같이 했어
{에서} {을} 봤다
{에} {이} 있다
{의} {을} 확인해 주세요
{을} 위한 {을} 마련했다
{이} {을} 발표했다
한 사람이 {을} 들고 있다
여자가 {에서} {을} 하고 있다
아이들이 {을} 가지고 논다
{은} 언제 시작해?
{을} 몇 시에 해야 할까?
{을} 끄고 {을} 켜 줘
숙소 근처에 {이} 있어서 편해요
정부는 {에} {을} 지원한다
우리 가족은 {을} 키운다
친구가 {을} 선물해 줬어
{이} 고장 났어
{을} 먹었더니 {이} 아파
{에} 다니고 있습니다
{으로} 이사했어요
{은} 내가 제일 좋아하는 거야
아버지는 {이다}
{을} 잃어버렸어
{에} 가려면 어떻게 해야 해요?
""".strip().split("\n")

# After an open syllable, after a closed one, after a final ㄹ when that differs.
PARTICLES = {
    "을": ("를", "을"), "이": ("가", "이"), "은": ("는", "은"), "이랑": ("랑", "이랑"), "으로": ("로", "으로"),
    "이다": ("다", "이다"), "에": ("에", "에"), "에서": ("에서", "에서"), "의": ("의", "의"),
    "하고": ("하고", "하고"), "보다": ("보다", "보다"), "때문에": (" 때문에", " 때문에"),
}


def with_particle(noun, particle):
    final = (ord(noun[-1]) - 0xAC00) % 28
    closed = final != 0 and not (particle == "으로" and final == 8)
    return noun + PARTICLES[particle][closed]


def framed(nouns, times, seed=1):
    """Each noun in that many sentences."""
    rng = random.Random(seed)
    for _ in range(times):
        for noun in nouns:
            out, first = [], True
            for part in rng.choice(FRAMES).replace("}", "{").split("{"):
                if part in PARTICLES:
                    out.append(with_particle(noun if first else rng.choice(nouns), part))
                    first = False
                else:
                    out.append(part)
            yield "".join(out)


def windows(texts, times, seed=2):
    """Some words in a row out of each text."""
    rng = random.Random(seed)
    for text in texts:
        words = text.split()
        if len(words) >= 3:
            for _ in range(times):
                size = rng.randint(1, min(len(words) - 1, 8))
                start = rng.randint(0, len(words) - size)
                yield " ".join(words[start : start + size])
