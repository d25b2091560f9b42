import { describeShard } from '../matrix.ts';

describeShard(4, 4);
