// SPDX-License-Identifier: GPL-3.0-or-later
// Words of steps 9 to 11.
Words.add({
  // ---- 9: pinyin ----
  "pinyin.title": ["By sound: the pinyin fingerprint", "按读音：拼音首字母指纹"],
  "pinyin.text": [
    "Copied novels often keep every sentence in its place and replace single characters by others that sound alike: Chinese has dozens of characters for many a syllable. For a fingerprint of words each of these is another word. So write down only the **first letter of each character's pinyin**, and count the letters. Twenty letters occur.\n\n**This step is about Chinese**, and you need not read it. 银行发展, yínháng fāzhǎn, means “the bank develops”; 银杭发盏 sounds the same and means nothing. In English the same trick writes “their” for “there”: see exercise 2.",
    "盗版小说常常句子不动，只把个别字换成同音字。在以词为单位的指纹看来，换一个字就是换一个词。那就只记下**每个字拼音的首字母**，再数各个字母的多少；会出现的字母一共二十个。"],
  "pinyin.ask": ["银行 and 银杭 sound alike. What will the fingerprint of initials say, and what that of characters?", "“银行发展”写成“银杭发盏”，首字母指纹会怎么看？按字的指纹呢？"],
  "pinyin.box": ["Text", "文本"],
  "pinyin.levels": ["Levels of each letter", "每个字母分几档"],
  "pinyin.swap": ["Swap homophones", "换成同音字"],
  "pinyin.back": ["Back to the original", "换回原文"],
  "pinyin.chart": ["How often each letter occurs, beside ordinary text", "各字母出现的频率，与一般文章对照"],
  "pinyin.frequency": ["in this text", "这段文本"],
  "pinyin.reference": ["in ordinary text", "一般文章"],
  "pinyin.levelsbelow": ["Below each letter its level: how much more or less often than usual it occurs. The levels in a row are the fingerprint.", "字母下面的数字是档次，表示比平常多还是少；二十个档次连起来就是指纹。"],
  "pinyin.fingerprint": ["fingerprint", "指纹"],
  "pinyin.bytes": ["bytes to store it", "字节（存储一个指纹）"],
  "pinyin.distance": ["distance to the version with homophones", "与同音字版本的距离"],
  "pinyin.simhash": ["of 64: what SimHash of character pairs says", "相邻两字的 SimHash 距离（最大 64）"],
  "pinyin.other": ["The version with homophones:", "同音字版本："],
  "pinyin.keep": [
    "A fingerprint sees only what it was made to see. This one is blind to homophones, and to simplified against traditional characters (简体, 繁體), **on purpose**; the price is that it is also blind to the order of words and to many real differences.",
    "指纹只看得见人让它看的东西。这一种**有意**不看同音字，也不看简繁之别；代价是，语序和许多真正的差别它也看不见了。"],

  // ---- 10: short texts ----
  "short.title": ["Why short texts fail", "短文本为什么不灵"],
  "short.text": [
    "In a news report three letters in a row are replaced, as in a correction. The same edit is tried at many lengths of the report, in fifteen places each. Each dot is one edit: how many of 64 bits does it turn?",
    "在一篇报道里换掉连续三个字，好比一次小小的更正。把报道截成不同的长度，每种长度换十五个不同的地方。图上每个点是一次改动：64 位里翻了几位？"],
  "short.ask": ["The edit is always of three letters. Does it turn as many bits in a text of 40 characters as in one of 1,000?", "每次都只换三个字。40 字的短文和 1000 字的长文，翻转的位数会一样多吗？"],
  "short.slider": ["Characters kept", "保留字数"],
  "short.chart": ["Bits turned by an edit of three letters, against the length of the text", "换三个字所翻转的位数，随篇幅的变化"],
  "short.axis": ["length of the text in characters", "篇幅（字）"],
  "short.bits": ["bits turned", "翻转的位数"],
  "short.mean": ["mean of {0} edits", "{0} 次改动的平均"],
  "short.three": ["threshold 3", "阈值 3"],
  "short.meanhere": ["bits turned on average at {0} characters", "位（{0} 字时平均翻转的位数）"],
  "short.within": ["edits stay within 3 bits", "改动不超过 3 位"],
  "short.keep": [
    "In a short text few words vote, so **each word decides many bits**. A threshold that suits long pages misses short duplicates. That is why some systems ask for 300 characters or more before they judge at all.",
    "短文里投票的词少，**每个词都举足轻重**。适合长网页的阈值，会漏掉短的重复文本。所以有的平台规定，不满 300 字不作判断。"],

  // ---- 11: experiment ----
  "experiment.title": ["An experiment of your own", "自己做个实验"],
  "experiment.text": ["Take a text of your own, let fplab change a share of it at random, in a way that you choose, and see how each algorithm loses sight of it. The curves show the distance from the original as a share of the largest possible.", "拿一段自己的文字，选一种改法，让 fplab 按比例随机改动，看各种算法怎样一步步“认不出”原文。曲线是与原文的距离占最大距离的百分比。"],
  "experiment.ask": ["Which algorithm will be the first to lose sight of the text, and which the last? Write your guess down before you move the slider.", "哪种算法最先认不出原文，哪种坚持到最后？先写下猜测，再动滑块。"],
  "experiment.box": ["Your text", "你的文本"],
  "experiment.sample": [
    "The main road over the old bridge was opened again this morning. Since the flood in spring it had been closed for four months, and people from the villages had to wait for the ferry or find their own way. The mayor, who was here to see the first bus pass, said that some had hardly passed a week without a letter about it. The new steel would last, she said, whatever the weather or the tide. Buses will cross at night, too, and the fare stays the same; the ferry, which made its last trip in plain sight of the crowd, is for sale.",
    "临江大桥今天上午恢复通车。今年春天洪水过后，大桥一直封闭，两岸居民只能乘轮渡往来。市长感谢施工人员，工程比原定日期提前了两个星期。从下星期一起，公共汽车将通过大桥，轮渡则继续开到月底。附近的学校和医院表示，大桥通车以后，学生上学、老人看病都会方便许多。"],
  "experiment.slider": ["Share that is changed", "改动的比例"],
  "experiment.seed": ["Other places", "换一批位置"],
  "experiment.changes": ["changes, of {0} possible", "处改动（可改 {0} 处）"],
  "experiment.kind": ["What is changed", "怎样改"],
  "experiment.kind.substitute": ["characters replaced", "换字"],
  "experiment.kind.homophone": ["sound-alikes (their, there)", "换同音字"],
  "experiment.kind.lookalike": ["look-alikes", "换形近字"],
  "experiment.kind.delete": ["characters deleted", "删字"],
  "experiment.kind.transpose": ["neighbours exchanged", "邻字对调"],
  "experiment.kind.words": ["words exchanged", "邻词对调"],
  "experiment.kind.sentences": ["sentences exchanged", "邻句对调"],
  "experiment.how": ["Each place where the change is possible is changed with the probability of the slider. The draws can be repeated; each point of a curve is the mean of three.", "凡是能改的地方，各按滑块的概率改动。随机数可以重现；曲线上每点是三次的平均。"],
  "experiment.table": ["Distances at {0}%", "改动 {0}% 时的距离"],
  "experiment.chart": ["Distance from the original against the share that is changed", "与原文的距离随改动比例的变化"],
  "experiment.axis": ["share that is changed", "改动的比例"],
  "experiment.distance": ["of the largest distance", "占最大距离"],
  "experiment.simhash": ["SimHash of three characters in a row", "SimHash（连续三字）"],
  "experiment.minhash": ["MinHash of the same", "MinHash（连续三字）"],
  "experiment.jaccard": ["Jaccard of the same", "Jaccard（连续三字）"],
  "experiment.cosine": ["cosine of words", "余弦（词）"],
  "experiment.pinyin": ["pinyin initials (Chinese texts alone)", "拼音首字母"],
  "experiment.winnowing": ["winnowing", "winnowing（筛选片段）"],
  "experiment.sentences": ["longest sentences", "最长的几句"],
  "experiment.keep": [
    "There is no best fingerprint, only one that suits **your texts, your kind of change and your price of an error**. Whoever names a threshold without having measured is guessing.",
    "没有最好的指纹，只有适合**你的文章、你要防的改动、你承受得起的错误**的指纹。没有测量就报出阈值的人，是在猜。"],
});
