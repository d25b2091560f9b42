import { monotonicMs } from '../../platform/clock.ts';
import { messageOf } from '../../platform/errors.ts';
import { writeAtomic } from '../../platform/files.ts';
import { ledgerFileOf } from '../run-folder.ts';
import { ledgerText } from '../views/ledger.ts';
import type { Supervision } from './supervision.ts';

/** The ledger is written at most so often, ms, and takes no more than this share of the time. */
const PAUSE_MS = 1000;
const SHARE = 1 / 20;

/** Keeps `agent-io/ledger.md` up to date: a view, never the truth. */
export interface KeptLedger {
  /** Writes it if something has happened since, and not too often. */
  refresh(): void;
  /** Writes it now. */
  finish(): void;
}

/** A ledger of the run. A full disk or a closed folder is said once, and tried again. */
export function keepLedger({ view, say }: Supervision): KeptLedger {
  let written = -1;
  let nextMs = 0;
  let isTold = false;
  const write = (): void => {
    const from = monotonicMs();
    try {
      writeAtomic(ledgerFileOf(view.run), ledgerText(view), { sync: false });
      written = view.lastEvent;
      isTold = false;
    } catch (error) {
      if (!isTold) say(`the ledger could not be written: ${messageOf(error)}`);
      isTold = true;
    }
    const now = monotonicMs();
    nextMs = now + Math.max(PAUSE_MS, (now - from) / SHARE);
  };
  return {
    refresh() {
      if (view.lastEvent !== written && monotonicMs() >= nextMs) write();
    },
    finish() {
      if (view.lastEvent !== written) write();
    },
  };
}
