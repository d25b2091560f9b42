import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { shownPath } from '../../platform/byte-path.ts';
import { PrunError } from '../../platform/errors.ts';
import { type GitPlace, gitEnvironment } from '../../platform/git.ts';
import { blobHash, type ObjectFormat, writeWhole } from './path-state.ts';
import type { ContentWish, FillContent } from './stage-content.ts';

/**
 * Writes blobs of a store into files: one `git cat-file --batch` for all, piece by piece, because a blob may be larger
 * than memory. Each content is hashed on its way. Throws where a blob is missing or does not have its id.
 */
export function fillFromStore(place: GitPlace, format: ObjectFormat): FillContent {
  return async (wishes) => {
    if (wishes.length === 0) return;
    const child = spawn('git', ['cat-file', '--batch', '--buffer'], {
      cwd: place.gitDir,
      env: gitEnvironment(place, process.env),
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    // A git that ends early closes its stdin: the missing contents are the news.
    child.stdin.on('error', () => {});
    const started = new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    await started;
    child.stdin.end(wishes.map(({ id }) => `${id}\n`).join(''));
    try {
      const sink = createSink(wishes, format);
      for await (const piece of child.stdout) sink.take(piece as Buffer);
      sink.end();
    } finally {
      child.kill();
    }
  };
}

interface Sink {
  take(piece: Buffer): void;
  end(): void;
}

type Open = { fd: number; rest: number; hash: ReturnType<typeof blobHash>; wish: ContentWish };

/** Reads `<id> blob <size>LF<bytes>LF`, again and again, and writes the bytes of each where they belong. */
function createSink(wishes: readonly ContentWish[], format: ObjectFormat): Sink {
  let at = 0;
  let header = '';
  let open: Open | undefined;
  let isAtLineEnd = false;

  function begin(line: string): void {
    const wish = wishes[at];
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(line)?.[1];
    if (!wish || size === undefined) throw missing(wish, line);
    open = {
      fd: openSync(wish.file, 'r+'),
      rest: Number(size),
      hash: blobHash(format, Number(size)),
      wish,
    };
    finishWhenWhole();
  }

  function finishWhenWhole(): void {
    if (!open || open.rest > 0) return;
    closeSync(open.fd);
    const { wish, hash } = open;
    open = undefined;
    if (hash.digest('hex') !== wish.id) throw missing(wish, 'damaged');
    at++;
    isAtLineEnd = true;
  }

  function take(piece: Buffer): void {
    for (let from = 0; from < piece.length; ) {
      if (isAtLineEnd) {
        isAtLineEnd = false;
        from++;
      } else if (open) {
        const bytes = piece.subarray(from, from + open.rest);
        writeWhole(open.fd, bytes);
        open.hash.update(bytes);
        open.rest -= bytes.length;
        from += bytes.length;
        finishWhenWhole();
      } else {
        const end = piece.indexOf(10, from);
        header += piece.toString('latin1', from, end < 0 ? piece.length : end);
        from = end < 0 ? piece.length : end + 1;
        if (end < 0) continue;
        const line = header;
        header = '';
        begin(line);
      }
    }
  }

  return {
    take(piece) {
      try {
        take(piece);
      } catch (error) {
        if (open) closeSync(open.fd);
        throw error;
      }
    },
    end() {
      if (open) closeSync(open.fd);
      if (at < wishes.length) throw missing(wishes[at], 'git ended early');
    },
  };
}

function missing(wish: ContentWish | undefined, why: string): PrunError {
  return new PrunError(
    'E_BLOB',
    `the content of ${wish ? shownPath(wish.path) : 'a file'} cannot be had (${why})`,
    'collect the delta again; nothing was changed',
    1,
  );
}
