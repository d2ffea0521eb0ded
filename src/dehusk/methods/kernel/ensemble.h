/* The loops behind ensemble.pyx: the steps of layers.h for all networks, on memory that is laid out once per page. */
#include "layers.h"
#include <stdint.h>

typedef struct {
    dehusk_bins bins;
    const dehusk_v8 *bin_weights, *layers, *bits, *tags, *page, *shift;
    const float *out, *kind;
    const int *steps;
    ptrdiff_t lanes, depth, taps, kinds;
} dehusk_network;

/* What the networks see of a page: the columns of `PageFeatures`. */
typedef struct {
    ptrdiff_t count, numbers, used; /* blocks; numbers that hold a block's tokens, twice; bits of them in use */
    ptrdiff_t page_numbers, tokens; /* of the page: plain numbers, then one per token of the vocabulary */
    const float *matrix, *page;
    const long long *above, *both, *whole;
    const int *tag, *groups, *sizes;
} dehusk_seen;

typedef struct {
    dehusk_v8 *state, *pooled, *beyond, *normal, *means, *shift;
    float *shares, *logits;
    dehusk_bin_values values;
} dehusk_room;

/* The next piece of memory, which begins at a line of the cache. */
static void *dehusk_take(uintptr_t *at, ptrdiff_t bytes)
{
    const uintptr_t begin = (*at + 63) & ~(uintptr_t)63;
    *at = begin + (uintptr_t)bytes;
    return (void *)begin;
}

/* Lay out what a page needs from `begin` on; return how many bytes that takes, the gap before the first included. */
static size_t dehusk_lay_out(
    dehusk_room *room, uintptr_t begin, const dehusk_seen *seen, ptrdiff_t networks, ptrdiff_t lanes,
    ptrdiff_t features)
{
    const ptrdiff_t count = seen->count, row = lanes * (ptrdiff_t)sizeof(dehusk_v8);
    const ptrdiff_t bins = (count + DEHUSK_TILE) * features;
    uintptr_t at = begin;
    room->state = dehusk_take(&at, count * row);
    room->normal = dehusk_take(&at, count * row);
    room->means = dehusk_take(&at, DEHUSK_GROUPINGS * count * row);
    room->pooled = dehusk_take(&at, 2 * row);
    room->beyond = dehusk_take(&at, row);
    room->shift = dehusk_take(&at, row);
    room->shares = dehusk_take(&at, DEHUSK_GROUPINGS * count * (ptrdiff_t)sizeof(float));
    room->logits = dehusk_take(&at, networks * count * (ptrdiff_t)sizeof(float));
    room->values.rows = dehusk_take(&at, bins * (ptrdiff_t)sizeof(int));
    room->values.shares = dehusk_take(&at, bins * (ptrdiff_t)sizeof(float));
    room->values.ends = dehusk_take(&at, count * (ptrdiff_t)sizeof(long long));
    return at - begin + 64;
}

/* One over the size of each group; 1 where there is none. */
static void dehusk_group_shares(const dehusk_seen *seen, float *shares)
{
    for (ptrdiff_t place = 0; place < DEHUSK_GROUPINGS * seen->count; place++)
        shares[place] = 1.0f / (float)(seen->sizes[place] > 1 ? seen->sizes[place] : 1);
}

/* What a network adds to every block: its shift, and the page's numbers and tokens, each times its row. */
static void dehusk_page_shift(const dehusk_seen *seen, const dehusk_network *network, dehusk_v8 *shift)
{
    const ptrdiff_t lanes = network->lanes;
    memcpy(shift, network->shift, (size_t)lanes * sizeof(dehusk_v8));
    for (ptrdiff_t row = 0; row < seen->page_numbers + seen->tokens; row++) {
        const ptrdiff_t token = row - seen->page_numbers;
        const float factor =
            token < 0 ? seen->page[row] : (float)(seen->whole[token / seen->used] >> (token % seen->used) & 1);
        if (factor != 0.0f)
            for (ptrdiff_t lane = 0; lane < lanes; lane++) shift[lane] += factor * network->page[row * lanes + lane];
    }
}

/* The logits of one network, and what it adds to those of the kinds of page. */
static void dehusk_run_network(
    const dehusk_seen *seen, const dehusk_network *network, const dehusk_room *room, float *logits, float *kinds)
{
    const ptrdiff_t lanes = network->lanes;
    const dehusk_page page = {seen->count,  lanes,        room->state,  room->normal, room->means,
                              room->pooled, room->beyond, seen->groups, room->shares};
    const dehusk_facts facts = {seen->tag,     seen->above,   seen->both, room->shift,  network->tags,
                                network->bits, seen->numbers, seen->used, room->values, network->bin_weights};
    memset(room->state, 0, (size_t)(seen->count * lanes) * sizeof(dehusk_v8));
    dehusk_page_shift(seen, network, room->shift);
    dehusk_embed(&facts, room->state, seen->count, lanes);
    dehusk_run_layers(&page, network->layers, network->steps, network->depth, network->taps);
    dehusk_read_out(&page, (const dehusk_v8 *)(network->out + 1), logits);
    for (ptrdiff_t block = 0; block < seen->count; block++) logits[block] += network->out[0];
    const float *pooled = (const float *)room->pooled;
    for (ptrdiff_t row = 0; row < 16 * lanes; row++)
        for (ptrdiff_t kind = 0; kind < network->kinds; kind++)
            kinds[kind] += pooled[row] * network->kind[row * network->kinds + kind];
}

/* The logits of the mean probabilities, as `mean_logit` computes them. */
static void dehusk_mean_logit(const float *each, ptrdiff_t networks, ptrdiff_t count, float largest, float *logits)
{
    for (ptrdiff_t block = 0; block < count; block++) {
        float likely = 0.0f, unlikely = 0.0f;
        for (ptrdiff_t number = 0; number < networks; number++) {
            const float logit = each[number * count + block];
            const float odds = expf(logit < -largest ? -largest : logit > largest ? largest : logit);
            const float other = 1.0f / (1.0f + odds);
            likely += odds * other;
            unlikely += other;
        }
        logits[block] = logf(likely / unlikely);
    }
}

/* The probabilities that `Tuning.likely` returns. */
static void dehusk_likely(const float *logits, ptrdiff_t count, double scale, double offset, double *likely)
{
    for (ptrdiff_t block = 0; block < count; block++) {
        const double exponent = -scale * logits[block] - offset;
        likely[block] = 1.0 / (1.0 + exp(exponent < 30.0 ? exponent : 30.0));
    }
}

/* Run one network after those before it, whose bins it may share, and leave its logits in the room. */
static void dehusk_run_next(
    const dehusk_seen *seen, const dehusk_network *networks, ptrdiff_t number, const dehusk_room *room, float *kinds)
{
    const dehusk_network *network = networks + number;
    if (!number) dehusk_group_shares(seen, room->shares);
    if (!number || network->bins.low != network[-1].bins.low)
        dehusk_find_bins(seen->matrix, &network->bins, &room->values, seen->count);
    dehusk_run_network(seen, network, room, room->logits + number * seen->count, kinds);
}

/* The mean logits over the networks that were run, in place of those of the first; and those of the kinds of page. */
static void dehusk_average(
    const dehusk_seen *seen, ptrdiff_t networks, const dehusk_room *room, float largest, float *kinds,
    ptrdiff_t kind_count)
{
    for (ptrdiff_t kind = 0; kind < kind_count; kind++) kinds[kind] /= (float)networks;
    if (networks > 1) dehusk_mean_logit(room->logits, networks, seen->count, largest, room->logits);
}
