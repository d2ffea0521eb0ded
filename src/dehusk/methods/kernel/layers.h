/* The loops behind layers.pyx, which documents what each one does.
 *
 * Written in C with vectors of eight, since no compiler finds out by itself what can stay in registers; and compiled
 * twice, for any processor and for those with AVX2, since a wheel must run on all of them.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#if !defined(__GNUC__)
#error "needs the vectors of gcc or clang; without them the kernel runs in numpy"
#endif
#define DEHUSK_INLINE static inline __attribute__((always_inline))
#define DEHUSK_MOST 16     /* vectors per row */
#define DEHUSK_SHIPPED 6   /* vectors per row in the shipped weights: as a constant it lets loops unroll */
#define DEHUSK_GROUPINGS 4 /* ways to group rows */
#define DEHUSK_TILE 16     /* blocks whose bins are found together: two vectors hide each other's latency */
#define DEHUSK_RESTART 64  /* rows after which a running sum restarts, so that rounding errors do not accumulate */

/* Vectors are passed only to inlined functions, so that the calling convention does not matter. */
#pragma GCC diagnostic ignored "-Wpsabi"
typedef float dehusk_v8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef int dehusk_i8 __attribute__((vector_size(32), aligned(4), may_alias));

typedef struct {
    ptrdiff_t count, lanes; /* rows, and vectors in each */
    dehusk_v8 *state;       /* one row per block */
    dehusk_v8 *normal;      /* room for as many */
    dehusk_v8 *means;       /* room for as many, once per grouping */
    dehusk_v8 *pooled;      /* means, then largest values */
    dehusk_v8 *beyond;      /* one row of zeros: what is beyond the page */
    const int *groups;      /* per grouping, the number of each block's group, in order of appearance */
    const float *shares;    /* and one over the size of each group */
} dehusk_page;

typedef struct {
    const dehusk_v8 *gain, *bias, *taps, *groups, *mix, *page, *shift;
    ptrdiff_t reach, step;
} dehusk_layer;

DEHUSK_INLINE dehusk_v8 dehusk_chosen(dehusk_i8 mask, dehusk_v8 left, dehusk_v8 right)
{
    return (dehusk_v8)((mask & (dehusk_i8)left) | (~mask & (dehusk_i8)right));
}

DEHUSK_INLINE dehusk_v8 dehusk_larger(dehusk_v8 left, dehusk_v8 right)
{
    return dehusk_chosen(left > right, left, right);
}

DEHUSK_INLINE float dehusk_total(dehusk_v8 values)
{
    return ((values[0] + values[4]) + (values[1] + values[5])) + ((values[2] + values[6]) + (values[3] + values[7]));
}

/* The means of all rows, then the largest values. */
DEHUSK_INLINE void dehusk_pool(const dehusk_v8 *rows, ptrdiff_t count, dehusk_v8 *pooled, ptrdiff_t lanes)
{
    dehusk_v8 sums[DEHUSK_MOST], largest[DEHUSK_MOST];
    for (ptrdiff_t lane = 0; lane < lanes; lane++) sums[lane] = largest[lane] = rows[lane];
    for (ptrdiff_t row = 1; row < count; row++)
        for (ptrdiff_t lane = 0; lane < lanes; lane++) {
            sums[lane] += rows[row * lanes + lane];
            largest[lane] = dehusk_larger(largest[lane], rows[row * lanes + lane]);
        }
    for (ptrdiff_t lane = 0; lane < lanes; lane++) {
        pooled[lane] = sums[lane] / (float)count;
        pooled[lanes + lane] = largest[lane];
    }
}

/* Every row with mean 0 and variance 1, times gain, plus bias. */
DEHUSK_INLINE void dehusk_normalise(const dehusk_page *page, const dehusk_layer *layer, ptrdiff_t lanes)
{
    const float width = 8.0f * (float)lanes;
    for (ptrdiff_t row = 0; row < page->count; row++) {
        const dehusk_v8 *values = page->state + row * lanes;
        dehusk_v8 *normal = page->normal + row * lanes;
        dehusk_v8 sum = {0}, squares = {0};
        for (ptrdiff_t lane = 0; lane < lanes; lane++) {
            sum += values[lane];
            squares += values[lane] * values[lane];
        }
        const float mean = dehusk_total(sum) / width, square = dehusk_total(squares) / width - mean * mean;
        const float scale = 1.0f / sqrtf((square > 0.0f ? square : 0.0f) + 1e-5f);
        for (ptrdiff_t lane = 0; lane < lanes; lane++)
            normal[lane] = (values[lane] - mean) * scale * layer->gain[lane] + layer->bias[lane];
    }
}

