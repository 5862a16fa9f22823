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
    0,
    0.27232494278471792,
    0.36287693015669359,
    0.42655451773604275,
    0.47744521756013009,
    0.52066415904265151,
    0.55870096615334075,
    0.59297234580811842,
    0.62436857740202389,
    0.65348916544993696,
    0.680758968173375,
    0.70649116439618342,
    0.73092395154526013,
    0.75424318024864623,
    0.77659696784926679,
    0.7981054958416427,
    0.81886778973481,
    0.83896653903912366,
    0.8584716046060713,
    0.87744262310785837,
    0.89593097590257054,
    0.91398130115326748,
    0.93163267169686381,
    0.94891952428508608,
    0.96587240115297601,
    0.98251854803320837,
    0.99888240103033976,
    1.0149859864973976,
    1.030849252122426,
    1.0464903431152506,
    1.0619258342038218,
    1.0771709257782547,
    1.0922396107337566,
    1.1071448172033824,
    1.1218985313263781,
    1.1365119033877393,
    1.1509953400315172,
    1.1653585847518642,
    1.179610788470425,
    1.1937605716929665,
    1.2078160794844706,
    1.2217850302968805,
    1.2356747595170334,
    1.2494922584661652,
    1.2632442094705796,
    1.2769370175308909,
    1.290576839040894,
    1.3041696079436422,
    1.3177210596593683,
    1.3312367530755755,
    1.3447220908524649,
    1.358182338265628,
    1.3716226407816487,
    1.3850480405401226,
    1.3984634918969745,
    1.4118738761683141,
    1.4252840157009756,
    1.4386986873849972,
    1.4521226357143298,
    1.4655605854947875,
    1.4790172542924749,
    1.4924973647115169,
    1.506005656586761,
    1.5195468991751202,
    1.5331259034283535,
    1.5467475344302772,
    1.5604167240826823,
    1.5741384841266002,
    1.5879179195890518,
    1.6017602427501094,
    1.6156707877310592,
    1.6296550258118194,
    1.6437185815946702,
    1.6578672501419787,
    1.6721070152281903,
    1.6864440688611573,
    1.7008848322452494,
    1.7154359783790158,
    1.7301044565039416,
    1.7448975186486599,
    1.7598227485455276,
    1.7748880932346462,
    1.7901018977152268,
    1.8054729430569569,
    1.8210104884462952,
    1.8367243177162975,
    1.8526247909960767,
    1.8687229022202174,
    1.8850303433630988,
    1.9015595764126774,
    1.9183239142786106,
    1.9353376120479269,
    1.9526159702670054,
    1.970175452253238,
    1.9880338178385895,
    2.0062102764400427,
    2.0247256629642729,
    2.0436026408195582,
    2.062865937271535,
    2.082542617600581,
    2.1026624060775649,
    2.1232580637806171,
    2.1443658358781974,
    2.1660259844109504,
    2.1882834271083036,
    2.211188508789816,
    2.2347979400222133,
    2.2591759488011065,
    2.2843957063913236,
    2.3105411100347193,
    2.3377090359999393,
    2.3660122210681331,
    2.3955829964766311,
    2.4265781977838352,
    2.4591857275898579,
    2.4936334910726394,
    2.5302018204618193,
    2.5692411720402277,
    2.611198047295276,
    2.6566542258934929,
    2.706388512436527,
    2.7614786310027295,
    2.8234795431967981,
    2.8947597849797728,
    2.9792020431477049,
    3.0838796400793784,
    3.2240111757956007,
    3.4442864767599999,
    3.7346223726697643,
};

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
