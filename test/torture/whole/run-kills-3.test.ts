import { tortureSeed } from '../random.ts';
import { describeRunKills } from '../run-kills.ts';

const seed = tortureSeed() + 10_000 * 3;

describeRunKills(`50 of 200 runs with SIGKILLs at random instants, part 3 of 4 (seed ${seed})`, seed, 50);
