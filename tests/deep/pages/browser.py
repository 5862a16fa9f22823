# SPDX-License-Identifier: GPL-3.0-or-later
"""Debian's Chromium by the DevTools protocol: opening a page, asking it, pressing keys, pictures, paper."""
import base64, json, os, subprocess, tempfile, time, urllib.request
import websocket


class Browser:
    def __init__(self):
        self.profile = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--lang=en-US", "--remote-allow-origins=*",
             "--hide-scrollbars", "--user-data-dir=" + self.profile.name, "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        place = os.path.join(self.profile.name, "DevToolsActivePort")
        for _ in range(300):
            if os.path.exists(place) and open(place).read().count("\n"):
                break
            time.sleep(0.1)
        port = open(place).readline().strip()
        tabs = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json"))
        self.socket = websocket.create_connection(next(t for t in tabs if t["type"] == "page")["webSocketDebuggerUrl"], timeout=60)
        self.number, self.events = 0, []

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"])[:600])
        return result["result"].get("value")

    def open(self, page, width, scheme="light"):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Page.navigate", url="file://" + page)
        for _ in range(600):
            if self.value("document.readyState") == "complete":
                return
            time.sleep(0.05)

    def milliseconds(self):
        """Of the processor, which the tab has taken so far: however busy the machine is."""
        self.call("Performance.enable", timeDomain="threadTicks")
        return 1000 * next(metric["value"] for metric in self.call("Performance.getMetrics")["metrics"] if metric["name"] == "TaskDuration")

    def press(self, key, code, number, text=None, modifiers=0):
        for kind in ("keyDown", "keyUp"):
            more = {"text": text} if text and kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code, windowsVirtualKeyCode=number, modifiers=modifiers, **more)

    def picture(self, path):
        data = self.call("Page.captureScreenshot", captureBeyondViewport=True, format="png")["data"]
        open(path, "wb").write(base64.b64decode(data))

    def paper(self, path):
        data = self.call("Page.printToPDF", printBackground=False)["data"]
        open(path, "wb").write(base64.b64decode(data))

    def events_that_are_wrong(self, page):
        """A request for anything but the page, or a word on the console."""
        wrong = []
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method == "Network.requestWillBeSent":
                url = parameters["request"]["url"]
                if url != "file://" + urllib.request.pathname2url(page) and not url.startswith(("data:", "blob:")):
                    wrong.append("a request leaves the page: " + url)
            if method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown") or (
                    method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning")):
                wrong.append("the console says: " + json.dumps(parameters)[:400])
        return wrong

    def close(self):
        try:
            self.call("Browser.close")
        except Exception:
            pass
        self.process.wait(30)
