"""A provider on loopback that speaks OpenAI's, Gemini's and Ollama's protocol, well or badly as it is told.

    with Provider() as provider:
        provider.endpoint                    # http://127.0.0.1:PORT/v1 for OpenAI's; root for Ollama's; gemini for Gemini's
        provider.behave("chat", "slow", seconds=3)            # until told otherwise
        provider.behave("chat", "error", status=503, times=2) # twice, then as before
        provider.behave("embed", "cut_body")
        provider.answer = '{"summary": "…"}'                  # or a function of the request's body
        provider.requests                    # what came: path, headers, body, at

A mode can also stand in the endpoint: http://127.0.0.1:PORT/~hang/v1. As a program it runs until it is killed:
python3 provider.py [PORT]; POST /control {"what": "chat", "mode": "slow", "seconds": 3} tells it how to behave,
GET /requests shows what came.
"""

import hashlib
import itertools
import json
import math
import re
import ssl
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DIMENSIONS = 64
SUMMARY = {"summary": "The user told something.", "topics": ["talk"], "emotion": "calm", "importance": 6}
ANSWERS = {
    '"summary"': SUMMARY,
    '"facts"': {"facts": []},
    '"interpretation"': {"interpretation": "I was glad to hear it.", "emotion": "joy", "intensity": 0.5},
    '"profile"': {"profile": "Somebody who likes to talk."},
    '"deltas"': {
        "deltas": {"trust": 1, "affection": 1, "respect": 0, "rivalry": 0, "familiarity": 2},
        "note": "Ask how it went.",
        "emotion": "calm",
        "intensity": 0.2,
    },
    '"ok"': {"ok": True},
}


def embedding(text, dimensions=DIMENSIONS):
    """Texts that share words are near."""
    vector = [0.0] * dimensions
    for word in re.findall(r"\w+", text.lower()) or ["?"]:
        digest = hashlib.sha256(word.encode()).digest()
        vector[int.from_bytes(digest[:4], "big") % dimensions] += 1.0 if digest[4] % 2 else -1.0
    norm = math.sqrt(sum(x * x for x in vector))
    return [x / norm for x in vector] if norm else [1.0] + [0.0] * (dimensions - 1)


class Provider:
    def __init__(self, port=0, certificate=None):
        """`certificate`: a file with a certificate and its key, for https."""
        self.requests = []
        self.answer = None
        self.dimensions = DIMENSIONS
        self.model = "stub-1"
        self._modes = {}
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._open = 0
        self.most_open = 0
        provider = self

        class Handler(_Handler):
            pass

        Handler.provider = provider
        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None
        self.scheme = "https" if certificate else "http"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_address[1]

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def root(self):
        return f"{self.scheme}://127.0.0.1:{self.port}"

    @property
    def endpoint(self):
        return f"{self.root}/v1"

    @property
    def gemini(self):
        return f"{self.root}/v1beta"

    def behave(self, what="chat", mode="ok", times=None, **options):
        """How to answer `what` ("chat" or "embed") from now on, or for the next `times`."""
        if mode not in MODES:
            raise ValueError(f"no such mode: {mode}")
        with self._lock:
            if times is None:
                self._modes[what] = [(mode, options, None)]
            else:
                self._modes.setdefault(what, [("ok", {}, None)]).insert(0, (mode, options, times))

    def reset(self):
        with self._lock:
            self._modes.clear()
            self.requests.clear()
            self.most_open = 0
        self.answer = None

    def of(self, what):
        """The requests for chat or embeddings."""
        return [request for request in list(self.requests) if request["what"] == what]

    def wait_for(self, count, what="chat", within=30):
        """Waits until so many requests came."""
        until = time.monotonic() + within
        while len(self.of(what)) < count:
            if time.monotonic() > until:
                raise AssertionError(f"{len(self.of(what))} requests for {what} came, not {count}")
            time.sleep(0.02)

    def _mode(self, what):
        with self._lock:
            modes = self._modes.setdefault(what, [("ok", {}, None)])
            mode, options, times = modes[0]
            if times is not None:
                modes[0] = (mode, options, times - 1)
                if times <= 1:
                    modes.pop(0)
            return mode, options

    def _came(self, request):
        with self._lock:
            self.requests.append(request)
            self._open += 1
            self.most_open = max(self.most_open, self._open)

    def _went(self):
        with self._lock:
            self._open -= 1


