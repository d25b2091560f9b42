import { tortureSeed } from '../random.ts';
import { describeRandomKills } from '../random-kill.ts';

const seed = tortureSeed() + 1;

describeRandomKills(`150 SIGKILLs at random instants, part 1 of 2 (seed ${seed})`, seed, 150);
