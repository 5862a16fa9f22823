# SPDX-License-Identifier: GPL-3.0-or-later
"""The playground in Debian's Chromium, from file://, by the DevTools protocol.

playground_browser.py PAGE PROGRAM CORPUS [SCREENSHOTS]: six fingerprints first, of which most call the first pair near-duplicates; what is
added while the lab starts is not lost; errors go with what they were about; typed texts get the program's distances; a keystroke on 2,000
characters takes less than 50 ms; the features behind a bit add up to its sum, by pointer and by keyboard; a corpus gets the program's
counts, and behind a count are exactly its pairs; what cannot be read gets a sentence; every text of the page has both languages and
a contrast of at least 4.5; nothing is wider than the window at 1280 and 390 pixels; no request, and nothing on the console."""
import csv, io, json, os, re, subprocess, sys, tempfile, time
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from browser import Browser

page, program, corpus = (os.path.realpath(path) for path in sys.argv[1:4])
pictures = sys.argv[4] if len(sys.argv) > 4 else None
bad = 0


def complain(*words):
    global bad
    bad = 1
    print("FAIL:", *words)


browser = Browser()
value = browser.value
for domain in ("Network", "Page", "Runtime", "Log", "DOM"):
    browser.call(domain + ".enable")


def until(expression, seconds=10):
    end = time.time() + seconds
    while time.time() < end:
        found = value(expression)
        if found:
            return found
        time.sleep(0.02)
    complain("waited in vain for", expression)
    return None


def opened(width, scheme="light", every=True):
    """With every fingerprint shown, unless the six that come first are asked for."""
    browser.open(page, width, scheme)
    until("document.documentElement.dataset.ready !== undefined && !!document.querySelector('#distances table')")
    if every:
        value("document.getElementById('more').click()")
        until("document.querySelectorAll('#distances tbody tr').length > 6 && !!document.querySelector('#inside .cell')")


def picture(name):
    if pictures:
        os.makedirs(pictures, exist_ok=True)
        browser.picture(os.path.join(pictures, name + ".png"))


def enter(place, text):
    value(f"""(() => {{ const area = document.getElementById({json.dumps(place)}); area.value = {json.dumps(text)};
        area.dispatchEvent(new Event("input")); }})()""")


def distances():
    return value("""Object.fromEntries([...document.querySelectorAll("#distances tbody tr")].map((row) =>
        [row.cells[0].textContent, row.cells[2].textContent.split(" / ")[0]]))""")


def press(key, code, number, text=None):
    browser.press(key, code, number, text)


# ---- The beginning ----

def check_beginning():
    """In both languages: six fingerprints, most of which call the example near-duplicates; a button for the others; a text of one's own
    stays when the language changes."""
    opened(1280, every=False)
    for language, word in (("en", "near-duplicate"), ("zh", "近似重复")):
        value(f"document.querySelector('[data-language={language}]').click()")
        until(f"document.documentElement.lang.startsWith('{language}') && document.querySelectorAll('#distances tbody tr').length === 6")
        until(f"[...document.querySelectorAll('#distances .verdict.is')].filter((one) => one.textContent.includes('{word}')).length >= 4")
        value("document.getElementById('more').click()")
        until("document.querySelectorAll('#distances tbody tr').length > 12 && document.activeElement.id === 'more'")
        called, whole = value("[document.querySelectorAll('#distances .verdict.is').length, document.querySelectorAll('#distances .verdict').length]")
        if 2 * called <= whole:
            complain(language, called, "of", whole, "fingerprints with a usual threshold call the first pair near-duplicates")
        value("document.getElementById('more').click()")
        until("document.querySelectorAll('#distances tbody tr').length === 6")
    enter("text-a", "甲乙")
    value("document.querySelector('[data-language=en]').click()")
    if value("document.getElementById('text-a').value") != "甲乙":
        complain("a change of language replaces a text of one's own")


def check_early():
    """What is added and evaluated before the lab is there is done when it is."""
    browser.open(page, 1280)
    early = value("""(() => {
        const field = document.getElementById("own");
        field.value = "simhash:bits=32";
        field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
        [...document.querySelectorAll(".buttons button")].find((one) => one.textContent === "An example").click();
        document.getElementById("evaluate").click();
        return document.documentElement.dataset.ready === undefined;
    })()""")
    if not early:
        print("skipped: the lab was there before the page could be asked")
    until("[...document.querySelectorAll('#distances tbody button')].some((one) => one.textContent === 'simhash:bits=32')", 30)
    until("document.querySelectorAll('#results table').length === 5", 60)
    if value("document.querySelector('.own').textContent.includes('is added when') || document.getElementById('own').value !== ''"):
        complain("what was added early:", value("document.querySelector('.own').textContent"))


