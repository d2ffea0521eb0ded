/* The loops behind layers.pyx, which says what each one does.
 *
 * In C and in vectors of eight, since no compiler finds out by itself what may stay in registers; and compiled twice,
 * for any processor and for those with AVX2, since a wheel must run on all of them.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#if !defined(__GNUC__)
#error "needs the vectors of gcc or clang; without them the kernel runs in numpy"
#endif
#define DEHUSK_INLINE static inline __attribute__((always_inline))
#define DEHUSK_MOST 16  /* vectors a row */
#define DEHUSK_USUAL 6  /* of the shipped weights: as a constant it lets loops unroll */

/* Vectors are handed over only where a call is inlined, so that how they are handed over does not matter. */
#pragma GCC diagnostic ignored "-Wpsabi"
typedef float dehusk_v8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef int dehusk_i8 __attribute__((vector_size(32)));

typedef struct {
    ptrdiff_t count, lanes; /* rows, and vectors in each */
    dehusk_v8 *state;       /* one row a block */
    dehusk_v8 *normal;      /* room for as many */
    dehusk_v8 *sums;        /* room for as many, once for every way to group */
    dehusk_v8 *pooled;      /* means, then largest values */
    const int *groups;      /* of every way to group, the number of each block's group */
    const float *shares;    /* and one over the size of each group */
    ptrdiff_t ways;
} dehusk_page;

typedef struct {
    const dehusk_v8 *gain, *bias, *taps, *groups, *mix, *page, *shift;
    ptrdiff_t reach, step;
} dehusk_layer;

DEHUSK_INLINE dehusk_v8 dehusk_larger(dehusk_v8 left, dehusk_v8 right)
{
    const dehusk_i8 mask = left > right;
    return (dehusk_v8)((mask & (dehusk_i8)left) | (~mask & (dehusk_i8)right));
}

DEHUSK_INLINE float dehusk_total(dehusk_v8 values)
{
    return ((values[0] + values[4]) + (values[1] + values[5])) + ((values[2] + values[6]) + (values[3] + values[7]));
}

DEHUSK_INLINE void dehusk_pool_begin(dehusk_v8 *pooled, ptrdiff_t lanes)
{
    for (ptrdiff_t lane = 0; lane < lanes; lane++) {
        pooled[lane] = (dehusk_v8){0};
        pooled[lanes + lane] = (dehusk_v8){0} - 1e30f;
    }
}

DEHUSK_INLINE void dehusk_pool(dehusk_v8 *pooled, ptrdiff_t lane, ptrdiff_t lanes, dehusk_v8 values)
{
    pooled[lane] += values;
    pooled[lanes + lane] = dehusk_larger(pooled[lanes + lane], values);
}

DEHUSK_INLINE void dehusk_pool_end(dehusk_v8 *pooled, ptrdiff_t lanes, ptrdiff_t count)
{
    for (ptrdiff_t lane = 0; lane < lanes; lane++) pooled[lane] /= (float)count;
}

/* Every row with mean 0 and variance 1, times gain, plus bias; pooled on the way. */
DEHUSK_INLINE void dehusk_normalise(const dehusk_page *page, const dehusk_layer *layer, ptrdiff_t lanes)
{
    const float width = 8.0f * (float)lanes;
    dehusk_pool_begin(page->pooled, lanes);
    for (ptrdiff_t row = 0; row < page->count; row++) {
        const dehusk_v8 *values = page->state + row * lanes;
        dehusk_v8 sum = {0}, squares = {0};
        for (ptrdiff_t lane = 0; lane < lanes; lane++) {
            sum += values[lane];
            squares += values[lane] * values[lane];
        }
        const float mean = dehusk_total(sum) / width, square = dehusk_total(squares) / width - mean * mean;
        const float scale = 1.0f / sqrtf((square > 0.0f ? square : 0.0f) + 1e-5f);
        for (ptrdiff_t lane = 0; lane < lanes; lane++) {
            const dehusk_v8 value = (values[lane] - mean) * scale * layer->gain[lane] + layer->bias[lane];
            page->normal[row * lanes + lane] = value;
            dehusk_pool(page->pooled, lane, lanes, value);
        }
    }
    dehusk_pool_end(page->pooled, lanes, page->count);
}

