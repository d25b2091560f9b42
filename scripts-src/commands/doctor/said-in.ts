import { readableLine } from '../../executor/readable-line.ts';
import type { ProgramAnswer } from '../../process/ask-program.ts';

/** What a program said instead of an answer, or why it said nothing; one line. */
export function saidIn({ stdout, stderr, trouble, exitCode }: ProgramAnswer): string {
  const last = `${stdout}${stderr}`.trim().split('\n').at(-1) ?? '';
  return trouble ?? (readableLine(last) || `it ended with ${exitCode} and said nothing`);
}