def check_stale():
    """An error goes when what it was about changes."""
    opened(1280)
    enter("own", "simhahs")
    value("document.querySelector('.own button').click()")
    until("!!document.querySelector('.own .warning')")
    enter("own", "simhas")
    if value("!!document.querySelector('.own .warning')"):
        complain("the error of another fingerprint stays")
    enter("own", "")
    enter("corpus", '{"a"')
    until("!!document.querySelector('#told .warning')")
    enter("corpus", "甲乙丙丁\n甲乙丙戊\n\n子丑寅卯\n")
    if value("!!document.querySelector('#told .warning')"):
        complain("the error of another corpus stays")
    value("document.querySelectorAll('.arms input').forEach((one) => { if (one.checked) one.click(); })")
    value("document.getElementById('evaluate').click()")
    until("/at least one/.test(document.getElementById('told').textContent)")
    value("document.querySelector('.arms input').click()")
    if value("!!document.querySelector('#told .warning')"):
        complain("the error stays when a fingerprint is chosen")


# ---- Two texts ----

def check_distances(a, b):
    told = subprocess.run([program, "compare", "--quiet", "--format", "tsv", "--text", a, b], capture_output=True, text=True).stdout
    rows = {row["arm"]: row for row in csv.DictReader(io.StringIO(told), delimiter="\t", quoting=csv.QUOTE_NONE)}
    enter("text-a", a)
    time.sleep(0.3)
    value("delete document.getElementById('distances').dataset.milliseconds")
    enter("text-b", b)
    until("document.getElementById('distances').dataset.milliseconds !== undefined")
    here = distances()
    for arm, row in rows.items():
        if arm not in here:
            complain("the page has no", arm)
        elif abs(float(here[arm]) - float(row["distance"])) > 0.0051:
            complain(arm, "has", here[arm], "and the program", row["distance"])
    return here


def check_keystroke(text):
    """The last of 2,000 characters, again and again: from the event to the table that stands."""
    enter("text-a", text[:2000])
    enter("text-b", text[30:2030])
    time.sleep(0.5)
    for shown in ("all fingerprints", "the first six"):
        took = min((round_of_keys() for _ in range(3)), key=lambda took: took[10])
        print(f"a keystroke on 2,000 characters, {shown}: median {took[10]:.1f} ms, longest {took[-1]:.1f} ms")
        value("document.getElementById('more').click()")
        time.sleep(0.5)
    if took[10] > 50:
        complain("a keystroke on 2,000 characters takes", took[10], "ms")


def round_of_keys():
    return value("""(async () => {
        const area = document.getElementById("text-a"), place = document.getElementById("distances"), took = [];
        for (let i = 0; i < 21; i++) {
            delete place.dataset.milliseconds;
            area.value = area.value.slice(0, 1999) + "一二三四五"[i % 5];
            const begun = performance.now();
            area.dispatchEvent(new Event("input"));
            while (place.dataset.milliseconds === undefined) await new Promise((done) => { const channel = new MessageChannel(); channel.port1.onmessage = done; channel.port2.postMessage(0); });
            took.push(performance.now() - begun);
            await new Promise((done) => setTimeout(done, 120));
        }
        return took.sort((x, y) => x - y);
    })()""")


def check_places():
    enter("text-a", "我喜欢看电视，不喜欢看电影。")
    enter("text-b", "我不喜欢看电视，也不喜欢看电影。")
    time.sleep(0.4)
    for arm in value("[...document.querySelectorAll('#distances tbody button')].map((one) => one.textContent)"):
        value(f"document.querySelector('#distances button[data-arm=\"{arm}\"]').click()")
        until(f"document.querySelector('#distances button[aria-pressed=true]').textContent === {json.dumps(arm)}")
        time.sleep(0.15)
        cells = value("document.querySelectorAll('#inside .cell').length")
        if not cells:
            continue
        marked = value("document.querySelectorAll('#inside .cell.differs').length")
        distance = float(distances()[arm])
        if arm != "pinyin" and marked != distance:
            complain(arm, "marks", marked, "places, and the distance is", distance)
        value("document.querySelector('#inside .cell').dispatchEvent(new MouseEvent('mouseenter'))")
        until("document.querySelector('#behind h3') !== null")
        if arm == "simhash":
            check_sum()
            picture("bits")
    value("document.querySelector('#distances button[data-arm=simhash]').click()")
    time.sleep(0.3)
    value("document.querySelector('#inside .cell').focus()")
    press("ArrowRight", "ArrowRight", 39)
    press("ArrowDown", "ArrowDown", 40)
    until("document.activeElement.dataset.place === '17' && document.querySelector('#behind h3')?.textContent.includes('18')")