/* The means of all groups; who is alone in one is its own mean. */
DEHUSK_INLINE void dehusk_means(const dehusk_page *page, ptrdiff_t way, ptrdiff_t lanes)
{
    const float *shares = page->shares + way * page->count;
    const int *groups = page->groups + way * page->count;
    dehusk_v8 *sums = page->sums + way * page->count * lanes;
    for (ptrdiff_t group = 0; group < page->count; group++)
        if (shares[group] != 1.0f)
            for (ptrdiff_t lane = 0; lane < lanes; lane++) sums[group * lanes + lane] = (dehusk_v8){0};
    for (ptrdiff_t row = 0; row < page->count; row++) {
        const float share = shares[groups[row]];
        if (share != 1.0f)
            for (ptrdiff_t lane = 0; lane < lanes; lane++)
                sums[groups[row] * lanes + lane] += share * page->normal[row * lanes + lane];
    }
}

/* A weighted sum of the rows round one and of the means of its groups. */
DEHUSK_INLINE void dehusk_blend(
    const dehusk_page *page, const dehusk_layer *layer, ptrdiff_t row, float *out, ptrdiff_t lanes)
{
    const dehusk_v8 *normal = page->normal;
    dehusk_v8 blended[DEHUSK_MOST];
    for (ptrdiff_t lane = 0; lane < lanes; lane++)
        blended[lane] = normal[row * lanes + lane] * layer->taps[layer->reach * lanes + lane];
    for (ptrdiff_t tap = -layer->reach; tap <= layer->reach; tap++) {
        const ptrdiff_t other = row + tap * layer->step;
        if (tap && 0 <= other && other < page->count)
            for (ptrdiff_t lane = 0; lane < lanes; lane++)
                blended[lane] += normal[other * lanes + lane] * layer->taps[(layer->reach + tap) * lanes + lane];
    }
    for (ptrdiff_t way = 0; way < page->ways; way++) {
        const ptrdiff_t group = way * page->count + page->groups[way * page->count + row];
        const dehusk_v8 *mean = page->shares[group] == 1.0f ? normal + row * lanes : page->sums + group * lanes;
        for (ptrdiff_t lane = 0; lane < lanes; lane++) blended[lane] += mean[lane] * layer->groups[way * lanes + lane];
    }
    memcpy(out, blended, (size_t)lanes * sizeof(dehusk_v8));
}

/* Add to two rows what is positive of `shift` and of the product of a blend each with a matrix. */
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

DEHUSK_INLINE void dehusk_advance_by(const dehusk_page *page, const dehusk_layer *layer, ptrdiff_t lanes)
{
    dehusk_v8 shift[DEHUSK_MOST], beyond[DEHUSK_MOST] = {{0}};
    float pooled[16 * DEHUSK_MOST], left[8 * DEHUSK_MOST], right[8 * DEHUSK_MOST];
    dehusk_normalise(page, layer, lanes);
    for (ptrdiff_t way = 0; way < page->ways; way++) dehusk_means(page, way, lanes);
    memcpy(pooled, page->pooled, 2 * (size_t)lanes * sizeof(dehusk_v8));
    for (ptrdiff_t lane = 0; lane < lanes; lane++) shift[lane] = layer->shift[lane];
    for (ptrdiff_t row = 0; row < 16 * lanes; row++)
        for (ptrdiff_t lane = 0; lane < lanes; lane++) shift[lane] += pooled[row] * layer->page[row * lanes + lane];
    for (ptrdiff_t row = 0; row < page->count; row += 2) {
        const int even = row + 1 < page->count;
        dehusk_blend(page, layer, row, left, lanes);
        dehusk_blend(page, layer, row + even, right, lanes);
        dehusk_v8 *state = page->state + row * lanes;
        dehusk_mix(shift, left, right, layer->mix, state, even ? state + lanes : beyond, lanes);
    }
}