DEHUSK_INLINE int dehusk_alike(const dehusk_page *page, ptrdiff_t row, ptrdiff_t other)
{
    int apart = 0;
    for (ptrdiff_t way = 0; way < DEHUSK_GROUPINGS; way++)
        apart |= page->groups[way * page->count + row] ^ page->groups[way * page->count + other];
    return !apart;
}

/* The means of all groups. Half of the rows are in the same groups as the row before: these are summed up first. */
DEHUSK_INLINE void dehusk_means(const dehusk_page *page, ptrdiff_t lanes)
{
    const dehusk_v8 *normal = page->normal;
    int known[DEHUSK_GROUPINGS] = {0};
    for (ptrdiff_t row = 0; row < page->count;) {
        const ptrdiff_t first = row;
        dehusk_v8 sum[DEHUSK_MOST];
        for (ptrdiff_t lane = 0; lane < lanes; lane++) sum[lane] = normal[row * lanes + lane];
        for (row++; row < page->count && dehusk_alike(page, row, first); row++)
            for (ptrdiff_t lane = 0; lane < lanes; lane++) sum[lane] += normal[row * lanes + lane];
        for (ptrdiff_t way = 0; way < DEHUSK_GROUPINGS; way++) {
            const int group = page->groups[way * page->count + first];
            const float share = page->shares[way * page->count + group];
            dehusk_v8 *mean = page->means + (way * page->count + group) * lanes;
            /* Nothing has been written for a group before its first rows. */
            const dehusk_i8 kept = (dehusk_i8){0} - (group < known[way]);
            known[way] += group == known[way];
            for (ptrdiff_t lane = 0; lane < lanes; lane++)
                mean[lane] = (dehusk_v8)(kept & (dehusk_i8)mean[lane]) + share * sum[lane];
        }
    }
}

/* Weighted sums of the rows around two rows and of the means of their groups: two, to read the weights only once. */
DEHUSK_INLINE void dehusk_blend(
    const dehusk_page *page, const dehusk_layer *layer, ptrdiff_t row, ptrdiff_t next, dehusk_v8 *left,
    dehusk_v8 *right, ptrdiff_t lanes)
{
    const ptrdiff_t count = page->count;
    dehusk_v8 one[DEHUSK_MOST], two[DEHUSK_MOST];
    for (ptrdiff_t lane = 0; lane < lanes; lane++) one[lane] = two[lane] = (dehusk_v8){0};
    for (ptrdiff_t tap = -layer->reach; tap <= layer->reach; tap++) {
        const dehusk_v8 *weights = layer->taps + (layer->reach + tap) * lanes;
        const ptrdiff_t at = row + tap * layer->step, beside = next + tap * layer->step;
        const dehusk_v8 *first = (size_t)at < (size_t)count ? page->normal + at * lanes : page->beyond;
        const dehusk_v8 *second = (size_t)beside < (size_t)count ? page->normal + beside * lanes : page->beyond;
        for (ptrdiff_t lane = 0; lane < lanes; lane++) {
            one[lane] += first[lane] * weights[lane];
            two[lane] += second[lane] * weights[lane];
        }
    }
    for (ptrdiff_t way = 0; way < DEHUSK_GROUPINGS; way++) {
        const dehusk_v8 *weights = layer->groups + way * lanes;
        const int *groups = page->groups + way * count;
        const dehusk_v8 *first = page->means + (way * count + groups[row]) * lanes;
        const dehusk_v8 *second = page->means + (way * count + groups[next]) * lanes;
        for (ptrdiff_t lane = 0; lane < lanes; lane++) {
            one[lane] += first[lane] * weights[lane];
            two[lane] += second[lane] * weights[lane];
        }
    }
    for (ptrdiff_t lane = 0; lane < lanes; lane++) left[lane] = one[lane];
    for (ptrdiff_t lane = 0; lane < lanes; lane++) right[lane] = two[lane];
}

