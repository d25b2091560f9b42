import { PrunError } from '../../platform/errors.ts';
import { shortHash } from '../../platform/random.ts';
import { currentHost } from '../../process/host.ts';
import { formatIdentity, identify } from '../../process/identity.ts';
import type { ProcessHost } from '../../process/types.ts';
import { arePortsFree } from './free-ports.ts';
import {
  liveClaim,
  newestEpochs,
  type PortClaim,
  portFolders,
  takeRange,
  writablePortFolder,
} from './port-claims.ts';

/** Ports of one unit, both ends included. */
export interface PortRange {
  first: number;
  last: number;
}

/** What is injected. */
export interface PortOptions {
  /** Folders of the claims, best first. */
  folders?: readonly string[];
  host?: ProcessHost;
  /** Whether nobody listens on these ports. */
  areFree?: (first: number, last: number) => Promise<boolean>;
  /** Lowest and highest port that is given away. */
  span?: PortRange;
}

/** Ports of a unit. */
export const PORTS_PER_UNIT = 10;
/** Below where Linux takes ports for outgoing connections from (32768), above where most servers sit. */
const SPAN: PortRange = { first: 20_000, last: 32_759 };
/** Others that try the same ports at the same moment make them look taken. */
const ROUNDS = 3;

/**
 * Gives a unit ten ports that no other unit of this user on this machine has, on which nobody listens now. They are
 * its own as long as `holder` exists; nothing has to be given back. Write `holder` soon afterwards, in this process. Throws PrunError where none are left, naming who has them.
 *
 * @param holder absolute path of the unit's clone
 */
export async function claimPorts(holder: string, options: PortOptions = {}): Promise<PortRange> {
  const folders = options.folders ?? portFolders(process.env);
  const own = writablePortFolder(folders);
  const host = options.host ?? (await currentHost());
  const claimant = identify(host, process.pid);
  const claim: PortClaim = { holder, claimant: claimant ? formatIdentity(claimant) : '' };
  const holders = new Set<string>();
  let busy = 0;
  for (let round = 0; round < ROUNDS; round++) {
    busy = 0;
    const others = folders
      .filter((folder) => folder !== own)
      .map((folder) => ({ folder, epochs: newestEpochs(folder) }));
    const epochs = newestEpochs(own);
    for (const first of rangesFrom(holder, options.span ?? SPAN)) {
      const last = first + PORTS_PER_UNIT - 1;
      const held = [{ folder: own, epochs }, ...others]
        .map((one) => liveClaim(host, one.folder, first, one.epochs))
        .find((one) => one !== undefined);
      if (held) holders.add(held.holder);
      else if (!(await (options.areFree ?? arePortsFree)(first, last))) busy++;
      else if (takeRange(own, first, epochs, claim)) return { first, last };
    }
  }
  throw noneLeft(options.span ?? SPAN, [...holders], busy);
}

/** First ports of all ranges, from one on that differs between units and users: so that they seldom meet. */
function* rangesFrom(holder: string, span: PortRange): Generator<number> {
  const count = Math.floor((span.last - span.first + 1) / PORTS_PER_UNIT);
  const start = Number.parseInt(shortHash(`${process.getuid?.() ?? ''}:${holder}`), 16) % count;
  for (let n = 0; n < count; n++) yield span.first + ((start + n) % count) * PORTS_PER_UNIT;
}

function noneLeft(span: PortRange, holders: string[], busy: number): PrunError {
  const named = holders.slice(0, 3).join(', ');
  const rest = holders.length > 3 ? ` and ${holders.length - 3} more` : '';
  const parts = [
    ...(holders.length > 0 ? [`${holders.length} ranges are held by ${named}${rest}`] : []),
    ...(busy > 0 ? [`other programs listen in ${busy} ranges`] : []),
  ];
  return new PrunError(
    'E_PORTS',
    `no ${PORTS_PER_UNIT} ports in a row are free from ${span.first} to ${span.last} (${parts.join('; ')})`,
    'remove workspaces that are done with (prun cleanup), or end what listens there',
    1,
  );
}