DEHUSK_INLINE void dehusk_advance_body(const dehusk_page *page, const dehusk_layer *layer)
{
    if (page->lanes == DEHUSK_USUAL)
        dehusk_advance_by(page, layer, DEHUSK_USUAL);
    else
        dehusk_advance_by(page, layer, page->lanes);
}

DEHUSK_INLINE void dehusk_ramp_body(
    const float *restrict matrix, const int *restrict columns, const float *restrict low, const float *restrict slope,
    float *restrict out, ptrdiff_t bins, ptrdiff_t count)
{
    for (ptrdiff_t bin = 0; bin < bins; bin++, out += count) {
        const float *values = matrix + columns[bin] * count;
        const float begin = low[bin], rise = slope[bin];
        for (ptrdiff_t place = 0; place < count; place++) {
            float value = (values[place] - begin) * rise;
            value = value > 0.0f ? value : 0.0f;
            out[place] = value < 1.0f ? value : 1.0f;
        }
    }
}

typedef struct {
    const int *tag;
    const long long *above, *words; /* bits: one number a block, and `numbers` of them */
    const dehusk_v8 *shift, *tags, *bits;
    ptrdiff_t numbers, used;
} dehusk_facts;

DEHUSK_INLINE void dehusk_enter_by(const dehusk_facts *facts, dehusk_v8 *state, ptrdiff_t count, ptrdiff_t lanes)
{
    for (ptrdiff_t row = 0; row < count; row++, state += lanes) {
        dehusk_v8 sum[DEHUSK_MOST];
        for (ptrdiff_t lane = 0; lane < lanes; lane++)
            sum[lane] = state[lane] + facts->shift[lane] + facts->tags[facts->tag[row] * lanes + lane];
        for (ptrdiff_t number = 0; number <= facts->numbers; number++) {
            const dehusk_v8 *rows = facts->bits + number * facts->used * lanes;
            long long set = number ? facts->words[row * facts->numbers + number - 1] : facts->above[row];
            for (; set; set &= set - 1) {
                const dehusk_v8 *weights = rows + __builtin_ctzll((unsigned long long)set) * lanes;
                for (ptrdiff_t lane = 0; lane < lanes; lane++) sum[lane] += weights[lane];
            }
        }
        for (ptrdiff_t lane = 0; lane < lanes; lane++) state[lane] = dehusk_larger(sum[lane], (dehusk_v8){0});
    }
}

DEHUSK_INLINE void dehusk_enter_body(const dehusk_facts *facts, dehusk_v8 *state, ptrdiff_t count, ptrdiff_t lanes)
{
    if (lanes == DEHUSK_USUAL)
        dehusk_enter_by(facts, state, count, DEHUSK_USUAL);
    else
        dehusk_enter_by(facts, state, count, lanes);
}

DEHUSK_INLINE void dehusk_leave_body(const dehusk_page *page, const dehusk_v8 *out, float *logits)
{
    const ptrdiff_t lanes = page->lanes;
    dehusk_pool_begin(page->pooled, lanes);
    for (ptrdiff_t row = 0; row < page->count; row++) {
        dehusk_v8 sum = {0};
        for (ptrdiff_t lane = 0; lane < lanes; lane++) {
            const dehusk_v8 values = page->state[row * lanes + lane];
            sum += values * out[lane];
            dehusk_pool(page->pooled, lane, lanes, values);
        }
        logits[row] = dehusk_total(sum);
    }
    dehusk_pool_end(page->pooled, lanes, page->count);
}

/* Each of them twice, chosen by what the processor has. */
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
    ramp,
    (const float *matrix, const int *columns, const float *low, const float *slope, float *out, ptrdiff_t bins,
     ptrdiff_t count),
    (matrix, columns, low, slope, out, bins, count))
DEHUSK_TWICE(
    enter, (const dehusk_facts *facts, dehusk_v8 *state, ptrdiff_t count, ptrdiff_t lanes),
    (facts, state, count, lanes))
DEHUSK_TWICE(advance, (const dehusk_page *page, const dehusk_layer *layer), (page, layer))
DEHUSK_TWICE(leave, (const dehusk_page *page, const dehusk_v8 *out, float *logits), (page, out, logits))