/* Add to each of two rows what is positive of `shift` plus the product of its blend with a matrix. */
DEHUSK_INLINE void dehusk_mix(
    const dehusk_v8 *shift, const float *left, const float *right, const dehusk_v8 *matrix, dehusk_v8 *first,
    dehusk_v8 *second, ptrdiff_t lanes)
{
    dehusk_v8 one[DEHUSK_MOST], two[DEHUSK_MOST];
    for (ptrdiff_t lane = 0; lane < lanes; lane++) one[lane] = two[lane] = shift[lane];
    for (ptrdiff_t row = 0; row < 8 * lanes; row++)
        for (ptrdiff_t lane = 0; lane < lanes; lane++) {
            one[lane] += left[row] * matrix[row * lanes + lane];
            two[lane] += right[row] * matrix[row * lanes + lane];
        }
    for (ptrdiff_t lane = 0; lane < lanes; lane++) first[lane] += dehusk_larger(one[lane], (dehusk_v8){0});
    for (ptrdiff_t lane = 0; lane < lanes; lane++) second[lane] += dehusk_larger(two[lane], (dehusk_v8){0});
}

DEHUSK_INLINE void dehusk_run_layer_by(const dehusk_page *page, const dehusk_layer *layer, ptrdiff_t lanes)
{
    dehusk_v8 shift[DEHUSK_MOST], nobody[DEHUSK_MOST] = {{0}};
    float pooled[16 * DEHUSK_MOST], left[8 * DEHUSK_MOST], right[8 * DEHUSK_MOST];
    memset(page->beyond, 0, (size_t)lanes * sizeof(dehusk_v8));
    dehusk_normalise(page, layer, lanes);
    dehusk_means(page, lanes);
    dehusk_pool(page->normal, page->count, page->pooled, lanes);
    memcpy(pooled, page->pooled, 2 * (size_t)lanes * sizeof(dehusk_v8));
    for (ptrdiff_t lane = 0; lane < lanes; lane++) shift[lane] = layer->shift[lane];
    for (ptrdiff_t row = 0; row < 16 * lanes; row++)
        for (ptrdiff_t lane = 0; lane < lanes; lane++) shift[lane] += pooled[row] * layer->page[row * lanes + lane];
    for (ptrdiff_t row = 0; row < page->count; row += 2) {
        const int even = row + 1 < page->count;
        dehusk_blend(page, layer, row, row + even, (dehusk_v8 *)left, (dehusk_v8 *)right, lanes);
        dehusk_v8 *state = page->state + row * lanes;
        dehusk_mix(shift, left, right, layer->mix, state, even ? state + lanes : nobody, lanes);
    }
}

DEHUSK_INLINE void dehusk_run_layer_body(const dehusk_page *page, const dehusk_layer *layer)
{
    if (page->lanes == DEHUSK_SHIPPED)
        dehusk_run_layer_by(page, layer, DEHUSK_SHIPPED);
    else
        dehusk_run_layer_by(page, layer, page->lanes);
}

typedef struct {
    const int *first; /* of every feature, the number of its first bin; then the number of all bins */
    const float *low, *slope;
    ptrdiff_t features;
} dehusk_bins;

typedef struct {
    int *rows;       /* bins, block after block */
    float *shares;   /* how much of each the block's value has passed */
    long long *ends; /* where each block's bins end */
} dehusk_bin_values;

/* The bins of the blocks of a tile, feature by feature; -1 where a value has not reached the first.
 *
 * NaN is not larger than anything, so whatever the values are, a bin is one of the feature's or -1.
 */
