import { afterAll, beforeAll } from 'vitest';
import {
  type AnthropicCase,
  type AnthropicServer,
  closedPort,
  startAnthropicServer,
} from './anthropic-server.ts';
import { type ClaudeBinOptions, writeClaudeBin } from './claude-bin.ts';
import { openRoom, type Room, type Unit, type UnitWish } from './room.ts';

/** How a unit on the real claude is dispatched. */
export type ClaudeWish = Omit<UnitWish, 'worker' | 'codexBin'> &
  Omit<Partial<ClaudeBinOptions>, 'port' | 'case' | 'name'> & {
    /** Nobody listens: the connection is refused. */
    refused?: boolean;
  };

/** A room whose workers are the real claude, with a loopback stand-in for its API. */
export interface ClaudeRoom extends Room {
  server(): AnthropicServer;
  claude(name: AnthropicCase, wish?: ClaudeWish): Unit;
}

/** Opens such a room for the tests of this file; call it at the top level. */
export function openClaudeRoom(): ClaudeRoom {
  const room = openRoom();
  let running: AnthropicServer | undefined;
  let nobody = 0;
  beforeAll(async () => {
    running = await startAnthropicServer();
    nobody = await closedPort();
  });
  afterAll(() => running?.close());
  const server = (): AnthropicServer => {
    if (!running) throw new Error('the stand-in is not running yet');
    return running;
  };
  return {
    ...room,
    server,
    claude(name, { refused, params, subscription, noKey, retries, isSandbox, ...wish } = {}) {
      const folder = wish.folder ?? room.folder();
      const codexBin = writeClaudeBin(folder, {
        port: refused ? nobody : server().port,
        case: name,
        ...(params === undefined ? {} : { params }),
        ...(subscription === undefined ? {} : { subscription }),
        ...(noKey === undefined ? {} : { noKey }),
        ...(retries === undefined ? {} : { retries }),
        ...(isSandbox === undefined ? {} : { isSandbox }),
      });
      return room.dispatch({ ...wish, folder, codexBin, executor: 'claude' });
    },
  };
}