def check_sum():
    """The votes for 1 and for 0 of the first bit of text A make its sum."""
    text = value("document.querySelector('#behind .sides > div').textContent")
    total = value("""[...document.querySelectorAll("#behind .sides > div:first-child .chips .small")].reduce((sum, one) => sum + Number(one.textContent), 0)""")
    said = float(value("document.querySelector('#behind .sides > div p').textContent.match(/-?[0-9.]+/)[0]"))
    if abs(total - said) > 0.05:
        complain("votes make", total, "and the sum is", said, text)


def check_own():
    enter("own", "simhash:bits=128,features=chars:2")
    value("document.getElementById('own').focus()")
    press("Enter", "Enter", 13, "\r")
    until("document.querySelectorAll('#inside .cell').length === 128")
    enter("own", "simhahs")
    press("Enter", "Enter", 13, "\r")
    until("document.querySelector('.own .warning') && document.querySelector('.own .warning').textContent.includes('simhash')")


def check_empty():
    enter("text-a", "")
    until("document.querySelectorAll('#problem .warning').length === 1")
    enter("text-b", "")
    until("document.querySelector('#problem .warning').textContent.length > 20 && !document.querySelector('#distances table')")
    enter("text-a", "字" * 100001)
    until("document.querySelector('#problem').textContent.includes('100001')")
    check_distances("甲" * 50, "e\u0301 ﬁ 𠀀 <script>alert(1)</script>")


def check_queue():
    """Of twenty requests for one place the first, which was under way, and the last are answered; another place is left alone."""
    answered = value("""(async () => {
        const text = "我喜欢看电视".repeat(300), asked = [];
        for (let i = 0; i < 20; i++) asked.push(ask({ op: "fingerprint", arms: ["weightedminhash"], texts: [text + i] }, "test"));
        asked.push(ask({ op: "features", arm: "simhash", text: "\\ud800Ａ" }, "other"));
        return (await Promise.all(asked)).map((one) => (one === null ? null : one.normalised || one.arms.length));
    })()""")
    if answered != [1] + [None] * 18 + [1, "\ufffda"]:
        complain("the queue answers", answered)


def check_stop():
    """A long evaluation leaves the boxes alive, and can be stopped; the next one goes on."""
    lines = "\n".join(f"g{i // 2}\t" + "甲乙丙丁戊己庚辛壬癸"[i % 10] * 40 + str(i) for i in range(1500))
    enter("corpus", lines)
    value("document.querySelectorAll('.arms input').forEach((one) => { if (!one.checked) one.click(); })")
    value("document.getElementById('evaluate').click()")
    until("!!document.getElementById('stop')")
    until("/%/.test(document.getElementById('far').textContent)", 30)
    check_distances("甲" * 50, "乙" * 50)
    until("/about [0-9]+ s more/.test(document.getElementById('far')?.textContent)", 60)
    if not value("!!document.getElementById('stop')"):
        complain("the evaluation was over before the boxes were tried")
    value("document.getElementById('stop')?.click()")
    until("/stopped/.test(document.getElementById('told').textContent)")
    value("document.querySelectorAll('.arms input').forEach((one) => { if (one.checked) one.click(); })")
    value("document.getElementById('evaluate').click()")
    until("/at least one/.test(document.getElementById('told').textContent)")
    value("document.querySelectorAll('.arms input')[1].click()")
    enter("corpus", "甲乙丙丁\n甲乙丙戊\n\n子丑寅卯\n")
    value("document.getElementById('evaluate').click()")
    until("document.querySelectorAll('#results table').length === 1")


# ---- A corpus ----

