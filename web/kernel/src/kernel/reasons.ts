/**
 * Reasons: why the kernel scored a block as it did, in words.
 *
 * A group of features counts for as much as the score changes when a block gets the average of the page's blocks in
 * their place; tags, names and neighbours are left out instead. Each network runs once for every group.
 */

import { features_tree, kernel_reasons, reason_groups, vocabulary } from "../generated/constants.js";
import { binsOf, passed } from "./bins.js";
import { type PageFeatures, ROWS } from "./features.js";
import { type Input, networkInput, run, tokenOfRow } from "./network.js";
import { type Layer, loadWeights, type Weights } from "./weights.js";

const { MOST, LEAST } = kernel_reasons;
const { ABOVE } = features_tree;

type Describe = (features: PageFeatures, block: number) => string;

/** How each group of features is put in words, by the name that Python has for it. */
const DESCRIBE: Readonly<Record<string, Describe>> = {
  text: describeText,
  links: describeLinks,
  position: describePlace,
  surroundings: describeSurroundings,
  similar: describeSimilar,
  hidden: (features, block) => (value(features, "hidden", block) ? "browsers do not show it" : "browsers show it"),
};

/** For every block the facts that moved its score most, with + for main text and - for boilerplate. */
export function reasons(features: PageFeatures): string[][] {
  const input = networkInput(features);
  const networks = loadWeights();
  const ways = reason_groups.length + 3;
  const effects = Array.from({ length: ways }, () => new Float64Array(input.count));
  for (const weights of networks) addEffects(effects, weights, input, features, 1 / networks.length);
  const bitWeights = meanBitWeights(networks);
  const words: ((block: number) => string)[] = [
    ...reason_groups.map(
      ([name]) =>
        (block: number) =>
          DESCRIBE[name](features, block),
    ),
    (block) => describeTags(features, block),
    (block) => describeNames(bitWeights, input.tokens[block]),
    (block) => `the neighbouring blocks look like ${effects[ways - 1][block] > 0 ? "main text" : "boilerplate"}`,
  ];
  return Array.from({ length: input.count }, (_, block) => strongest(block, effects, words));
}

function strongest(
  block: number,
  effects: readonly Float64Array[],
  words: readonly ((block: number) => string)[],
): string[] {
  return effects
    .map((effect, way) => ({ way, effect: effect[block] }))
    .sort((one, other) => Math.abs(other.effect) - Math.abs(one.effect))
    .slice(0, MOST)
    .filter(({ effect }) => Math.abs(effect) >= LEAST)
    .map(({ way, effect }) => `${effect > 0 ? "+" : "-"} ${words[way](block)}`);
}

/** Add by how much each group of features moves the logits of a network, then tags, names and neighbours. */
function addEffects(
  effects: readonly Float64Array[],
  weights: Weights,
  input: Input,
  features: PageFeatures,
  share: number,
): void {
  const none = input.above.map(() => []);
  const whole = run(weights, input).logits;
  const without = [
    ...reason_groups.map(([, names]) => run(weights, input, averaged(weights, features, names)).logits),
    run(weights, { ...input, above: none }).logits,
    run(weights, { ...input, tokens: none }).logits,
    run(withoutNeighbours(weights), input).logits,
  ];
  without.forEach((logits, way) => {
    logits.forEach((logit, block) => (effects[way][block] += (whole[block] - logit) * share));
  });
}

/** How the input of the first layer changes when blocks have the average of the page's blocks. */
function averaged({ binWeights, width }: Weights, { matrix }: PageFeatures, names: readonly string[]): Float64Array {
  const change = new Float64Array(matrix.blocks * width);
  for (const bin of binsOf(names.map((name) => ROWS.get(name)!))) {
    const shares = Array.from({ length: matrix.blocks }, (_, block) => passed(matrix, bin, block));
    const mean = shares.reduce((sum, each) => sum + each, 0) / matrix.blocks;
    shares.forEach((each, block) => {
      for (let column = 0; column < width; column++) {
        change[block * width + column] += (mean - each) * binWeights[bin * width + column];
      }
    });
  }
  return change;
}

/** The network with no weights for the blocks beside a block. */
function withoutNeighbours(weights: Weights): Weights {
  const layers = weights.layers.map((layer): Layer => {
    const taps = layer.taps.slice();
    const middle = (taps.length / weights.width - 1) / 2;
    taps.fill(0, 0, middle * weights.width).fill(0, (middle + 1) * weights.width);
    return { ...layer, taps };
  });
  return { ...weights, layers };
}

function meanBitWeights(networks: readonly Weights[]): Float64Array {
  const { width, bits } = networks[0];
  return Float64Array.from({ length: bits.length / width }, (_, row) => {
    let sum = 0;
    for (const network of networks) {
      for (let column = 0; column < width; column++) sum += Math.abs(network.bits[row * width + column]);
    }
    return sum / networks.length;
  });
}

function value(features: PageFeatures, name: string, block: number): number {
  return features.matrix.get(ROWS.get(name)!, block);
}

/** A count that is stored as a logarithm. */
function count(features: PageFeatures, name: string, block: number): number {
  return Math.round(Math.expm1(value(features, name, block)));
}

function many(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

function describeText(features: PageFeatures, block: number): string {
  const stops = count(features, "stops", block);
  return `${many(count(features, "words", block), "word")}, ${stops ? many(stops, "sentence") : "no full stop"}`;
}

function describeLinks(features: PageFeatures, block: number): string {
  const share = value(features, "link_density", block);
  return share === 0 ? "no links" : share > 0.99 ? "all of it is link text" : `${percent(share)} of it is link text`;
}

function describePlace(features: PageFeatures, block: number): string {
  if (value(features, "title_overlap", block) >= 0.5) return "it repeats the page's title";
  if (value(features, "before_title", block)) return "it comes before the title";
  if (value(features, "since_title", block) > 0)
    return `${many(count(features, "since_title", block), "block")} after the title`;
  const depth = many(count(features, "depth", block), "element");
  return `${percent(value(features, "block_position", block))} down the page, ${depth} deep`;
}

function describeSurroundings(features: PageFeatures, block: number): string {
  const words = many(count(features, "words_2", block), "word");
  return `surrounded by ${words}, ${percent(value(features, "links_2", block))} of them in links`;
}

function describeSimilar(features: PageFeatures, block: number): string {
  const repeats = count(features, "repeated", block);
  if (repeats) return `the same text appears ${many(repeats + 1, "time")}`;
  const blocks = many(count(features, "same_path", block), "block");
  return `${blocks} under the same tags, about ${many(count(features, "same_path_words", block), "word")} each`;
}

function describeTags({ tree }: PageFeatures, block: number): string {
  const names = ABOVE.filter((_, bit) => tree.above.has(block, bit)).map((tag) => `<${tag}>`);
  return names.length ? `inside ${names.slice(0, 4).join(" ")}` : "inside no meaningful tag";
}

/** The names above a block with most weight. */
function describeNames(bitWeights: Float64Array, rows: readonly number[]): string {
  const weight = new Map<string, number>();
  for (const row of rows) {
    const word = vocabulary[tokenOfRow(row)];
    weight.set(word, (weight.get(word) ?? 0) + bitWeights[row]);
  }
  const chosen = [...weight].sort(([, one], [, other]) => other - one).slice(0, 3);
  return chosen.length
    ? `class or id ${chosen.map(([word]) => `'${word}'`).join(", ")}`
    : "no known class or id around it";
}
