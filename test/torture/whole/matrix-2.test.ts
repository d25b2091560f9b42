import { describeShard } from '../matrix.ts';

describeShard(2, 4);