def rows_of(name):
    return [line for line in open(os.path.join(corpus, name), encoding="utf-8").read().split("\n") if line]


def check_corpus():
    """The pairs of a corpus as a table of two texts and a label, and the counts of the program."""
    texts = {row["id"]: row["text"] for row in map(json.loads, rows_of("docs.jsonl"))}
    grouped = "\n".join(json.dumps({"id": name, "text": text, "group": name.rsplit("-", 1)[0]}, ensure_ascii=False) for name, text in texts.items())
    with tempfile.TemporaryDirectory() as folder:
        open(os.path.join(folder, "docs.jsonl"), "w", encoding="utf-8").write(grouped + "\n")
        told = subprocess.run([program, "eval", "-c", folder, "--hash-seeds", "1", "--threshold", "1..10", "--format", "tsv"], capture_output=True, text=True)
    rows = list(csv.DictReader(io.StringIO(told.stdout), delimiter="\t", quoting=csv.QUOTE_NONE))
    if not rows:
        complain("the program evaluates nothing:", told.stderr)
    enter("corpus", grouped)
    time.sleep(0.4)
    value("document.getElementById('evaluate').click()")
    until("document.querySelectorAll('#results table').length === 5", 60)
    print(value("document.getElementById('told').textContent")[:90])
    for row in rows:
        cells = value(f"""(() => {{ const table = document.querySelector('#results table[data-arm={row["arm"]}]');
            const line = [...table.tBodies[0].rows].find((one) => one.cells[0].textContent === {json.dumps(row["threshold"])});
            return [...line.cells].map((cell) => cell.textContent); }})()""")
        if [float(cell) for cell in cells[1:5]] != [float(row[name]) for name in ("tp", "fp", "fn", "tn")]:
            complain("counts", cells, row)
        for cell, name in ((cells[5], "precision"), (cells[6], "recall")):
            shown = "–" if row[name] == "NA" else f"{float(row[name]):.3f}"
            if row[name + "_low"] != "NA":
                shown += f" ({float(row[name + '_low']):.3f}–{float(row[name + '_high']):.3f})"
            if cell != shown:
                complain(row["arm"], row["threshold"], name, cell, "and the program has", shown)
    check_pairs()


def check_pairs():
    """Behind each count of a row stand so many pairs, and no pair stands behind two of them."""
    value("document.querySelectorAll('#results details').forEach((one) => { one.open = true; })")
    seen = set()
    for cell in range(4):
        count = int(value(f"""(() => {{ const line = document.querySelector('#results table[data-arm=pinyin]').tBodies[0].rows[2];
            const button = line.cells[{cell + 1}].querySelector("button"); button.click(); return button.textContent; }})()"""))
        until(f"document.querySelector('#pairs h3') && document.activeElement === document.querySelector('#pairs h3') && document.querySelector('#pairs h3').textContent.includes(' {count} ')")
        pairs = value("[...document.querySelectorAll('#pairs li p.small:first-child')].map((one) => one.textContent.split(',')[0])")
        if len(pairs) != min(count, 50):
            complain(len(pairs), "pairs are shown of", count)
        if seen & set(pairs):
            complain("a pair stands behind two counts:", seen & set(pairs))
        seen |= set(pairs)


def check_forms():
    cases = {
        "甲乙丙丁\n甲乙丙戊\n\n子丑寅卯\n": "1",  # lines with groups
        "g\t甲乙丙丁\ng\t甲乙丙戊\nh\t子丑寅卯\n": "1",
        "1\tg\t甲乙丙丁\n2\tg\t甲乙丙戊\n3\th\t子丑寅卯\n": "1",
        "甲乙丙丁\t甲乙丙戊\t1\n甲乙丙丁\t子丑寅卯\t0\n": "1",
        '{"a": "甲乙丙丁", "b": "甲乙丙戊", "label": 1}\n{"a": "甲", "b": "乙", "label": 0}\n': "1",
    }
    for text in cases:
        enter("corpus", text)
        until("document.querySelector('#told .small') && /pairs that are duplicates: 1,/.test(document.getElementById('told').textContent)")
        value("document.getElementById('told').textContent = ''")
    for text, words in {"甲\n乙\n": "empty line", '{"text": 1}': "neither", '{"a"': "not JSON", "a\tb\tc\td": "4 columns", "x\ty\nz": "no", "g\t甲\nh\t乙\n": "no duplicates",
                        '{"a": "甲", "b": "乙", "label": 2}': "neither 0 nor 1", "\n".join(f"甲{i}" for i in range(2001)): "2000", "<img src=x onerror=alert(1)>\t1\t2\t3": "4 columns"}.items():
        value("document.getElementById('told').textContent = ''")
        enter("corpus", text)
        if words != "no":
            until(f"document.getElementById('told').textContent.includes({json.dumps(words)})")
    enter("corpus", "")


