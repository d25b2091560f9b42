import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What a program does that speaks like codex: shell texts, run where the worker works. */
export interface SessionActs {
  /** In a session that begins. The result's path is in `$RESULT`. */
  first: string;
  /** In one that goes on. */
  resumed?: string;
  /** The session that begins; empty: none is named. */
  session?: string;
  /** The session that begins where another one was to go on; left out: that one goes on. */
  other?: string;
}

/** A session's id as codex makes them. */
export const SESSION = '01a22e09-877c-73b2-8bad-cf402a13af52';

/**
 * Writes a program for CODEX_BIN that names a session as codex does, and then acts. For what the real codex cannot be
 * brought to do. Its command lines are kept: `callsOf`.
 */
export function writeSessionBin(folder: string, acts: SessionActs): string {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'codex');
  const { first, resumed = first, session = SESSION, other } = acts;
  const began = (id: string): string =>
    id === '' ? ':' : `printf '{"type":"thread.started","thread_id":"%s"}\\n' ${id}`;
  writeFileSync(
    file,
    `#!/bin/sh
case "$1" in exec) ;; *) exit 0 ;; esac
case " $* " in *' --help '*) exit 0 ;; esac
printf '%s\\n' "$*" >>'${folder}/calls'
RESULT=$(sed -n 's|^\\(/.*/agent-io/results/.*\\.md\\)$|\\1|p' | tail -1)
asked=
for word; do [ "$before" = resume ] && asked=$word; before=$word; done
if [ -n "$asked" ]; then
  ${other === undefined ? began('"$asked"') : began(other)}
  ${resumed}
else
  ${began(session)}
  ${first}
fi
`,
  );
  chmodSync(file, 0o755);
  return file;
}

/** How such a program was called, each call a line. */
export function callsOf(folder: string): string[] {
  const file = path.join(folder, 'calls');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

/** Shell text that writes a result which keeps the contract. */
export function writesResult(unit: string, files = 'none (read-only)'): string {
  const text = `# ${unit} result\\nConclusion: done\\nFiles: ${files}\\nOpen items: none\\nVerification: none\\n`;
  return `printf '${text}' >"$RESULT"`;
}
