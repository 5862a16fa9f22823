/* SPDX-License-Identifier: GPL-3.0-or-later
 * Random numbers under GSL's names, for builds without GSL: the same numbers for the same seed
 * (tests/reports/lab/test_distributions.c). */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- The Mersenne Twister (Matsumoto, Nishimura, ACM TOMACS 8, 1998; seeding of 2002) ---- */

enum { WORDS = 624, AHEAD = 397, SEED_OF_NONE = 4357 };

typedef struct twister {
    uint32_t word[WORDS];
    unsigned next;
} twister;

static void seed(void *state, unsigned long from) {
    twister *of = state;
    of->word[0] = from ? (uint32_t)from : SEED_OF_NONE;
    for (unsigned i = 1; i < WORDS; i++)
        of->word[i] = UINT32_C(1812433253) * (of->word[i - 1] ^ of->word[i - 1] >> 30) + i;
    of->next = WORDS;
}

static void twist(twister *of) {
    for (unsigned i = 0; i < WORDS; i++) {
        uint32_t joined = (of->word[i] & 0x80000000) | (of->word[(i + 1) % WORDS] & 0x7fffffff);
        of->word[i] = of->word[(i + AHEAD) % WORDS] ^ joined >> 1 ^ (joined & 1 ? 0x9908b0df : 0);
    }
    of->next = 0;
}

