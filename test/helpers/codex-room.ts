import { chmodSync, existsSync, lchownSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type CodexBinOptions, writeCodexBin } from './codex-bin.ts';
import { type CodexCase, type CodexServer, closedPort, startCodexServer } from './codex-server.ts';
import { openRoom, type Room, type Unit, type UnitWish } from './room.ts';

/** How a unit on the real codex is dispatched. */
export type CodexWish = Omit<UnitWish, 'worker' | 'codexBin'> &
  Pick<CodexBinOptions, 'extraArgs' | 'isBuiltIn' | 'isSignedIn'> & {
    params?: Record<string, string>;
    /** Nobody listens: the connection is refused. */
    refused?: boolean;
  };

/** A room whose workers are the real codex, with a loopback stand-in for its API. */
export interface CodexRoom extends Room {
  server(): CodexServer;
  codex(name: CodexCase, wish?: CodexWish): Unit;
}

/** Opens such a room for the tests of this file; call it at the top level. */
export function openCodexRoom(): CodexRoom {
  const room = openRoom();
  let running: CodexServer | undefined;
  let nobody = 0;
  beforeAll(async () => {
    running = await startCodexServer();
    nobody = await closedPort();
  });
  afterAll(() => running?.close());
  const server = (): CodexServer => {
    if (!running) throw new Error('the stand-in is not running yet');
    return running;
  };
  return {
    ...room,
    server,
    codex(name, { params, refused, extraArgs, isBuiltIn, isSignedIn, ...wish } = {}) {
      const folder = wish.folder ?? room.folder();
      const codexBin = writeCodexBin(folder, {
        port: refused ? nobody : server().port,
        case: name,
        ...(params ? { params } : {}),
        ...(extraArgs ? { extraArgs } : {}),
        isBuiltIn: isBuiltIn ?? false,
        isSignedIn: isSignedIn ?? true,
      });
      if (wish.uid !== undefined) giveTo(wish.uid, path.join(folder, 'codex-home'));
      return room.dispatch({ ...wish, folder, codexBin });
    },
  };
}

function giveTo(uid: number, place: string): void {
  if (!existsSync(place)) return;
  lchownSync(place, uid, uid);
  if (!lstatSync(place).isDirectory()) return;
  chmodSync(place, 0o700);
  for (const name of readdirSync(place)) giveTo(uid, path.join(place, name));
}
