# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of a run in Debian's Chromium, from file://, by the DevTools protocol.

page_browser.py PAGE RUN [SCREENSHOTS]: no request but for the page itself, nothing on the console; at every threshold of
results.tsv the slider shows its counts, and the arrow keys move it; every text has a contrast of at least 4.5 in light and
dark; nothing is wider than the window at 1280 and 390 pixels. SCREENSHOTS receives pictures."""
import base64, csv, json, os, subprocess, sys, tempfile, time, urllib.request
import websocket

page, run = os.path.realpath(sys.argv[1]), sys.argv[2]
pictures = sys.argv[3] if len(sys.argv) > 3 else None
bad = 0


def complain(*words):
    global bad
    bad = 1
    print("FAIL:", *words)


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

    def open(self, width, scheme):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Page.navigate", url="file://" + page)
        for _ in range(600):
            if self.value("document.readyState") == "complete":
                return
            time.sleep(0.05)

    def picture(self, name):
        if not pictures:
            return
        os.makedirs(pictures, exist_ok=True)
        data = self.call("Page.captureScreenshot", captureBeyondViewport=True, format="png")["data"]
        open(os.path.join(pictures, name + ".png"), "wb").write(base64.b64decode(data))

    def close(self):
        try:
            self.call("Browser.close")
        except Exception:
            pass
        self.process.wait(30)


# The contrast of every text that is shown (WCAG 2.1, 1.4.3), against the nearest ground that is painted.
CONTRAST = """(() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgb = (colour) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const light = (c) => { const [r, g, b] = c.slice(0, 3).map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c[3] > 250) return c; } return [255, 255, 255, 255]; };
  const low = new Map();
  for (const e of document.querySelectorAll('main *')) {
    if (e.closest('.picture') || e.closest('.unseen') || !e.getClientRects().length) continue;
    if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
    const text = e instanceof SVGElement, style = getComputedStyle(e);
    const circle = text && e.parentElement.querySelector(':scope > circle');
    const a = light(rgb(text ? style.fill : style.color)), b = light(circle ? rgb(getComputedStyle(circle).fill) : ground(e));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) low.set(e.tagName + '.' + (e.getAttribute('class') || ''), ratio.toFixed(2));
  }
  return [...low].map((pair) => pair.join(' '));
})()"""

COUNTS = """[...document.querySelectorAll('[data-live]')].map((row) => [...row.querySelectorAll('[data-name]')].map((cell) => cell.dataset.value))"""
MOVE = "(() => { const s = document.getElementById('threshold'); s.value = %d; s.dispatchEvent(new Event('input')); return s.value; })()"


def check_slider(browser):
    rows = list(csv.DictReader(open(os.path.join(run, "results.tsv")), delimiter="\t"))
    arms = list(dict.fromkeys((r["corpus"], r["arm"]) for r in rows))
    thresholds = sorted({int(float(r["threshold"])) for r in rows})
    for threshold in thresholds:
        if browser.value(MOVE % threshold) != str(threshold):
            complain("the slider does not reach", threshold)
            continue
        shown = browser.value(COUNTS)
        for (corpus, arm), cells in zip(arms, shown):
            row = next(r for r in rows if (r["corpus"], r["arm"]) == (corpus, arm) and int(float(r["threshold"])) == threshold)
            for name, cell in zip(("tp", "fp", "fn", "tn", "precision", "recall", "f1"), cells):
                wanted = None if row[name] == "NA" else float(row[name])
                got = None if cell == "null" else float(cell)
                if (wanted is None) != (got is None) or (wanted is not None and abs(wanted - got) > 1e-9):
                    complain(f"h = {threshold}, {arm}: {name} is {cell}, results.tsv has {row[name]}")
        if len(shown) != len(arms):
            complain(f"h = {threshold}: {len(shown)} rows of {len(arms)}")
    return len(thresholds) * len(arms)


def check_keyboard(browser):
    browser.value("document.getElementById('threshold').focus()")
    before = int(browser.value("document.getElementById('threshold').value"))
    for kind in ("keyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key="ArrowLeft", code="ArrowLeft", windowsVirtualKeyCode=37)
    if browser.value("document.getElementById('shown').textContent") != str(before - 1):
        complain("the arrow key does not move the threshold")
    # A box by the space bar: the arm goes from the table, and comes back.
    rows = browser.value("document.querySelectorAll('[data-live]').length")
    own = browser.value("document.querySelectorAll('[data-live=\"0\"]').length")
    for wanted in (rows - own, rows):
        browser.value("document.querySelector('[data-box]').focus()")
        for kind in ("keyDown", "keyUp"):
            browser.call("Input.dispatchKeyEvent", type=kind, key=" ", code="Space", text=" ", windowsVirtualKeyCode=32)
        if browser.value("document.querySelectorAll('[data-live]').length") != wanted:
            complain("a box does not hide its arm")


def check_events(browser):
    for event in browser.events:
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Network.requestWillBeSent":
            url = parameters["request"]["url"]
            if url != "file://" + urllib.request.pathname2url(page) and not url.startswith("data:"):
                complain("a request leaves the page:", url)
        if method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown") or (
                method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning")):
            complain("the console says:", json.dumps(parameters)[:400])


browser = Browser()
try:
    for domain in ("Page", "Network", "Runtime", "Log"):
        browser.call(domain + ".enable")
    for width in (1280, 390):
        for scheme in ("light", "dark"):
            browser.open(width, scheme)
            low = browser.value(CONTRAST)
            if low:
                complain(f"contrast at {width}, {scheme}:", low)
            wide = browser.value("document.documentElement.scrollWidth")
            if wide > width:
                complain(f"{wide} pixels wide in a window of {width}")
            browser.picture(f"{width}-{scheme}")
    browser.open(1280, "light")
    opened = browser.value("performance.getEntriesByType('navigation')[0].loadEventEnd")
    cells = check_slider(browser)
    check_keyboard(browser)
    if browser.value("!!document.querySelector('[data-language=zh]')"):
        browser.value("document.querySelector('[data-language=zh]').click()")
        if browser.value("[...document.querySelectorAll('.en')].some((e) => e.getClientRects().length)"):
            complain("English is shown beside Chinese")
        browser.picture("1280-zh")
    check_events(browser)
    print(f"{cells} rows compared; the page was open after {opened:.0f} ms")
finally:
    browser.close()
sys.exit(bad)