def check_chinese():
    """What the lab says of a mistake is Chinese on the Chinese page; a line that the table has not is told by its kind, and folded."""
    value("document.querySelector('[data-language=zh]').click()")
    until("document.documentElement.lang === 'zh-CN'")
    for spec, words in {"simhahs": "没有算法 simhahs；是否指 simhash？", "simhash:bits=1000000": "bits=1000000 超出范围：bits 可取 4 至 128", "simhash:bitz=1": "simhash 没有参数 bitz；是否指 bits？",
                        "simhash:bits": '此处应写 键=值，而不是 "bits"', "simhash:weight=tfidv": "weight 不能取 tfidv；是否指 tfidf？", "cosine:segmenter=icu": "本页没有分词器 icu，只有 jieba",
                        "vectors": "vectors 需要 file=文件，而本页没有文件", "simhash:center=mean": None}.items():
        enter("own", spec)
        value("document.getElementById('own').focus()")
        press("Enter", "Enter", 13, "\r")
        if words:
            until(f"document.querySelector('.own .warning')?.textContent.startsWith({json.dumps(words)})")
            if value("document.querySelector('.own details') !== null"):
                complain(spec, "has its line folded, and is translated")
        else: # at the latest in the table, since one text would be enough to tell of the mistake
            until("/须先用至少 64 篇文本拟合/.test(document.querySelector('.own').textContent + document.querySelector('#distances').textContent)")
    told = value("""(() => { const made = Saying.problem({ error: "a line that nobody <b>knows</b>", status: "range" });
        return [made.querySelector("p").textContent, made.querySelector("details").open, made.querySelector("details p").textContent]; })()""")
    if told != ["有数值超出范围。", False, "a line that nobody <b>knows</b>"]:
        complain("a line without translation:", told)
    caution = value("""Saying.caution("its document frequencies come from 2 documents; with fewer than 20 they describe these texts rather than the language (use idf=builtin, or idf=FILE from a larger corpus); it is fitted to 2 documents; with fewer than 64 the fit depends on chance, and two are each other's opposite").textContent""")
    if re.search("[a-z]{4,} [a-z]{3,} [a-z]", caution) or "；只用 2 篇文本拟合" not in caution:
        complain("a caution:", caution)
    enter("corpus", '{"a"')
    until("/第 1 行不是 JSON。/.test(document.querySelector('#told .warning p')?.textContent) && document.querySelector('#told details p').textContent.length > 10")
    enter("corpus", "")
    value("document.querySelector('[data-language=en]').click()")
    until("document.documentElement.lang === 'en'")


def drop(place, expression, name):
    """A file that is dropped on a box; how long the page did not answer, in milliseconds."""
    return value(f"""(async () => {{
        const data = new DataTransfer();
        data.items.add(new File([{expression}], {json.dumps(name)}));
        let last = performance.now(), longest = 0;
        const timer = setInterval(() => {{ const now = performance.now(); longest = Math.max(longest, now - last); last = now; }}, 10);
        document.getElementById({json.dumps(place)}).dispatchEvent(new DragEvent("drop", {{ dataTransfer: data, bubbles: true, cancelable: true }}));
        await new Promise((done) => setTimeout(done, 600));
        clearInterval(timer);
        return longest;
    }})()""")


