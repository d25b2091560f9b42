import { tortureSeed } from './random.ts';
import { describeRunFaults, describeRunKills } from './run-kills.ts';

const seed = tortureSeed();

describeRunKills(`SIGKILL in a run of ten units (PRUN_TORTURE_SEED=${seed})`, seed + 1000, 4);
describeRunFaults(`SIGKILL at every fault point of a run (PRUN_TORTURE_SEED=${seed})`, seed + 2000, 2);
