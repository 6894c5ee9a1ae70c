"""Services on loopback that the checks of inputs over the network ask: a store of objects that checks
signatures (moto), and a web server that fails on request."""

import contextlib
import http.client
import http.server
import os
import socket
import ssl
import subprocess
import sys
import threading
import urllib.request

import pytest

REGION = "eu-west-1"


class Store:
    """moto's S3 in a process of its own; only requests with the right signature are answered."""

    def __init__(self, process, port):
        self.process = process
        self.endpoint = f"http://127.0.0.1:{port}"
        self.access_key = self.secret_key = "setup"
        iam = self.client("iam")
        policy = ('{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*",'
                  ' "Resource": "*"}]}')
        iam.create_user(UserName="reader")
        iam.put_user_policy(UserName="reader", PolicyName="all", PolicyDocument=policy)
        role = iam.create_role(RoleName="session", AssumeRolePolicyDocument="{}")["Role"]
        iam.put_role_policy(RoleName="session", PolicyName="all", PolicyDocument=policy)
        # Credentials that hold for a while, with a token: those of a session, and of the next one.
        self.session, self.next_session = [
            self.client("sts").assume_role(
                RoleArn=role["Arn"], RoleSessionName=name)["Credentials"] for name in ("check", "next")]
        key = iam.create_access_key(UserName="reader")["AccessKey"]
        self.access_key, self.secret_key = key["AccessKeyId"], key["SecretAccessKey"]
        # From here on every request needs a signature.
        self.post("/moto-api/reset-auth", b"0")
        self.s3 = self.client("s3")

    def post(self, path, body):
        request = urllib.request.Request(
            self.endpoint + path, body, {"Content-Type": "application/octet-stream"})
        urllib.request.urlopen(request, timeout=30).read()

    def client(self, service):
        import boto3
        return boto3.client(
            service, endpoint_url=self.endpoint, region_name=REGION,
            aws_access_key_id=self.access_key, aws_secret_access_key=self.secret_key)

    def keys(self):
        return {"AWS_ACCESS_KEY_ID": self.access_key, "AWS_SECRET_ACCESS_KEY": self.secret_key}

    def fill(self, bucket, objects):
        self.s3.create_bucket(
            Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": REGION})
        for key, body in objects.items():
            self.s3.put_object(Bucket=bucket, Key=key, Body=body)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def moto_store():
    pytest.importorskip("moto", reason="no moto here; script/setup --tests installs it")
    pytest.importorskip("boto3", reason="no boto3 here; script/setup --tests installs it")
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        env=dict(os.environ, PYTHONUNBUFFERED="1"))
    try:
        # The line that says where it listens.
        for line in process.stderr:
            if b"Running on" in line:
                break
        drain = threading.Thread(target=process.stderr.read, daemon=True)
        drain.start()
        yield Store(process, port)
    finally:
        process.kill()
        process.wait()


class WebServer(http.server.ThreadingHTTPServer):
    """Serves `files` (path: bytes) with entity tags and ranges.

    `faults` are taken one a request: a status, a number of bytes as `("cut", N)` after which the
    connection breaks, or a function of the request that returns whether it has answered. `asked` is
    what was asked for: method, path and headers.
    """

    daemon_threads = True

    def __init__(self, files, certificate=None):
        super().__init__(("127.0.0.1", 0), WebHandler)
        self.files, self.faults, self.asked, self.tags = dict(files), [], [], {}
        self.answers = {}
        scheme = "http"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.socket = context.wrap_socket(self.socket, server_side=True)
            scheme = "https"
        self.url = f"{scheme}://localhost:{self.server_address[1]}"

    def handle_error(self, request, client_address):
        pass


class WebHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)
        return True

    def do_PUT(self):
        self.do_GET()

    def do_GET(self):
        server, path = self.server, self.path.split("?")[0]
        server.asked.append((self.command, self.path, dict(self.headers)))
        fault = server.faults.pop(0) if server.faults else None
        if isinstance(fault, int):
            return self.answer(fault, b"try later", Content_Type="text/plain")
        if callable(fault) and fault(self):
            return None
        if path in server.answers:
            status, body, headers = server.answers[path]
            return self.answer(status, body, **headers)
        if path not in server.files:
            return self.answer(404, b"not here: " + self.path.encode(), Content_Type="text/plain")
        body = server.files[path]
        tag = server.tags.get(path, '"1"')
        if tag and self.headers.get("If-Match", tag) != tag:
            return self.answer(412)
        start = int(self.headers.get("Range", "bytes=0-")[6:].split("-")[0])
        if start and start >= len(body):
            return self.answer(416)
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        if tag:
            self.send_header("ETag", tag)
        self.send_header("Content-Length", str(len(body) - start))
        self.end_headers()
        part = body[start:]
        if isinstance(fault, tuple):
            self.wfile.write(part[:fault[1]])
            self.wfile.flush()
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
        else:
            self.wfile.write(part)
        return None


class TokenGate(http.server.ThreadingHTTPServer):
    """Stands before a store and refuses tokens that have expired, which moto doesn't.

    A token expires when it was taken `lifetimes[token]` times, and `expire` is called. `taken` are the
    tokens of requests that were passed on, in their order, and `refused` those that weren't.
    """

    daemon_threads = True

    def __init__(self, store, lifetimes, expire=lambda token: None):
        super().__init__(("127.0.0.1", 0), TokenGateHandler)
        self.store, self.lifetimes, self.expire = store, dict(lifetimes), expire
        self.taken, self.refused, self.unsigned = [], [], []
        self.lock = threading.Lock()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def takes(self, token):
        with self.lock:
            if self.taken.count(token) < self.lifetimes.get(token, float("inf")):
                self.taken.append(token)
                return True
            if token not in self.refused:
                self.expire(token)
            self.refused.append(token)
            return False


class TokenGateHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        gate = self.server
        token = self.headers.get("x-amz-security-token")
        signed = self.headers.get("Authorization", "").partition("SignedHeaders=")[2].partition(",")[0]
        if token and "x-amz-security-token" not in signed.split(";"):
            gate.unsigned.append(self.path)
        if gate.takes(token):
            store = http.client.HTTPConnection(gate.store.endpoint.removeprefix("http://"), timeout=60)
            # The host is signed, too.
            store.putrequest("GET", self.path, skip_host=True, skip_accept_encoding=True)
            for name, value in self.headers.items():
                store.putheader(name, value)
            store.endheaders()
            answer = store.getresponse()
            status, body, headers = answer.status, answer.read(), dict(answer.getheaders())
            store.close()
        else:
            status, headers = 400, {"Content-Type": "application/xml"}
            body = (b"<Error><Code>ExpiredToken</Code><Message>The provided token has expired."
                    b"</Message></Error>")
        self.send_response(status)
        for name, value in headers.items():
            if name.lower() not in ("content-length", "connection", "transfer-encoding", "date", "server"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextlib.contextmanager
def token_gate(store, lifetimes, expire=lambda token: None):
    with served(TokenGate(store, lifetimes, expire)) as gate:
        yield gate


@contextlib.contextmanager
def web_server(files, certificate=None):
    with served(WebServer(files, certificate)) as server:
        yield server


@contextlib.contextmanager
def served(server):
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
