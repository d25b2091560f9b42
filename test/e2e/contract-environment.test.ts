import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OutcomeRecord } from '../../scripts-src/unit/records.ts';
import { readProcess } from '../helpers/process-table.ts';
import { expectEnd, openRoom, textOf, type Unit } from '../helpers/room.ts';
import { SCRIPTS, USERS } from '../helpers/unit-run.ts';
import { waitFor } from '../helpers/wait-for.ts';

// DESIGN.md P9 and §4: what a worker sees, and units within units.

const room = openRoom();
const OK = { status: 'succeeded', reason: 'ok', origin: 'worker', code: 0 } as const;

const HOST = {
  CLAUDECODE: '1',
  CLAUDE_CODE_SSE_PORT: '4242',
  CLAUDE_CODE_OAUTH_TOKEN: 'secret-1',
  ANTHROPIC_API_KEY: 'secret-2',
  ANTHROPIC_BASE_URL: 'http://secret-3',
  AI_AGENT: 'claude',
  claude_lower: 'secret-4',
  PRUN_STALL_THRESHOLD: '77',
  CODEX_DISPATCH_REASONING: 'low',
};

/** Words of a command line that dispatches an inner unit from within a worker. */
const inner = (more: string): string =>
  [
    `"${process.execPath}" "${SCRIPTS}/dispatch-task.cjs" --prompt-file "$INNER_DIR/prompt.md"`,
    `--result-file "$INNER_DIR/inner.md" --unit-id inner --codex-bin "$INNER_DIR/inner-codex" ${more}`,
  ].join(' ');

async function nestedStateDir(outer: Unit): Promise<string> {
  const home = path.join(outer.folder, 'state');
  return waitFor('the state dir of the inner unit', () => {
    const name = readdirSync(home).find((found) => /^prun-task-[0-9a-f]{8}-inner-/.test(found));
    return name && path.join(home, name);
  });
}

