import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runRoom } from '../helpers/run-room.ts';
import { writeSessionBin } from '../helpers/session-bin.ts';

const ANSWER = '# a result\\nConclusion: done\\nFiles: none\\nOpen items: none\\nVerification: none';
const says = (text: string): string =>
  `cat <<'END'\n{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"${text}"}}\nEND`;
const ENDS = `echo '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}'`;

// "Done" needs a worker that has ended well (promise P4): a program that ends with 0 in the middle of its turn has given no answer.
it.each([
  ['is no answer where the stream breaks off before its turn is over', says(ANSWER), 'failed', 'tail'],
  ['is the answer when the turn was completed', `${says(ANSWER)}\n${ENDS}`, 'succeeded', 'last-message'],
])('a last message that keeps the contract %s', async (_what, first, status, origin) => {
  const room = runRoom();
  const codexBin = writeSessionBin(path.join(room.folder, 'bin'), { first });
  const run = await room.start([{ id: 'a', codexBin, mode: 'scratch' }]);
  const end = (await run.done()).get('a');
  expect(end).toMatchObject({ status, ...(status === 'failed' ? { reason: 'no-result' } : { origin }) });
  // Nothing that it said is lost.
  expect(readFileSync(end?.resultFile ?? '', 'utf8')).toContain('Conclusion: done');
});
