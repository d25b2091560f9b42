import { describeContenders } from './lease-contenders.ts';
import { tortureSeed } from './random.ts';

const seed = tortureSeed();

describeContenders(`12 contenders for 2 slots, some of them killed (PRUN_TORTURE_SEED=${seed})`, seed, 12, 6);