static unsigned long draw(void *state) {
    twister *of = state;
    if (of->next == WORDS) twist(of);
    uint32_t y = of->word[of->next++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680;
    y ^= y << 15 & 0xefc60000;
    return y ^ y >> 18;
}

static double draw_share(void *state) { return (double)draw(state) / 4294967296.0; }

static const gsl_rng_type TWISTER = {.name = "mt19937",
                                     .max = 0xffffffff,
                                     .min = 0,
                                     .size = sizeof(twister),
                                     .set = seed,
                                     .get = draw,
                                     .get_double = draw_share};
const gsl_rng_type *gsl_rng_mt19937 = &TWISTER;

void gsl_rng_set(const gsl_rng *generator, unsigned long from) { generator->type->set(generator->state, from); }

/* Each of 0 … n − 1 has an equal share of the generator's range; numbers beyond these shares are rejected. */
unsigned long gsl_rng_uniform_int(const gsl_rng *generator, unsigned long n) {
    unsigned long share = generator->type->max / n, drawn;
    do drawn = generator->type->get(generator->state) / share;
    while (drawn >= n);
    return drawn;
}

/* Fisher and Yates, from the last place on. */
void gsl_ran_shuffle(const gsl_rng *generator, void *base, size_t count, size_t size) {
    char *at = base, kept[16];
    for (size_t i = count - 1; count && i > 0; i--) {
        char *one = at + i * size, *other = at + gsl_rng_uniform_int(generator, (unsigned long)i + 1) * size;
        for (size_t from = 0; from < size; from += sizeof kept) {
            size_t part = size - from < sizeof kept ? size - from : sizeof kept;
            memcpy(kept, one + from, part);
            memmove(one + from, other + from, part);
            memcpy(other + from, kept, part);
        }
    }
}

/* ---- Normal numbers: the ziggurat (Marsaglia, Tsang, Journal of Statistical Software 5:8, 2000), 128 boxes ---- */

/* The ends of the boxes: EDGE[127] = R, EDGE[i]² = −2 ln(v/EDGE[i + 1] + f(EDGE[i + 1])) with the area v of each box,
 * and EDGE[128] = v/f(R), for f(x) = exp(−x²/2). The last box has an exponential tail beyond R: v = R·f(R) + f(R)/R. */
#define R 3.44428647676
static const double EDGE[129] = {
    0.00000000000000000, 0.27232494278471792, 0.36287693015669359, 0.42655451773604275, 0.47744521756013009,
    0.52066415904265151, 0.55870096615334075, 0.59297234580811842, 0.62436857740202389, 0.65348916544993696,
    0.68075896817337500, 0.70649116439618342, 0.73092395154526013, 0.75424318024864623, 0.77659696784926679,
    0.79810549584164270, 0.81886778973481000, 0.83896653903912366, 0.85847160460607130, 0.87744262310785837,
    0.89593097590257054, 0.91398130115326748, 0.93163267169686381, 0.94891952428508608, 0.96587240115297601,
    0.98251854803320837, 0.99888240103033976, 1.01498598649739760, 1.03084925212242600, 1.04649034311525060,
    1.06192583420382180, 1.07717092577825470, 1.09223961073375660, 1.10714481720338240, 1.12189853132637810,
    1.13651190338773930, 1.15099534003151720, 1.16535858475186420, 1.17961078847042500, 1.19376057169296650,
    1.20781607948447060, 1.22178503029688050, 1.23567475951703340, 1.24949225846616520, 1.26324420947057960,
    1.27693701753089090, 1.29057683904089400, 1.30416960794364220, 1.31772105965936830, 1.33123675307557550,
    1.34472209085246490, 1.35818233826562800, 1.37162264078164870, 1.38504804054012260, 1.39846349189697450,
    1.41187387616831410, 1.42528401570097560, 1.43869868738499720, 1.45212263571432980, 1.46556058549478750,
    1.47901725429247490, 1.49249736471151690, 1.50600565658676100, 1.51954689917512020, 1.53312590342835350,
    1.54674753443027720, 1.56041672408268230, 1.57413848412660020, 1.58791791958905180, 1.60176024275010940,
    1.61567078773105920, 1.62965502581181940, 1.64371858159467020, 1.65786725014197870, 1.67210701522819030,
    1.68644406886115730, 1.70088483224524940, 1.71543597837901580, 1.73010445650394160, 1.74489751864865990,
    1.75982274854552760, 1.77488809323464620, 1.79010189771522680, 1.80547294305695690, 1.82101048844629520,
    1.83672431771629750, 1.85262479099607670, 1.86872290222021740, 1.88503034336309880, 1.90155957641267740,
    1.91832391427861060, 1.93533761204792690, 1.95261597026700540, 1.97017545225323800, 1.98803381783858950,
    2.00621027644004270, 2.02472566296427290, 2.04360264081955820, 2.06286593727153500, 2.08254261760058100,
    2.10266240607756490, 2.12325806378061710, 2.14436583587819740, 2.16602598441095040, 2.18828342710830360,
    2.21118850878981600, 2.23479794002221330, 2.25917594880110650, 2.28439570639132360, 2.31054111003471930,
    2.33770903599993930, 2.36601222106813310, 2.39558299647663110, 2.42657819778383520, 2.45918572758985790,
    2.49363349107263940, 2.53020182046181930, 2.56924117204022770, 2.61119804729527600, 2.65665422589349290,
    2.70638851243652700, 2.76147863100272950, 2.82347954319679810, 2.89475978497977280, 2.97920204314770490,
    3.08387964007937840, 3.22401117579560070, 3.44428647675999990, 3.73462237266976430};

double gsl_ran_gaussian_ziggurat(const gsl_rng *generator, double sigma) {
    const double most = 16777216; /* 2²⁴ */
    for (;;) {
        unsigned long drawn = generator->type->get(generator->state);
        unsigned box = drawn & 0x7f;
        double sign = drawn & 0x80 ? 1 : -1, part = (double)(drawn >> 8 & 0xffffff), y;
        double x = part * (EDGE[box + 1] / most);
        if (part < floor(EDGE[box] / EDGE[box + 1] * most + 0.5)) return sign * sigma * x;
        double one = generator->type->get_double(generator->state);
        if (box < 127) {
            double low = exp(-EDGE[box + 1] * EDGE[box + 1] / 2), high = exp(-EDGE[box] * EDGE[box] / 2);
            y = low + (high - low) * one;
        } else {
            double other = generator->type->get_double(generator->state);
            x = R - log(1 - one) / R;
            y = exp(-R * (x - R / 2)) * other;
        }
        if (y < exp(-x * x / 2)) return sign * sigma * x;
    }
}
