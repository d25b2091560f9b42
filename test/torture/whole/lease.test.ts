import { describe } from 'vitest';
import { describeContenders } from '../lease-contenders.ts';
import { tortureSeed } from '../random.ts';

const seed = tortureSeed();

describe.each([0, 1, 2, 3])('round %i', (round) => {
  const title = `50 contenders for 2 slots, half of them killed (seed ${seed + round})`;
  describeContenders(title, seed + round, 50, 25);
});
