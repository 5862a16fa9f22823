# SPDX-License-Identifier: GPL-3.0-or-later
"""The report, the playground and the classroom in Firefox, from file://.

firefox_pages.py REPORT RUN PLAYGROUND CLASSROOM PROGRAM: no word on the console, no request, and the figures of the program: the counts of results.tsv at
thresholds of the slider, the distances of two texts, and those of the lesson's sentences."""
import csv, io, os, subprocess, sys, time
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from firefox import Firefox

report, run, playground, classroom, program = (os.path.realpath(path) for path in sys.argv[1:6])
bad = 0


def complain(*words):
    global bad
    bad = 1
    print("FAIL:", *words)


browser = Firefox()


def until(expression, seconds=60):
    end = time.time() + seconds
    while time.time() < end:
        if browser.value(expression):
            return
        time.sleep(0.1)
    complain("waited in vain for", expression)


def check_playground():
    a, b = "我喜欢看电视，不喜欢看电影。", "我不喜欢看电视，也不喜欢看电影。"
    browser.open(playground)
    until("document.documentElement.dataset.ready !== undefined && !!document.querySelector('#distances table')")
    browser.value("(document.getElementById('more').click(), null)")
    until("document.querySelectorAll('#distances tbody tr').length > 6")
    for side, text in (("a", a), ("b", b)):
        browser.value(f"""(() => {{ const area = document.getElementById("text-{side}"); area.value = "{text}"; delete document.getElementById("distances").dataset.milliseconds;
            area.dispatchEvent(new Event("input")); }})()""")
        until("document.getElementById('distances').dataset.milliseconds !== undefined")
    here = browser.value("Object.fromEntries([...document.querySelectorAll('#distances tbody tr')].map((row) => [row.cells[0].textContent, row.cells[2].textContent.split(' / ')[0]]))")
    told = subprocess.run([program, "compare", "--quiet", "--format", "tsv", "--text", a, b], capture_output=True, text=True).stdout
    rows = list(csv.DictReader(io.StringIO(told), delimiter="\t", quoting=csv.QUOTE_NONE))
    for row in rows:
        if row["arm"] not in here or abs(float(here[row["arm"]]) - float(row["distance"])) > 0.0051:
            complain("playground:", row["arm"], here.get(row["arm"]), row["distance"])
    print("playground:", len(rows), "distances are the program's")


def check_classroom():
    browser.open(classroom)
    until("!!document.querySelector('main h1')")
    steps = browser.value("[...document.querySelectorAll('nav a')].map((one) => one.getAttribute('href')).filter((href) => href.startsWith('#'))")
    for step in steps:
        browser.value(f"(location.hash = '{step}', null)")
        time.sleep(0.3)
        until("!document.querySelector('[aria-busy]')")
        failed = browser.value("[...document.querySelectorAll('.warning[role=alert]')].map((one) => one.textContent)")
        if failed:
            complain("classroom", step, failed)
    print("classroom:", len(steps), "steps")


def check_report():
    browser.open(report)
    until("document.querySelectorAll('[data-live]').length > 0")
    rows = list(csv.DictReader(open(os.path.join(run, "results.tsv"), encoding="utf-8"), delimiter="\t"))
    for threshold in ("0", "3", "10", "40"):
        browser.value(f"""(() => {{ const slider = document.querySelector("#live input[type=range]"); slider.value = {threshold}; slider.dispatchEvent(new Event("input")); }})()""")
        time.sleep(0.3)
        shown = browser.value("""[...document.querySelectorAll('[data-live]')].map((row) => Object.fromEntries([...row.querySelectorAll('[data-name]')].map((cell) => [cell.dataset.name, cell.dataset.value])))""")
        wanted = [row for row in rows if row["threshold"] == threshold]
        if len(shown) != len(wanted):
            complain("report:", len(shown), "arms, not", len(wanted))
        for cells, row in zip(shown, wanted):
            if any(float(cells[name]) != float(row[name]) for name in ("tp", "fp", "fn", "tn")):
                complain("report at", threshold, row["arm"], cells, row)
    print("report:", len({row["arm"] for row in rows}), "arms at 4 thresholds")


for check in (check_report, check_playground, check_classroom):
    check()
for wrong in browser.events_that_are_wrong():
    complain(wrong)
browser.close()
sys.exit(bad)
