#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The source archive builds where there is no git: the program says the commit, and evaluates as the one of this tree.
source tests/support.sh
[ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ] || { echo "not a repository of its own"; exit 77; }
[ -z "$(git status --porcelain -uno)" ] || { echo "skipped: changes are not committed"; exit 77; }
version=$(sed -n 's/^#define FP_VERSION "\(.*\)"/\1/p' include/fplab/version.h)
make -s BUILD="$work/b" "$work/b/dist/fplab-$version.tar.gz" >/dev/null && tar -xzf "$work/b/dist/fplab-$version.tar.gz" -C "$work" || exit 1
mkdir "$work/bin"
printf '#!/bin/sh\nexit 127\n' >"$work/bin/git"
chmod +x "$work/bin/git"
commit=$(git rev-parse HEAD | cut -c 1-12)
(cd "$work/fplab-$version" && env -u FPLAB_COMMIT -u BUILD PATH="$work/bin:$PATH" make -j2 all) >"$work/log" 2>&1 || { tail -n 20 "$work/log"; exit 1; }
built=$work/fplab-$version/build/bin/fplab
"$built" --version | grep -q "^fplab $version" || complain "$("$built" --version)"
"$built" eval --corpus "$newswire" --arm simhash --no-plots --out "$work/run" --quiet >/dev/null && grep -q "$commit" "$work/run/run.json" || complain "the run does not name the commit $commit"
cmp <("$built" compare --text 甲乙丙 甲乙丁) <("$fplab" compare --text 甲乙丙 甲乙丁) || complain "another comparison"
exit $bad