class _Handler(BaseHTTPRequestHandler):
    provider = None
    protocol_version = "HTTP/1.1"
    # Without it every answer waits 40 ms for an acknowledgement.
    disable_nagle_algorithm = True
    wbufsize = -1

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path == "/requests":
            return self._json(200, self.provider.requests)
        # Nobody should come here: redirects lead to it.
        self.provider.requests.append({"what": "followed", "path": self.path, "headers": dict(self.headers)})
        self._json(200, {})

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/control":
            self.provider.behave(**json.loads(body))
            return self._json(200, {})
        path, mode, options = self.path, None, {}
        named = re.match(r"/~(\w+)(/.*)", path)
        if named:
            mode, path = named.groups()
        protocol, what = _protocol(path)
        self.provider._came(
            {
                "what": what or "unknown",
                "protocol": protocol,
                "path": self.path,
                "headers": {name.lower(): value for name, value in self.headers.items()},
                "body": _read(body),
                "at": time.time(),
            }
        )
        try:
            if what is None:
                return self._json(404, {"error": "no such path"})
            if mode is None:
                mode, options = self.provider._mode(what)
            self.close_connection = True
            MODES[mode](self, protocol, what, _read(body), options)
        except OSError:
            pass
        finally:
            self.provider._went()

    def _json(self, status, value, **headers):
        self._bytes(status, json.dumps(value, ensure_ascii=False).encode(), **headers)

    def _bytes(self, status, body, content_type="application/json", **headers):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def _reply(self, protocol, what, body):
        if what == "embed":
            return _vectors(protocol, body, self.provider)
        return _answer(protocol, self._text(body), self.provider)

    def _text(self, body):
        answer = self.provider.answer
        if callable(answer):
            answer = answer(body)
        if answer is None:
            asked = json.dumps(body, ensure_ascii=False)
            answer = next((value for mark, value in ANSWERS.items() if json.dumps(mark)[1:-1] in asked), SUMMARY)
        return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


def _read(body):
    try:
        return json.loads(body)
    except ValueError:
        return None


def _protocol(path):
    if path.endswith("/chat/completions"):
        return "openai", "chat"
    if path.endswith("/embeddings"):
        return "openai", "embed"
    if path.endswith(":generateContent"):
        return "gemini", "chat"
    if path.endswith(":batchEmbedContents"):
        return "gemini", "embed"
    if path.endswith("/api/chat"):
        return "ollama", "chat"
    if path.endswith("/api/embed"):
        return "ollama", "embed"
    return None, None


def _answer(protocol, text, provider):
    if protocol == "openai":
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        return {"model": provider.model, "choices": [choice], "usage": {"prompt_tokens": 11, "completion_tokens": 7}}
    if protocol == "gemini":
        candidate = {"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP"}
        usage = {"promptTokenCount": 11, "candidatesTokenCount": 7}
        return {"modelVersion": provider.model, "candidates": [candidate], "usageMetadata": usage}
    message = {"role": "assistant", "content": text}
    return {"model": provider.model, "message": message, "done": True, "prompt_eval_count": 11, "eval_count": 7}


def _vectors(protocol, body, provider):
    if protocol == "gemini":
        asked = body["requests"]
        dimensions = asked[0].get("outputDimensionality", provider.dimensions)
        texts = [one["content"]["parts"][0]["text"] for one in asked]
        return {"embeddings": [{"values": embedding(text, dimensions)} for text in texts]}
    vectors = [embedding(text, body.get("dimensions", provider.dimensions)) for text in body["input"]]
    if protocol == "ollama":
        return {"model": provider.model, "embeddings": vectors}
    # Not in their order: a client has to look.
    data = [{"index": index, "embedding": vector} for index, vector in enumerate(vectors)]
    return {"model": provider.model, "data": data[::-1], "usage": {"prompt_tokens": 3}}


def _ok(handler, protocol, what, body, options):
    handler._json(200, handler._reply(protocol, what, body))


def _slow(handler, protocol, what, body, options):
    handler.provider._closing.wait(options.get("seconds", 1))
    _ok(handler, protocol, what, body, options)


def _hang(handler, protocol, what, body, options):
    handler.provider._closing.wait(options.get("seconds", 600))