DEHUSK_INLINE void dehusk_find_in_tile(
    const float *matrix, ptrdiff_t count, const dehusk_bins *bins, int *rows, float *shares)
{
    for (ptrdiff_t feature = 0; feature < bins->features; feature++, matrix += count) {
        const int first = bins->first[feature], last = bins->first[feature + 1];
        dehusk_i8 bin[DEHUSK_TILE / 8] = {{0}};
        dehusk_v8 low[DEHUSK_TILE / 8] = {{0}}, slope[DEHUSK_TILE / 8] = {{0}};
        for (int next = first; next < last; next++) {
            const dehusk_v8 begin = (dehusk_v8){0} + bins->low[next], rise = (dehusk_v8){0} + bins->slope[next];
            for (int lane = 0; lane < DEHUSK_TILE / 8; lane++) {
                const dehusk_i8 reached = ((const dehusk_v8 *)matrix)[lane] > begin;
                bin[lane] -= reached;
                low[lane] = dehusk_chosen(reached, begin, low[lane]);
                slope[lane] = dehusk_chosen(reached, rise, slope[lane]);
            }
        }
        for (int lane = 0; lane < DEHUSK_TILE / 8; lane++, rows += 8, shares += 8) {
            const dehusk_v8 share = (((const dehusk_v8 *)matrix)[lane] - low[lane]) * slope[lane];
            const dehusk_v8 whole = (dehusk_v8){0} + 1.0f;
            *(dehusk_v8 *)shares = dehusk_chosen(share < whole, share, whole);
            *(dehusk_i8 *)rows = (bin[lane] + (first - 1)) | (bin[lane] == (dehusk_i8){0});
        }
    }
}

DEHUSK_INLINE void dehusk_find_bins_body(
    const float *matrix, const dehusk_bins *bins, const dehusk_bin_values *values, ptrdiff_t count)
{
    const ptrdiff_t tile = DEHUSK_TILE, features = bins->features;
    int *const rows = values->rows + count * features;
    float *const shares = values->shares + count * features;
    ptrdiff_t end = 0;
    for (ptrdiff_t begin = 0; begin < count; begin += tile) {
        const ptrdiff_t few = count - begin < tile ? count - begin : tile;
        if (few == tile) {
            dehusk_find_in_tile(matrix + begin, count, bins, rows, shares);
        } else {
            for (ptrdiff_t feature = 0; feature < features; feature++)
                for (ptrdiff_t block = 0; block < tile; block++)
                    shares[feature * tile + block] = block < few ? matrix[feature * count + begin + block] : 0.0f;
            dehusk_find_in_tile(shares, tile, bins, rows, shares);
        }
        for (ptrdiff_t block = 0; block < few; block++) {
            for (ptrdiff_t feature = 0; feature < features; feature++) {
                const int row = rows[feature * tile + block];
                values->rows[end] = row;
                values->shares[end] = shares[feature * tile + block];
                end += 1 + (row >> 31); /* -1 will be overwritten */
            }
            values->ends[begin + block] = end;
        }
    }
}

typedef struct {
    const int *tag;
    const long long *above, *tokens; /* bits: one number per block, and `numbers` per block */
    const dehusk_v8 *shift, *tags, *bits;
    ptrdiff_t numbers, used;
    dehusk_bin_values values;
    const dehusk_v8 *bin_weights; /* of each bin, the sum of the weights of those before it, then its own */
} dehusk_facts;

/* The sum of the rows of all bits that are set, updated from the block before, which has mostly the same bits. */
DEHUSK_INLINE void dehusk_add_bits(const dehusk_facts *facts, ptrdiff_t row, dehusk_v8 *sum, ptrdiff_t lanes)
{
    static const float sign[2] = {-1.0f, 1.0f};
    const int restart = row % DEHUSK_RESTART == 0;
    if (restart)
        for (ptrdiff_t lane = 0; lane < lanes; lane++) sum[lane] = (dehusk_v8){0};
    for (ptrdiff_t number = 0; number <= facts->numbers; number++) {
        const ptrdiff_t apart = number ? facts->numbers : 1;
        const long long *bits = number ? facts->tokens + row * apart + number - 1 : facts->above + row;
        const dehusk_v8 *rows = facts->bits + number * facts->used * lanes;
        const unsigned long long set = (unsigned long long)bits[0];
        unsigned long long changed = restart ? set : set ^ (unsigned long long)bits[-apart];
        for (; changed; changed &= changed - 1) {
            const int bit = __builtin_ctzll(changed);
            const float times = sign[set >> bit & 1];
            for (ptrdiff_t lane = 0; lane < lanes; lane++) sum[lane] += times * rows[bit * lanes + lane];
        }
    }
}

