// SPDX-License-Identifier: GPL-3.0-or-later
// English homophones that a careless typist or a spelling checker confuses.
const soundAlikes = (() => {
  const GROUPS = ["ate eight", "be bee", "blew blue", "board bored", "brake break", "buy by bye", "cent scent sent", "course coarse", "days daze", "die dye", "fair fare", "find fined",
    "flour flower", "for four fore", "great grate", "hear here", "heard herd", "hole whole", "hour our", "in inn", "knew new", "knight night", "know no", "knows nose", "made maid", "mail male",
    "main mane", "meat meet", "morning mourning", "not knot", "one won", "pair pear", "passed past", "peace piece", "plain plane", "read red", "road rode", "role roll", "sail sale", "scene seen",
    "sea see", "site sight", "some sum", "son sun", "steal steel", "tail tale", "their there", "threw through", "tide tied", "to too two", "wait weight", "way weigh", "weak week", "weather whether",
    "wear where", "which witch", "wood would", "write right"].map((group) => group.split(" "));
  const others = new Map(GROUPS.flatMap((group) => group.map((word) => [word, group.filter((other) => other !== word)])));
  const likeFirst = (word, model) => (model[0] === model[0].toUpperCase() ? word[0].toUpperCase() + word.slice(1) : word);

  // Like lab.corrupt: replaces each word of the list with probability `rate`. Returns { text, sites, changes, edits }.
  return (rate, seed, text) => {
    const draws = drawsFrom(seed), edits = [];
    let made = "", sites = 0;
    for (const part of text.split(/([A-Za-z]+)/)) {
      const list = others.get(part.toLowerCase()), changed = list && draws.share() < rate;
      if (list) sites++;
      const put = changed ? likeFirst(list[draws.below(list.length)], part) : part;
      if (changed) edits.push([made.length, made.length + put.length]);
      made += put;
    }
    return { text: made, sites, changes: edits.length, edits };
  };
})();