def _drip(handler, protocol, what, body, options):
    """An answer that comes byte by byte and never ends."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    while not handler.provider._closing.wait(0.1):
        handler.wfile.write(b" ")
        handler.wfile.flush()


def _cut_before(handler, protocol, what, body, options):
    pass


def _cut_headers(handler, protocol, what, body, options):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: applic")
    handler.wfile.flush()


def _cut_body(handler, protocol, what, body, options):
    whole = json.dumps(handler._reply(protocol, what, body)).encode()
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(whole)))
    handler.end_headers()
    handler.wfile.write(whole[: len(whole) // 2])
    handler.wfile.flush()


def _garbage(handler, protocol, what, body, options):
    handler.wfile.write(b"SSH-2.0-OpenSSH_9.2\r\n\r\n")
    handler.wfile.flush()


def _rate_limit(handler, protocol, what, body, options):
    headers = {"Retry_After": str(options["retry_after"])} if "retry_after" in options else {}
    handler._json(429, {"error": {"message": "slow down"}}, **headers)


def _error(handler, protocol, what, body, options):
    handler._json(options.get("status", 500), {"error": {"message": "key sk-secret is wrong"}})


def _no_schema(handler, protocol, what, body, options):
    """A server without structured output."""
    if "response_format" in body or "format" in body or "responseSchema" in body.get("generationConfig", {}):
        return handler._json(400, {"error": {"message": "response_format is not supported"}})
    _ok(handler, protocol, what, body, options)


def _empty(handler, protocol, what, body, options):
    handler._bytes(200, b"")


def _no_text(handler, protocol, what, body, options):
    if what == "embed":
        key = {"openai": "data"}.get(protocol, "embeddings")
        return handler._json(200, {key: []})
    handler._json(200, _answer(protocol, "", handler.provider))


def _wrong_json(handler, protocol, what, body, options):
    handler._bytes(200, b'{"choices": [{"message": {"content": "unfinished')


def _other_json(handler, protocol, what, body, options):
    handler._json(200, {"choices": "none", "candidates": 7, "message": [], "data": {}, "embeddings": "none"})


def _nonsense(handler, protocol, what, body, options):
    """A good response with an answer that is none."""
    if what == "embed":
        vectors = {"openai": {"data": [{"index": 0, "embedding": [0, 0]}]}, "gemini": {"embeddings": [{"values": []}]}}
        return handler._json(200, vectors.get(protocol, {"embeddings": [[1e99]]}))
    handler._json(200, _answer(protocol, "I would rather not.", handler.provider))


def _around(change):
    def answer(handler, protocol, what, body, options):
        if what == "embed":
            return _ok(handler, protocol, what, body, options)
        handler._json(200, _answer(protocol, change(handler._text(body)), handler.provider))

    return answer


def _huge(handler, protocol, what, body, options):
    """100 MB, announced or not."""
    size = options.get("megabytes", 100) * 1024 * 1024
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    if options.get("announced"):
        handler.send_header("Content-Length", str(size))
    else:
        handler.send_header("Connection", "close")
    handler.end_headers()
    block = b'{"a":"' + b"x" * (1024 * 1024 - 6)
    for _ in range(size // len(block)):
        handler.wfile.write(block)
        block = b"x" * len(block)


def _redirect(handler, protocol, what, body, options):
    target = f"{handler.provider.root}/elsewhere"
    handler._json(options.get("status", 302), {}, Location=target)


def _wrong_type(handler, protocol, what, body, options):
    whole = json.dumps(handler._reply(protocol, what, body)).encode()
    handler._bytes(200, whole, content_type="text/html; charset=euc-kr")


def _invalid_utf8(handler, protocol, what, body, options):
    whole = json.dumps(handler._reply(protocol, what, body)).encode()
    handler._bytes(200, whole[:-1] + b', "x": "\xff\xfe"}')


MODES = {
    "ok": _ok,
    "slow": _slow,
    "hang": _hang,
    "drip": _drip,
    "cut_before": _cut_before,
    "cut_headers": _cut_headers,
    "cut_body": _cut_body,
    "garbage": _garbage,
    "rate_limit": _rate_limit,
    "error": _error,
    "no_schema": _no_schema,
    "empty": _empty,
    "no_text": _no_text,
    "wrong_json": _wrong_json,
    "other_json": _other_json,
    "nonsense": _nonsense,
    "prose": _around(lambda text: f"Sure! Here it is:\n\n{text}\n\nIs there anything else?"),
    "fenced": _around(lambda text: f"```json\n{text}\n```"),
    "trailing_commas": _around(lambda text: text[: text.rindex("}")] + ",\n}"),
    "thinking": _around(lambda text: f"<think>The user {{seems}} fine.</think>\n{text}"),
    "huge": _huge,
    "redirect": _redirect,
    "wrong_type": _wrong_type,
    "invalid_utf8": _invalid_utf8,
}


def main():
    with Provider(int(sys.argv[1]) if len(sys.argv) > 1 else 0) as provider:
        print(provider.endpoint, flush=True)
        for _ in itertools.count():
            time.sleep(3600)


if __name__ == "__main__":
    main()
