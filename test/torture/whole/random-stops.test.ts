import { tortureSeed } from '../random.ts';
import { describeRandomKills } from '../random-kill.ts';

const seed = tortureSeed();

describeRandomKills(`100 SIGTERMs at random instants (seed ${seed})`, seed + 100, 100, 'TERM');
describeRandomKills(`100 stops by the host at random instants (seed ${seed})`, seed + 200, 100, 'host');
