// Measuring on a machine that does other things as well: in rounds, each way once a round, so that what disturbs one
// disturbs all; medians of the times, and medians of the ratios within a round.

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Runs every way once a round. A way gives nanoseconds. The result has `ns` and `ratio` to the first way, by name. */
export function rounds(ways, count) {
  const names = Object.keys(ways);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  // The first tenth warms up.
  for (let round = -Math.ceil(count / 10); round < count; round++) {
    for (const name of names) {
      const ns = ways[name]();
      if (round >= 0) times[name].push(ns);
    }
  }
  const [first] = names;
  const ratio = (name) => median(times[name].map((ns, round) => ns / times[first][round]));
  return Object.fromEntries(names.map((name) => [name, { ns: median(times[name]), ratio: ratio(name) }]));
}

/** How long `work` takes, in nanoseconds, for each of `count`. */
export function timed(count, work) {
  const start = performance.now();
  work();
  return ((performance.now() - start) * 1e6) / count;
}

const nothing = () => {};

/** The time of `work` alone, each time after `prepare`, which is not counted, nor is the clock. */
export function timedAfter(count, prepare, work) {
  let sum = 0;
  for (let n = 0; n < count; n++) {
    prepare(n);
    sum -= timed(1, nothing);
    sum += timed(1, work);
  }
  return sum / count;
}
