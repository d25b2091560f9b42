import { describeShard } from '../matrix.ts';

describeShard(3, 4);