for (const { user, ...as } of USERS) {
  describe.concurrent(`as ${user}`, () => {
    it("a worker sees none of the host's variables, and all the others", async () => {
      const unit = room.dispatch({
        ...as,
        environment: { ...HOST, MY_OWN: 'kept', OPENAI_API_KEY: 'kept-too' },
        worker: 'env | sort >"$RESULT"',
      });
      const end = await unit.end();
      expectEnd(end, OK);
      expect(end.result).not.toMatch(
        /^(CLAUDE|claude|ANTHROPIC|AI_AGENT|CODEX_DISPATCH)|secret|^PRUN_STALL/m,
      );
      expect(end.result).toContain('MY_OWN=kept\n');
      expect(end.result).toContain('OPENAI_API_KEY=kept-too\n');
      const { marker } = await unit.unitRecord();
      expect(end.result).toContain(`PRUN_UNIT=${marker}\n`);
      // Neither do they stand in anything that is kept.
      for (const name of readdirSync(end.stateDir)) {
        if (name !== 'work') expect(textOf(path.join(end.stateDir, name))).not.toMatch(/secret-\d/);
      }
    });

    it('--pass-env names what goes through all the same', async () => {
      const end = await room
        .dispatch({
          ...as,
          environment: HOST,
          flags: ['--pass-env', 'ANTHROPIC_API_KEY', '--pass-env=CLAUDECODE', '--pass-env', 'NOT_SET'],
          worker: 'env | sort >"$RESULT"',
        })
        .end();
      expectEnd(end, OK);
      expect(end.result).toContain('ANTHROPIC_API_KEY=secret-2\n');
      expect(end.result).toContain('CLAUDECODE=1\n');
      expect(end.result).not.toMatch(/secret-[134]|NOT_SET/);
    });

    it('every descendant carries the marker, and with an empty environment the limit', async () => {
      const unit = room.dispatch({
        ...as,
        worker: `(setsid sh -c 'echo "$PRUN_UNIT" >"$RESULT.1"'); env -i sh -c 'ulimit -S -m' >"$RESULT"; sleep 0.3`,
      });
      const end = await unit.end();
      expectEnd(end, OK);
      const { marker, rssMark } = await unit.unitRecord();
      expect(readFileSync(`${unit.resultFile}.1`, 'utf8')).toBe(`${marker}\n`);
      expect(Number(end.result) * 1024).toBe(Number(rssMark));
    });

    it('a worker that starts prun again is refused', async () => {
      const folder = room.folder();
      const end = await room
        .dispatch({
          ...as,
          folder,
          environment: { INNER_DIR: folder },
          worker: `printf 'touch "$INNER_DIR/ran"' >"$INNER_DIR/inner-codex"; ${inner('')} 2>"$RESULT"; echo "exit $?" >>"$RESULT"`,
        })
        .end();
      expectEnd(end, OK);
      expect(end.result).toMatch(
        /^dispatch-task: this is a worker of unit unit-[0-9a-f]{16}, .+--allow-nested.*\nexit 2\n$/,
      );
      expect(existsSync(path.join(folder, 'ran'))).toBe(false);
    });

    it('with --allow-nested it may, and each of both has its outcome', async () => {
      const folder = room.folder();
      const unit = room.dispatch({
        ...as,
        folder,
        environment: { INNER_DIR: folder },
        worker: [
          `printf '#!/bin/sh\\necho "$PRUN_UNIT" >"$INNER_DIR/inner.md"' >"$INNER_DIR/inner-codex"; chmod +x "$INNER_DIR/inner-codex"`,
          `${inner('--allow-nested')} && cp "$INNER_DIR/inner.md" "$RESULT"`,
        ].join('\n'),
      });
      const end = await unit.end();
      expectEnd(end, OK);
      const { marker } = await unit.unitRecord();
      expect(end.result).toMatch(new RegExp(`^${marker}/inner-[0-9a-f]{16}\\n$`));
      const nested = JSON.parse(readFileSync(path.join(await nestedStateDir(unit), 'outcome.json'), 'utf8'));
      expect(nested).toMatchObject({ status: 'succeeded', reason: 'ok', unit: 'inner' });
    });

    it.each([
      [
        'reaped',
        ['--timeout', '2'],
        undefined,
        { status: 'failed', reason: 'hard-timeout', origin: 'tail', code: 124 },
      ],
      [
        'killed',
        [],
        'SIGKILL',
        { status: 'interrupted', reason: 'dispatch-dead', origin: 'tail', code: 137 },
      ],
      ['stopped', [], 'SIGTERM', { status: 'interrupted', reason: 'signal', origin: 'tail', code: 143 }],
    ] as const)('nested units go with the outer one that is %s', async (_, flags, signal, expected) => {
      const folder = room.folder();
      const unit = room.dispatch({
        ...as,
        folder,
        flags: [...flags],
        environment: { INNER_DIR: folder },
        worker: [
          `printf '#!/bin/sh\\ntrap "" TERM INT; touch "$INNER_DIR/inner-ready"; setsid env -i sleep 314 & sleep 314' >"$INNER_DIR/inner-codex"`,
          `chmod +x "$INNER_DIR/inner-codex"; echo starting; trap '' TERM INT; ${inner('--allow-nested --stall-threshold 0')}`,
        ].join('\n'),
      });
      await waitFor('the inner worker', () => existsSync(path.join(folder, 'inner-ready')));
      if (signal) unit.child.kill(signal);
      const end = await unit.end();
      expectEnd(end, expected);
      // The inner dispatcher is a member of the outer unit, and gone with it. Its guardian carries no marks: it sees to
      // the inner outcome, and goes.
      const nested = await nestedStateDir(unit);
      const pidIn = (file: string) => readFileSync(path.join(nested, file), 'utf8').trim();
      expect([undefined, 'Z']).toContain(readProcess(Number(pidIn('dispatch-pid')))?.state);
      const nestedOutcome = await waitFor('the inner outcome', () => {
        const file = path.join(nested, 'outcome.json');
        return existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as OutcomeRecord);
      });
      // Asked with the outer worker's group it answers by itself, killed with it its guardian does.
      expect(['signal', 'dispatch-dead']).toContain(nestedOutcome.reason);
      expect(nestedOutcome).toMatchObject({ status: 'interrupted', survivors: [] });
      await waitFor('the end of the inner guardian', () => {
        const state = readProcess(Number(pidIn('guardian').split(':')[1]))?.state;
        return state === undefined || state === 'Z';
      });
    });
  });
}
