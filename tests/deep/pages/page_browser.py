# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of a run in Debian's Chromium, from file://.

page_browser.py FPLAB PAGE RUN [SCREENSHOTS]: no request but for the page itself, nothing on the console; at every threshold of
results.tsv the slider shows its counts, and keys move it; a count opens exactly the pairs of its cell, by the distances that
`fplab distances` prints, with their texts whole; kinds, lengths, costs and a wanted precision count as they do; every text has a
contrast of at least 4.5 in light and dark; nothing is wider than the window at 1280 and 390 pixels. AXE=FILE: and axe-core finds
nothing. SCREENSHOTS receives pictures."""
import csv, json, os, random, sys
from browser import Browser
from page_truth import Truth, visible

fplab, page, run = sys.argv[1], os.path.realpath(sys.argv[2]), sys.argv[3]
pictures = sys.argv[4] if len(sys.argv) > 4 else None
recorded = json.load(open(os.path.join(run, "run.json"), encoding="utf-8"))
bad = 0


def complain(*words):
    global bad
    bad = 1
    print("FAIL:", *words)


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

COUNTS = """[...document.querySelectorAll('[data-live]')].map((row) => Object.fromEntries([...row.querySelectorAll('[data-name]')].map((cell) => [cell.dataset.name, cell.dataset.value])))"""
SET = "(() => { const e = document.getElementById('%s'); e.value = %r; e.dispatchEvent(new Event('input', {bubbles: true})); return e.value; })()"

rows = list(csv.DictReader(open(os.path.join(run, "results.tsv"), encoding="utf-8", newline=""), delimiter="\t"))
arms = list(dict.fromkeys((row["corpus"], row["arm"]) for row in rows))


# ---- The slider ----

def check_slider(browser):
    thresholds = sorted({int(float(row["threshold"])) for row in rows})
    for threshold in thresholds:
        if browser.value(SET % ("threshold", threshold)) != str(threshold):
            complain("the slider does not reach", threshold)
            continue
        shown = browser.value(COUNTS)
        if len(shown) != len(arms):
            complain(f"h = {threshold}: {len(shown)} rows of {len(arms)}")
        for (corpus, arm), cells in zip(arms, shown):
            row = next(r for r in rows if (r["corpus"], r["arm"]) == (corpus, arm) and int(float(r["threshold"])) == threshold)
            for name in ("tp", "fp", "fn", "tn", "precision", "recall", "f1"):
                wanted = None if row[name] == "NA" else float(row[name])
                got = None if cells[name] == "null" else float(cells[name])
                if (wanted is None) != (got is None) or (wanted is not None and abs(wanted - got) > 1e-9):
                    complain(f"h = {threshold}, {arm}: {name} is {cells[name]}, results.tsv has {row[name]}")
    return len(thresholds) * len(arms)


# ---- The pairs behind a count ----

OPEN = """(() => {
  [...document.querySelectorAll('[data-live]')][%d].querySelector('[data-cell=%s]').click();
  while (!document.getElementById('more').hidden) document.getElementById('more').click();
  return [...document.querySelectorAll('#pairs [data-pair]')].map((item) => [...JSON.parse(item.dataset.pair),
    ...[...item.querySelectorAll('.body')].map((body) => body.textContent)]);
})()"""


def check_cells(browser, truths):
    listed = 0
    for number, (corpus, arm) in enumerate(arms):
        truth, place = truths[corpus], number % len(recorded["arms"])
        for threshold in (0, 10, 18):
            browser.value(SET % ("threshold", threshold))
            counts = browser.value(COUNTS)[number]
            for name in ("fp", "fn", "tp", "tn")[:4 if threshold == 18 else 3]: # those rightly left are very many
                shown = browser.value(OPEN % (number, name))
                got, wanted = {(a, b) for a, b, *_ in shown}, truth.cell(place, name, threshold)
                if got != wanted:
                    complain(f"{arm} at {threshold}, {name}: {len(got)} pairs listed, {len(wanted)} wanted, {len(got ^ wanted)} other")
                if len(shown) != float(counts[name]):
                    complain(f"{arm} at {threshold}, {name}: {len(shown)} pairs are listed, the count is {counts[name]}")
                for a, b, *texts in shown:
                    if [visible(text) for text in texts] != [visible(truth.texts[id][:4000]) for id in (a, b)]:
                        complain(f"{arm}: the texts of {a} and {b} are not whole")
                listed += len(shown)
    browser.value("document.querySelector('#pairs .close').click()")
    if browser.value("document.activeElement.dataset.cell") not in ("tp", "tn"):
        complain("closing the list does not lead back to the count")
    return listed


BOX = "(() => { const e = document.querySelector('[data-part-box=' + CSS.escape(%s) + ']'); e.click(); return e.checked; })()"


def check_boxes(browser, truths):
    """Without two kinds and one length, counts are those of the pairs that are left."""
    kinds, lengths = browser.value("['kind', 'length'].map((what) => [...document.querySelectorAll('#' + what + '-boxes input')].map((e) => e.dataset.partBox))")
    without = kinds[:1] + kinds[-1:] + lengths[1:2]
    if len(without) < 3:
        return 0
    for name in without:
        browser.value(BOX % json.dumps(name))
    bounds = lengths[1].split(":")[1] # of the first corpus
    low, high = (int(part) for part in bounds.split("-")) if "-" in bounds else (int(bounds[:-1]), 10 ** 9)
    compared = 0
    for threshold in (5, 17):
        browser.value(SET % ("threshold", threshold))
        for number, ((corpus, arm), counts) in enumerate(zip(arms, browser.value(COUNTS))):
            truth, place = truths[corpus], number % len(recorded["arms"])
            keep = lambda pair: pair[3] not in without and not (truth is truths[arms[0][0]] and low <= truth.length(pair) <= high)
            for name in ("tp", "fp", "fn", "tn"):
                wanted = len(truth.cell(place, name, threshold, keep))
                compared += 1
                if abs(wanted - float(counts[name])) > 1e-6:
                    complain(f"{arm} at {threshold} without {without}: {name} is {counts[name]}, not {wanted}")
    for name in without:
        browser.value(BOX % json.dumps(name))
    return compared


def check_sample(browser):
    """A page that holds some of the pairs says so where it lists them."""
    browser.value("document.querySelector('[data-live] [data-cell=tp]').click()")
    said = browser.value("document.getElementById('pairs-said').textContent")
    held, total = browser.value("[data.corpora[0].pairs.length, data.corpora[0].total]")
    if not said.startswith(f"The page holds {held} of {total} pairs") or held > 5000:
        complain("what is said of a sample:", said)


# ---- Thresholds by cost and by precision ----

ESTIMATE = "(() => { const e = document.getElementById('estimate'); e.click(); return e.checked; })()"


def check_rules(browser, truths):
    """By trying every distance that occurs: the smallest of the cheapest, the largest that is precise enough."""
    for ratio in (0.2, 1, 7):
        browser.value(SET % ("ratio", ratio))
        for number, ((corpus, arm), cells) in enumerate(zip(arms, browser.value(COUNTS))):
            truth, place = truths[corpus], number % len(recorded["arms"])
            own = truth.distances[place]
            options = [-1] + sorted(set(own))
            cost = lambda h: sum((ratio * (pair[2] == "1") if d > h else pair[2] == "0") for d, pair in zip(own, truth.pairs))
            costs = [cost(h) for h in options]
            best = options[next(i for i, value in enumerate(costs) if value <= min(costs) * (1 + 1e-12))]
            if abs(best - float(cells["threshold"])) > 1e-9:
                complain(f"{arm}: at {ratio} the cheapest is {cells['threshold']}, not {best}")
    if not browser.value(ESTIMATE):
        complain("the estimate cannot be asked for")
    for wanted in (0.9, 0.99):
        browser.value(SET % ("wanted", wanted))
        for number, ((corpus, arm), cells) in enumerate(zip(arms, browser.value(COUNTS))):
            truth, place = truths[corpus], number % len(recorded["arms"])
            best, own = -1, truth.distances[place]
            for h in sorted(set(own)):
                labels = [pair[2] == "1" for d, pair in zip(own, truth.pairs) if d <= h]
                if sum(labels) / len(labels) >= wanted - 1e-9:
                    best = h
            if abs(best - float(cells["threshold"])) > 1e-9:
                complain(f"{arm}: the least strict at precision {wanted} is {cells['threshold']}, not {best}")
    # Unless the estimate is asked for, the lower limit of precision is as wanted, at the thresholds of results.tsv.
    browser.value(ESTIMATE)
    for wanted in (0.7, 0.9):
        browser.value(SET % ("wanted", wanted))
        for (corpus, arm), cells in zip(arms, browser.value(COUNTS)):
            good = [float(row["threshold"]) for row in rows if (row["corpus"], row["arm"]) == (corpus, arm) and row["precision_low"] != "NA" and float(row["precision_low"]) >= wanted]
            if abs(max(good, default=-1) - float(cells["threshold"])) > 1e-9:
                complain(f"{arm}: the least strict whose lower limit is {wanted} is {cells['threshold']}, not {max(good, default=-1)}")
    browser.value("document.querySelector('[name=rule][value=one]').click()")


def check_costs(browser):
    """The thresholds of costs.tsv, which come from the lower envelope of the costs, and their counts."""
    path = os.path.join(run, "costs.tsv")
    if not os.path.exists(path):
        return 0
    costs = list(csv.DictReader(open(path, encoding="utf-8", newline=""), delimiter="\t"))
    for ratio in dict.fromkeys(row["ratio"] for row in costs):
        browser.value(SET % ("ratio", float(ratio)))
        for cells, row in zip(browser.value(COUNTS), [row for row in costs if row["ratio"] == ratio]):
            # Two thresholds may cost the same: the page takes the smaller, the envelope one that it turns at.
            page_cost, table_cost = (float(ratio) * (float(cells["tp"]) + float(cells["fn"]) - float(of["tp"])) + float(of["fp"]) for of in (cells, row))
            same = all(abs(float(cells[name]) - float(row[name])) < 1e-9 for name in ("threshold", "tp", "fp"))
            if not same and not (abs(page_cost - table_cost) < 1e-9 and float(cells["threshold"]) < float(row["threshold"])):
                complain(f"{row['arm']} at {ratio}: {cells}, costs.tsv has {row}")
    browser.value("document.querySelector('[name=rule][value=one]').click()")
    return len(costs)


# ---- Differences ----

def longest_common(a, b):
    before = [0] * (len(b) + 1)
    for sign in a:
        row = [0]
        for j, other in enumerate(b):
            row.append(before[j] + 1 if sign == other else max(row[j], before[j + 1]))
        before = row
    return before[-1]


def check_differences(browser):
    """A common subsequence is one, and as long as the table says; stretches make up both texts, and alternate."""
    draw = random.Random(1)
    for case in range(300):
        alphabet = draw.choice(["ab", "abcdefgh", "我是中国人，。\n", "𠮷a𠮟b"])
        a, b = ("".join(draw.choice(alphabet) for _ in range(draw.choice([0, 1, 5, 31, 32, 33, 64, 65, 90]))) for _ in range(2))
        pairs, runs = browser.value(f"(() => {{ const a = {json.dumps(a)}, b = {json.dumps(b)}; return [fplab.common([...a], [...b]), fplab.diff(a, b)]; }})()")
        if len(pairs) != longest_common(a, b) or any(a[i] != b[j] for i, j in pairs) or any(p[0] >= q[0] or p[1] >= q[1] for p, q in zip(pairs, pairs[1:])):
            complain(f"no longest common subsequence of {a!r} and {b!r}")
        if ("".join(run["a"] for run in runs), "".join(run["b"] for run in runs)) != (a, b):
            complain(f"the stretches of {a!r} and {b!r} do not make them up")
        if any(run["same"] and run["a"] != run["b"] for run in runs) or any(p["same"] == q["same"] for p, q in zip(runs, runs[1:])):
            complain(f"the stretches of {a!r} and {b!r} are wrong: {runs}")


# ---- Keys, words, roles ----

FOCUS = "(() => { const e = document.activeElement; return e.id || e.dataset.cell || e.name || e.dataset.box || e.tagName; })()"


def check_keyboard(browser):
    browser.value("document.getElementById('threshold').focus()")
    before = int(browser.value("document.getElementById('threshold').value"))
    browser.press("ArrowLeft", "ArrowLeft", 37)
    if browser.value("document.getElementById('shown').textContent") != str(before - 1):
        complain("the arrow key does not move the threshold")
    # Tab leads from the slider through the table to a count, Enter opens it, and so on to the button that closes it.
    for _ in range(6):
        browser.press("Tab", "Tab", 9)
        if browser.value("document.activeElement.dataset.cell || ''"):
            break
    if browser.value("!!document.querySelector('.count')"):
        if browser.value(FOCUS) != "tp":
            complain("tab does not lead to the first count but to", browser.value(FOCUS))
        browser.press("Enter", "Enter", 13, "\r")
        if browser.value("document.getElementById('pairs').hidden") or browser.value(FOCUS) != "pairs-title":
            complain("Enter does not open the count")
        browser.press("Tab", "Tab", 9)
        browser.press("Enter", "Enter", 13, "\r")
        if not browser.value("document.getElementById('pairs').hidden") or browser.value(FOCUS) != "tp":
            complain("Enter does not close the list")
    # A box by the space bar: the arm goes from the table, and comes back.
    rows_shown = browser.value("document.querySelectorAll('[data-live]').length")
    own = browser.value("document.querySelectorAll('[data-live=\"0\"]').length")
    for wanted in (rows_shown - own, rows_shown):
        browser.value("document.querySelector('[data-box]').focus()")
        browser.press(" ", "Space", 32, " ")
        if browser.value("document.querySelectorAll('[data-live]').length") != wanted:
            complain("a box does not hide its arm")


def check_roles(browser, what):
    if not os.environ.get("AXE"):
        return
    if not browser.value("!!window.axe"):
        browser.value(open(os.environ["AXE"], encoding="utf-8").read() + "; 1")
    found = browser.value("axe.run(document, {resultTypes: ['violations'], rules: {'color-contrast': {enabled: true}}}).then((r) => r.violations.map((v) => "
                          "[v.id, v.impact, v.nodes.length, v.nodes[0].html.slice(0, 200), v.nodes[0].failureSummary.slice(0, 200)]))")
    for violation in found:
        complain(f"axe-core, {what}:", violation)


def picture(browser, name):
    if pictures:
        os.makedirs(pictures, exist_ok=True)
        browser.picture(os.path.join(pictures, name + ".png"))


def look(browser):
    for width in (1280, 390):
        for scheme in ("light", "dark"):
            browser.open(page, width, scheme)
            browser.value("(() => { const all = document.querySelectorAll('[data-cell=fn]'); if (all.length) all[0].click(); })()")
            low = browser.value(CONTRAST)
            if low:
                complain(f"contrast at {width}, {scheme}:", low)
            wide = browser.value("document.documentElement.scrollWidth")
            if wide > width:
                complain(f"{wide} pixels wide in a window of {width}")
            picture(browser, f"{width}-{scheme}")
            check_roles(browser, f"{width}, {scheme}")


browser = Browser()
try:
    for domain in ("Page", "Network", "Runtime", "Log"):
        browser.call(domain + ".enable")
    look(browser)
    before = browser.milliseconds()
    browser.open(page, 1280)
    opened = browser.milliseconds()
    if opened >= before: # the tab stayed in its process
        opened -= before
    if opened > 1000 and not os.path.getsize(page) > 3_000_000:
        complain(f"opening the page took {opened:.0f} ms of the processor")
    cells = check_slider(browser)
    check_keyboard(browser)
    listed = parts = 0
    if browser.value("data.corpora.every((corpus) => corpus.pairs && corpus.pairs.length === corpus.total)"):
        truths = {corpus["name"]: Truth(fplab, recorded, corpus) for corpus in recorded["corpora"]}
        listed = check_cells(browser, truths)
        parts = check_boxes(browser, truths)
        check_rules(browser, truths)
        parts += check_costs(browser)
    else:
        check_sample(browser)
    check_differences(browser)
    if browser.value("!!document.querySelector('[data-language=zh]')"):
        browser.value("document.querySelector('[data-language=zh]').click()")
        if browser.value("[...document.querySelectorAll('.en')].some((e) => e.getClientRects().length)"):
            complain("English is shown beside Chinese")
        picture(browser, "1280-zh")
    if pictures:
        browser.paper(os.path.join(pictures, "paper.pdf"))
    for wrong in browser.events_that_are_wrong(page):
        complain(wrong)
    print(f"{cells} rows compared, {listed} pairs listed, {parts} counts of selections; opening it took {opened:.0f} ms of the processor")
finally:
    browser.close()
sys.exit(bad)