DEHUSK_INLINE void dehusk_embed_by(const dehusk_facts *facts, dehusk_v8 *state, ptrdiff_t count, ptrdiff_t lanes)
{
    ptrdiff_t place = 0;
    dehusk_v8 set[DEHUSK_MOST] = {{0}};
    for (ptrdiff_t row = 0; row < count; row++, state += lanes) {
        dehusk_v8 sum[DEHUSK_MOST];
        dehusk_add_bits(facts, row, set, lanes);
        for (ptrdiff_t lane = 0; lane < lanes; lane++)
            sum[lane] = state[lane] + set[lane] + facts->shift[lane] + facts->tags[facts->tag[row] * lanes + lane];
        for (; place < facts->values.ends[row]; place++) {
            const dehusk_v8 *before = facts->bin_weights + 2 * facts->values.rows[place] * lanes;
            const float share = facts->values.shares[place];
            for (ptrdiff_t lane = 0; lane < lanes; lane++) sum[lane] += before[lane] + share * before[lanes + lane];
        }
        for (ptrdiff_t lane = 0; lane < lanes; lane++) state[lane] = dehusk_larger(sum[lane], (dehusk_v8){0});
    }
}

DEHUSK_INLINE void dehusk_embed_body(const dehusk_facts *facts, dehusk_v8 *state, ptrdiff_t count, ptrdiff_t lanes)
{
    if (lanes == DEHUSK_SHIPPED)
        dehusk_embed_by(facts, state, count, DEHUSK_SHIPPED);
    else
        dehusk_embed_by(facts, state, count, lanes);
}

DEHUSK_INLINE void dehusk_read_out_by(const dehusk_page *page, const dehusk_v8 *out, float *logits, ptrdiff_t lanes)
{
    for (ptrdiff_t row = 0; row < page->count; row++) {
        dehusk_v8 sum = {0};
        for (ptrdiff_t lane = 0; lane < lanes; lane++) sum += page->state[row * lanes + lane] * out[lane];
        logits[row] = dehusk_total(sum);
    }
    dehusk_pool(page->state, page->count, page->pooled, lanes);
}

DEHUSK_INLINE void dehusk_read_out_body(const dehusk_page *page, const dehusk_v8 *out, float *logits)
{
    if (page->lanes == DEHUSK_SHIPPED)
        dehusk_read_out_by(page, out, logits, DEHUSK_SHIPPED);
    else
        dehusk_read_out_by(page, out, logits, page->lanes);
}

/* Each function twice, chosen by what the processor supports. */
#if defined(__x86_64__)
#define DEHUSK_TWICE(name, parameters, arguments)                                                              \
    __attribute__((target("avx2,fma"))) static void dehusk_##name##_wide parameters { dehusk_##name##_body arguments; } \
    static void dehusk_##name parameters                                                                       \
    {                                                                                                          \
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))                                   \
            dehusk_##name##_wide arguments;                                                                    \
        else                                                                                                   \
            dehusk_##name##_body arguments;                                                                    \
    }
#else
#define DEHUSK_TWICE(name, parameters, arguments) \
    static void dehusk_##name parameters { dehusk_##name##_body arguments; }
#endif

DEHUSK_TWICE(
    find_bins, (const float *matrix, const dehusk_bins *bins, const dehusk_bin_values *values, ptrdiff_t count),
    (matrix, bins, values, count))
DEHUSK_TWICE(
    embed, (const dehusk_facts *facts, dehusk_v8 *state, ptrdiff_t count, ptrdiff_t lanes),
    (facts, state, count, lanes))
DEHUSK_TWICE(run_layer, (const dehusk_page *page, const dehusk_layer *layer), (page, layer))
DEHUSK_TWICE(read_out, (const dehusk_page *page, const dehusk_v8 *out, float *logits), (page, out, logits))

/* All layers. The rows of each are gain, bias and shift, one each, then taps, groups, mix and page, several each. */
static void dehusk_run_layers(
    const dehusk_page *page, const dehusk_v8 *rows, const int *steps, ptrdiff_t depth, ptrdiff_t taps)
{
    const ptrdiff_t lanes = page->lanes;
    for (ptrdiff_t number = 0; number < depth; number++) {
        const dehusk_v8 *groups = rows + (3 + taps) * lanes, *mix = groups + DEHUSK_GROUPINGS * lanes;
        const dehusk_v8 *summary = mix + 8 * lanes * lanes;
        const dehusk_layer layer = {
            rows, rows + lanes, rows + 3 * lanes, groups, mix, summary, rows + 2 * lanes, taps / 2, steps[number]};
        dehusk_run_layer(page, &layer);
        rows = summary + 16 * lanes * lanes;
    }
}
