import { describeShard } from '../matrix.ts';

describeShard(1, 4);
