import { tortureSeed } from './random.ts';
import { describeRandomKills } from './random-kill.ts';

const seed = tortureSeed();

describeRandomKills(`SIGKILL at random instants (PRUN_TORTURE_SEED=${seed})`, seed, 24);
