# SPDX-License-Identifier: GPL-3.0-or-later
"""Debian's Firefox by WebDriver BiDi: opening a page and asking it."""
import json, os, subprocess, tempfile, time
import websocket


class Firefox:
    def __init__(self):
        self.profile = tempfile.TemporaryDirectory()
        self.log = open(os.path.join(self.profile.name, "log"), "w+")
        self.process = subprocess.Popen(["firefox-esr", "--headless", "--no-remote", "--profile", self.profile.name, "--remote-debugging-port=0", "about:blank"],
                                        stdout=self.log, stderr=self.log, env=dict(os.environ, HOME=self.profile.name, MOZ_HEADLESS_WIDTH="1280", MOZ_HEADLESS_HEIGHT="900"))
        self.number, self.events = 0, []
        self.socket = websocket.create_connection(self.address() + "/session", timeout=120, suppress_origin=True)
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        self.context = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def address(self):
        said = "WebDriver BiDi listening on "
        for _ in range(1200):
            for line in open(self.log.name, errors="replace"):
                if said in line:
                    return line.split(said)[1].strip()
            time.sleep(0.1)
        raise RuntimeError("Firefox does not listen: " + open(self.log.name).read()[-300:])

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.number:
                if message["type"] == "error":
                    raise RuntimeError(f"{method}: {message['message']}")
                return message["result"]
            self.events.append(message)

    def open(self, page):
        self.call("browsingContext.navigate", context=self.context, url="file://" + page, wait="complete")

    def value(self, expression):
        result = self.call("script.evaluate", expression="(async () => JSON.stringify(await (" + expression + ")))()", target={"context": self.context}, awaitPromise=True)
        if result["type"] == "exception":
            raise RuntimeError(result["exceptionDetails"]["text"])
        return json.loads(result["result"]["value"]) if result["result"]["type"] == "string" else None

    def events_that_are_wrong(self):
        """A request for anything but files of the test, or a word on the console."""
        wrong = []
        for event in self.events:
            told = event.get("params", {})
            if event.get("method") == "log.entryAdded" and told["level"] in ("error", "warn"):
                wrong.append("the console says: " + str(told.get("text"))[:300])
            if event.get("method") == "network.beforeRequestSent" and not told["request"]["url"].startswith(("file:", "data:", "blob:", "about:")):
                wrong.append("a request leaves the page: " + told["request"]["url"])
        return wrong

    def close(self):
        try:
            self.call("browser.close")
        except Exception:
            pass
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
