import { tortureSeed } from './random.ts';
import { describeRandomKills } from './random-kill.ts';

const seed = tortureSeed();

describeRandomKills(`SIGTERM at random instants (PRUN_TORTURE_SEED=${seed})`, seed + 100, 10, 'TERM');
describeRandomKills(`the host's stop at random instants (PRUN_TORTURE_SEED=${seed})`, seed + 200, 10, 'host');
