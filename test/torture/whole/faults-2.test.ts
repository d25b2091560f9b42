import { describeFaultShard } from '../whole-faults.ts';

describeFaultShard(2, 2);