def check_drops():
    longest = drop("corpus", "new Uint8Array(50 * 1048576)", "large.bin")
    print(f"50 MB dropped: the page answers again after {longest:.0f} ms")
    if "50.0 MB" not in value("document.getElementById('told').textContent"):
        complain("50 MB:", longest, value("document.getElementById('told').textContent"))
    drop("corpus", "new Uint8Array([0xff, 0xfe, 0x00, 0x80])", "picture.png")
    if "picture.png" not in value("document.getElementById('told').textContent"):
        complain("no text:", value("document.getElementById('told').textContent"))
    drop("text-a", "new Uint8Array([0x89, 0x50, 0x4e, 0x47])", "picture.png")
    if "picture.png" not in value("document.getElementById('problem').textContent"):
        complain("no text in a box:", value("document.getElementById('problem').textContent"))
    drop("text-a", "'\\u7532\\u4e59'", "two.txt")
    if value("document.getElementById('text-a').value") != "甲乙":
        complain("a dropped text is not taken")
    drop("corpus", "'g\\t\\u7532\\u4e59\\ng\\t\\u7532\\nh\\tx\\n'", "small.tsv")
    if "Texts: 3;" not in value("document.getElementById('told').textContent"):
        complain("a dropped corpus:", value("document.getElementById('told').textContent"))
    longest = drop("corpus", "'g\\t' + '\\u7532\\u4e59\\u4e19'.repeat(500000) + '\\ng\\t' + '\\u4e59'.repeat(60000) + '\\nh\\tx\\n'", "long.tsv")
    print(f"a corpus of 5 MB dropped: the page answers again after {longest:.0f} ms")
    enter("corpus", "")


# ---- The look ----

CONTRAST = """(() => {
    const luminance = (rgb) => { const [r, g, b] = rgb.map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    const parse = (text) => { const parts = text.match(/[0-9.]+/g).map(Number); return { rgb: parts.slice(0, 3), alpha: parts.length > 3 ? parts[3] : 1 }; };
    const ground = (element) => { for (; element; element = element.parentElement) { const { rgb, alpha } = parse(getComputedStyle(element).backgroundColor); if (alpha === 1) return rgb; } return parse(getComputedStyle(document.body).backgroundColor).rgb; };
    const low = [];
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || element.closest("svg") || !element.getClientRects().length) continue;
        const [x, y] = [parse(getComputedStyle(element).color).rgb, ground(element)].map(luminance);
        const ratio = (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
        if (ratio < 4.5) low.push(walker.currentNode.data.slice(0, 30) + " " + ratio.toFixed(2));
    }
    return low.slice(0, 5);
})()"""


def check_look(width, scheme):
    opened(width, scheme)
    value("document.querySelector('#inside .cell').focus()")
    value("[...document.querySelectorAll('.buttons button')].find((one) => one.textContent === 'An example').click()")
    value("document.getElementById('evaluate').click()")
    until("document.querySelectorAll('#results table').length === 5")
    value("[...document.querySelectorAll('#results button.count')].find((one) => one.textContent !== '0').click()")
    until("document.querySelectorAll('#results table').length === 5 && !!document.querySelector('#pairs li')")
    wide = value("document.documentElement.scrollWidth")
    if wide > width:
        complain(f"{wide} pixels wide at {width}")
    low = value(CONTRAST)
    if low:
        complain(f"contrast at {width}, {scheme}:", low)
    picture(f"{width}-{scheme}")
    value("document.querySelector('[data-language=zh]').click()")
    until("document.documentElement.lang === 'zh-CN' && document.querySelectorAll('#results table').length === 5")
    time.sleep(0.3)
    if value("document.documentElement.scrollWidth") > width:
        complain("in Chinese too wide at", width)
    english = value("""[...document.querySelectorAll("h1, h2, h3, h4, p, label, th, legend, li, summary")].map((one) => one.textContent)
        .filter((text) => /[a-z]{4,} [a-z]{3,}/i.test(text) && !/described|pairs are not independent|units/.test(text)).slice(0, 5)""")
    if [text for text in english if "fplab" not in text and "The " not in text]:
        complain("English on the Chinese page:", english)
    picture(f"{width}-{scheme}-zh")


check_beginning()
check_early()
check_stale()
opened(1280)
print("ready:", value("Math.round(performance.now())"), "ms after the page was opened, at most")
articles = "".join(json.loads(row)["text"] for row in rows_of("docs.jsonl")).replace("\n", "")
check_distances("我喜欢看电视，不喜欢看电影。", "我不喜欢看电视，也不喜欢看电影。")
check_distances(articles[:2000], articles[30:2030])
check_keystroke(articles)
check_places()
check_own()
check_empty()
check_corpus()
check_forms()
check_chinese()
check_drops()
check_queue()
check_stop()
for width in (1280, 390):
    for scheme in ("light", "dark"):
        check_look(width, scheme)
for wrong in browser.events_that_are_wrong(page):
    complain(wrong)
browser.close()
sys.exit(bad)
