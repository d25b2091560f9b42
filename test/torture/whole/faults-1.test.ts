import { describeFaultShard } from '../whole-faults.ts';

describeFaultShard(1, 2);
