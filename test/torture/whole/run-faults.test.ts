import { tortureSeed } from '../random.ts';
import { describeRunFaults } from '../run-kills.ts';

for (const repeat of [1, 2, 3]) {
  const seed = tortureSeed() + 100_000 * repeat;
  describeRunFaults(`every fault point of a run, ${repeat} of 3 (seed ${seed})`, seed, 2 + repeat);
}
