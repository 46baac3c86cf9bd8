"""A webhook endpoint with nothing but Python's own library (3.8 or later).

WEBHOOK_SECRET=a-long-random-text WEBHOOK_ENVIRONMENT=SANDBOX PORT=4000 python3 server.py
"""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300

# While you rotate the secret, the new one stands beside the old one.
SECRETS = [os.environ[name] for name in ("WEBHOOK_SECRET", "WEBHOOK_NEXT_SECRET") if os.environ.get(name)]

# The environment that this shop sells in. Nobody paid money for a SANDBOX event.
ENVIRONMENT = os.environ.get("WEBHOOK_ENVIRONMENT") or "LIVE"

# Yours is a table with a unique key, written in the transaction that fulfils the order.
fulfilled = set()


def problem_of(raw_body, headers):
    """None when the request is genuine and recent, else a sentence. `raw_body` are the bytes as they came."""
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not headers.get(name):
            return f"The header {name} is missing."
    timestamp = headers["webhook-timestamp"]
    if not (timestamp.isascii() and timestamp.isdigit()):
        return "The header webhook-timestamp is not a time in Unix seconds."
    signed = f"{headers['webhook-id']}.{timestamp}.".encode() + raw_body
    given = headers["webhook-signature"].encode().split(b" ")
    matches = False
    for secret in SECRETS:
        mac = hmac.new(secret.encode(), signed, hashlib.sha256).digest()
        expected = b"v1," + base64.b64encode(mac)
        for entry in given:
            matches |= hmac.compare_digest(entry, expected)
    if not matches:
        return "No signature in webhook-signature belongs to this body and secret."
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return "The time in webhook-timestamp is too far from now."
    return None


def fulfil(data):
    intent_id = data["payment_intent_id"]
    if intent_id in fulfilled:
        return
    fulfilled.add(intent_id)
    print(f"fulfilled {intent_id}", flush=True)


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        raw_body = self.rfile.read(int(self.headers.get("content-length", 0)))
        problem = problem_of(raw_body, self.headers)
        if problem is not None:
            return self.answer(401, problem)
        body = json.loads(raw_body)
        if body["event"] == "webhook.endpoint_verification":
            return self.answer(200, json.dumps({"challenge": body["challenge"]}))
        # Test cases of the sandbox ask what the shop knows of an order; see docs/sandbox.md.
        if body["event"] == "webhook.order_status":
            is_fulfilled = body["data"]["payment_intent_id"] in fulfilled
            return self.answer(200, json.dumps({"stored": is_fulfilled, "fulfilled": is_fulfilled}))
        # Answer 200 for the other environment too: a retry would not change the environment.
        if body["environment"] != ENVIRONMENT:
            print(f"not fulfilled: a {body['environment']} event in a {ENVIRONMENT} shop", flush=True)
        elif body["event"] == "payment.paid":
            fulfil(body["data"])
        return self.answer(200, "")

    def answer(self, status, text):
        self.send_response(status)
        self.send_header("content-length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    if not SECRETS:
        raise SystemExit("WEBHOOK_SECRET is not set.")
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4000"))), Handler)
    print(f"listening on {server.server_port}", flush=True)
    server.serve_forever()
