// SPDX-License-Identifier: GPL-3.0-or-later
// Exercises and their answers: id.q1, id.a1 …; the step has their number.
Words.add({
  "avalanche.q1": ["Delete the last letter of B and type it again. Is the digest the same as before? Which promise of a good fingerprint does MD5 keep, then?", "把 B 的“啊”删掉，再打回来。结果和原先一样吗？可见 MD5 满足好指纹的哪一条要求？"],
  "avalanche.a1": ["It is the same: MD5 is deterministic, and quick. What it lacks is the second promise: closer texts do not get closer digests.", "一样。同样的输入总得同样的结果，而且算得快；它缺的是第二条：文章更接近，结果并不更接近。"],
  "avalanche.q2": ["Web sites publish the MD5 or SHA-1 of a file beside the download. Why is the avalanche an advantage there?", "下载网站常在文件旁边公布它的 MD5 或 SHA-1。在这里，雪崩效应为什么反而是好处？"],
  "avalanche.a2": ["One damaged bit of the file changes about half of the digest. Nobody can overlook that, and nobody can change the file a little at a time towards a wanted digest.", "文件坏了一位，散列值就变了一半，一眼便知；也没人能靠一点一点改文件，凑出想要的散列值。"],

  "cosine.q1": ["Type “I do not like watching films but like watching television.” as B. What does the cosine say, and why?", "把 B 改成“不喜欢看电影，我喜欢看电视。”，余弦是多少？为什么？"],
  "cosine.a1": ["1.000: the same words as in A, equally often. The vector does not know in which order they came.", "1.000。词和 A 完全一样，次数也一样；向量不知道词的先后。"],
  "cosine.q2": ["Compute by hand the cosine of “I like television” and “I do not like television” (words: I, like, television, do, not). Do the two say the same?", "手算“我喜欢看电视”和“我不喜欢看电视”的余弦（词：我、喜欢、看、电视、不）。这两句意思一样吗？"],
  "cosine.a2": ["[1,1,1,0,0] and [1,1,1,1,1]: 3/(√3·√5) = 0.775. They say the opposite. Similar wording is not the same meaning; fingerprints measure wording.", "[1,1,1,1,0] 与 [1,1,1,1,1]：4/(√4·√5) = 0.894。意思恰好相反。措辞相近不等于意思相同，指纹量的是措辞。"],

  "hyperplanes.q1": ["Make A and B perpendicular. Which share of the lines separates them? And when B points exactly against A?", "把 A、B 拖成互相垂直，被隔开的比例应是多少？B 与 A 方向正好相反时呢？"],
  "hyperplanes.a1": ["90°/180° = one half; 180°/180° = all of them.", "90°/180°，一半；180°/180°，全部。"],
  "hyperplanes.q2": ["The angle is 45°, and a fingerprint has 64 bits. How many bits differ on average? Within which range nearly always (two standard deviations)?", "夹角 45°，指纹 64 位。平均差几位？按两倍标准差，多半落在什么范围？"],
  "hyperplanes.a2": ["64 · 45/180 = 16. The standard deviation is √(64 · ¼ · ¾) ≈ 3.5: nearly always between 9 and 23.", "64 × 45/180 = 16 位。标准差 √(64 × ¼ × ¾) ≈ 3.5，多半在 9 到 23 之间。"],
  "hyperplanes.q3": ["Copy a text and put the copy behind it. What happens to its vector, and what to its fingerprint?", "把一篇文章复制一遍接在后面，向量怎么变？指纹怎么变？"],
  "hyperplanes.a3": ["The vector becomes twice as long and keeps its direction. No line changes its mind: the fingerprint stays.", "向量长了一倍，方向不变；它在每条直线的哪一侧也不变，所以指纹不变。"],

  "simhash.q1": ["On paper: tickets (5) and server (4) sum to 1 −1 −1 9 1 9 −9 −1. Add fault (4) = 00110011 and trains (4) = 11001010. What is the fingerprint, and what is unusual about it?", "纸笔题：12306（5）与服务器（4）合计 1 −1 −1 9 1 9 −9 −1。再加上故障（4）= 00110011 和车次（4）= 11001010，指纹是什么？有什么奇怪的地方？"],
  "simhash.a1": ["1 −1 −1 9 1 1 −1 −1, hence 10011100: exactly the hash of tickets. The words fault and trains differ in all bits but two and nearly cancel out, so the heaviest word decides alone. With so few words a fingerprint says little.", "合计 1 −1 −1 9 1 1 −1 −1，指纹 10011100，恰好就是 12306 的散列值。故障与车次只有两位相同，几乎互相抵消，于是最重的词一票独大。词太少，指纹就没什么代表性。"],
  "simhash.q2": ["In the 6-bit example, give America the weight 6. Which bits flip? Explain the new fingerprint.", "在 6 位的例子里，把美国的权重改成 6，哪几位会变？新指纹说明什么？"],
  "simhash.a2": ["Bits 3, 4 and 5 flip: 100101, the hash of America. Of two words the heavier one wins every bit about which they disagree.", "第 3、4、5 位改变，得 100101，正是美国的散列值。只有两个词时，凡是意见不合的位，都归权重大的那个。"],
  "simhash.q3": ["Reduce the sums 18 9 −6 −9 22 −35 12 −5. Which bit is the safest, which the shakiest?", "把合计 18 9 −6 −9 22 −35 12 −5 降维。哪一位最稳，哪一位最悬？"],
  "simhash.a3": ["11001010. The sixth (−35) is the safest. The eighth (−5) is the shakiest: a single word of weight 3 that turns its vote moves it by 6 and flips it.", "11001010。第六位（−35）最稳；第八位（−5）最悬：只要一个权重 3 的词改投，合计变动 6，它就翻了。"],

  "hamming.q1": ["Compute on paper the Hamming distance of 101011 and 100101.", "纸笔题：101011 与 100101 的汉明距离是多少？"],
  "hamming.a1": ["XOR gives 001110: distance 3.", "异或得 001110，距离 3。"],
  "hamming.q2": ["Type two sentences that have nothing to do with each other. How many bits differ? Why not 64?", "输入两句毫不相干的话，差几位？为什么不是 64 位？"],
  "hamming.a2": ["About 32. Unrelated bits agree by chance half of the time, like two coins. 64 would mean exactly opposite, which is a strong relation.", "32 位上下。互不相干的两位，碰巧相同的机会是一半，像两枚硬币。要差 64 位，得处处相反，那反倒是很强的关系了。"],

  "threshold.q1": ["Look at k = 3. Not one wrong call. Why not stay there?", "看 k = 3：没有一对误判。为什么不就用 3？"],
  "threshold.a1": ["Because nearly everything is missed: recall is below 0.1. Of 507 pairs that tell the same story hardly twenty are found. These reports are reworded and abridged, not only copied.", "因为几乎全都漏判了：召回率不到 0.1，855 对重复只找到 12 对。这些新闻是改写、删节过的，并非照抄。"],
  "threshold.q2": ["Find the k where precision and recall are about equal. Would you take the same k for a search engine with 8 billion pages? Look at the chance neighbours.", "找到精确率与召回率大致相等的 k。换成 80 亿网页的搜索引擎，还能用这个 k 吗？看看“碰巧的近邻”。"],
  "threshold.a2": ["At 19. No: each page would then have more than six million neighbours by chance alone. A threshold also depends on how many texts there are.", "22 或 23。不能：k = 22 时，光凭运气每一页就有六千多万个“近邻”。阈值还取决于文章的总数。"],
  "threshold.q3": ["A: duplicates are deleted without being looked at. B: they are shown to an editor, who decides. Who wants a small k, who a large one?", "甲：查出重复就自动删除；乙：查出来交编辑裁定。谁该用小的 k，谁该用大的 k？"],
  "threshold.a3": ["A wants precision, hence a small k: what is deleted wrongly is gone. B can afford a larger k: a wrong call costs a glance, a missed one is never seen.", "甲要精确率，k 要小，误删就没了。乙可以大一些：判错不过多看一眼，漏掉的却再也见不着。"],

  "pigeonhole.q1": ["We want to find everything within 5 bits. Into how many blocks must we cut at least, and how long is a block of 64 bits then?", "要找出相差不超过 5 位的全部指纹，至少切成几块？64 位的话每块多长？"],
  "pigeonhole.a1": ["6 blocks of 10 or 11 bits. Shorter keys bring more candidates: 2¹¹ is only 2,048 different keys.", "6 块，每块 10 到 11 位。键越短，候选越多：11 位只有 2048 种键。"],
  "pigeonhole.q2": ["32 bits in 4 blocks of 8, a million (2²⁰) fingerprints. How many candidates does a query bring?", "32 位切成 4 块，每块 8 位，存有 2²⁰（约一百万）个指纹。一次查询有多少候选？"],
  "pigeonhole.a2": ["4 · 2²⁰/2⁸ = 4 · 2¹² = 16,384.", "4 × 2²⁰/2⁸ = 4 × 2¹² = 16,384。"],
  "pigeonhole.q3": ["One article counts 65,536 candidates, another 262,144, for the same 2³⁰ fingerprints. Who is wrong?", "同样是 2³⁰ 个指纹，有的文章说候选 65,536 个，有的说 262,144 个。谁错了？"],
  "pigeonhole.a3": ["Neither. The second keeps all four blocks in one table without noting their position, so each list holds the entries of all four positions: four times as many.", "都没错。后者把四块放进同一张表，不记块的位置，每个列表里就混着四个位置的条目，多了四倍。"],

  "minhash.q1": ["On paper: A = {red, green, blue}, B = {green, blue, white}. What is the Jaccard coefficient? How many of 64 slots agree on average?", "纸笔题：A = {甲, 乙, 丙}，B = {乙, 丙, 丁}。Jaccard 系数是多少？64 个槽平均有几个相同？"],
  "minhash.a1": ["2/4 = 0.5, hence 32 slots.", "2/4 = 0.5，平均 32 个槽。"],
  "minhash.q2": ["At Jaccard 0.5, how many slots keep the estimate within ±0.05 nearly always (two standard deviations)?", "Jaccard 为 0.5 时，要让估计误差多半不超过 ±0.05（两倍标准差），需要多少个槽？"],
  "minhash.a2": ["2 · √(0.5 · 0.5/n) = 0.05 gives n = 400.", "2 × √(0.5 × 0.5/n) = 0.05，解得 n = 400。"],
  "minhash.q3": ["Type B three times in a row. Does MinHash notice? Would the cosine?", "把文本 B 连打三遍，MinHash 看得出来吗？余弦呢？"],
  "minhash.a3": ["No: a set does not count how often a word occurs. The cosine counts, but all counts grow alike, so the direction stays: it does not notice either.", "几乎看不出：集合不管出现几次，只有接缝处多了新片段。余弦虽然计数，但所有次数同比例增大，方向不变，也看不出。"],

  "pinyin.q1": ["Copy 银行 (yínháng, bank) into the box, and then 行走 (xíngzǒu, to walk). Which initial does 行 get? How can a program know?", "先后输入“银行”和“行走”，“行”的首字母各是什么？程序怎么知道？"],
  "pinyin.a1": ["h in 银行 (háng), x in 行走 (xíng). The text is cut into words first, and the dictionary gives the reading of the whole word.", "“银行”里是 h（háng），“行走”里是 x（xíng）。程序先分词，再按整个词查读音。"],
  "pinyin.q2": ["Sound-alikes in English, on paper: Soundex keeps the first letter of a word and writes a digit for each later consonant: b f p v 1, c g j k q s x z 2, d t 3, l 4, m n 5, r 6. Other letters are left out, and zeros fill up to three digits. Which codes do “their” and “there” get? Find two words that do not sound alike and share a code.", "找两段意思不同、指纹却相同的文本。"],
  "pinyin.a2": ["Both T600, so that this fingerprint does not see the change. “bread” and “board” share B630: what is blind to sound-alikes is blind to real differences as well.", "调换语序就行：“银行发展”与“发展银行”。首字母相同的词也行：“公司”和“故事”都是 g s。"],

  "short.q1": ["Explain with the votes of step 4 why the curve falls.", "用第 4 步的“投票”解释曲线为什么下降。"],
  "short.a1": ["The edit turns the votes of one or two words. In a short text these are a large part of all votes, and many sums are small enough to change sign; in a long text the sums are larger and the same votes hardly matter.", "改动只翻了一两个词的票。短文里这几票占比大，许多合计会变号；长文里合计的绝对值大，同样几票无足轻重。"],
  "short.q2": ["You must find duplicates among chat messages of 20 characters. What would you do instead of SimHash with k = 3?", "要在二十来字的聊天消息里找重复，不用“SimHash 加 k = 3”，你会怎么办？"],
  "short.a2": ["Compare the texts themselves (Jaccard or edit distance; short texts make that cheap), or measure a larger threshold on labelled pairs of such messages, or fold case, blanks and punctuation and take an exact hash.", "直接比较原文（Jaccard 或编辑距离，短文本算得起）；或者拿标注过的消息对测出更大的阈值；或者去掉大小写、空格、标点的差别后用全文散列。"],

  "experiment.q1": ["Choose “characters replaced”. Which curve is the steepest at the beginning, and why?", "选“换字”：哪条曲线一开始升得最陡？为什么？"],
  "experiment.a1": ["Those whose pieces are long: one changed character spoils a whole sentence, or every run of characters that contains it. The longer the piece, the more it is hit.", "片段长的那些：一个字就毁掉整个句子，或毁掉包含它的每个片段。片段越长，越容易被“打中”。"],
  "experiment.q2": ["Choose “sound-alikes”: does any curve stay at 0? Which hardly move with sentences exchanged? Why does SimHash level off near one half, even where every character is replaced?", "选“换同音字”，哪条曲线几乎不动？选“邻句对调”呢？字全换掉了，SimHash 为什么还是停在一半附近？"],
  "experiment.a2": ["None: all of them read letters, to which “their” and “there” are two words. It would take a code of the sound, as Soundex is for English and step 9 for Chinese. Exchanged sentences leave the words, most pieces and the sentences themselves as they are: no curve moves much. SimHash approaches 32 of 64 bits, since unrelated texts agree in half of the bits by chance; Jaccard and MinHash go on towards 100%.", "拼音首字母看不见同音字。句子对调以后，词和绝大多数片段都还在，各条曲线几乎都不动。SimHash 趋近 64 位中的 32 位：毫不相干的文章也会碰巧有一半的位相同；Jaccard 和 MinHash 则会升向 100%。"],
  "experiment.q3": ["Plan an experiment of your own: a question, a guess, what you change, what you keep. Then do it and write down what surprised you.", "自己设计一个实验：问题、猜测、改变什么、保持什么。做完以后，写下最出乎意料的一点。"],
  "experiment.a3": ["For example: is a long text recognised for longer than a short one at the same share? Does it matter whether the replaced characters stand together or apart? Good answers change one thing at a time and try several draws.", "例如：替换比例相同，长文是不是比短文更难“改到认不出”？换掉的字集中在一处和分散各处，有没有区别？好的实验一次只改一样，并且多换几批字。"],
});
