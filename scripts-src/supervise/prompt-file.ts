import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { messageOf, usageError } from '../platform/errors.ts';

/** Codex refuses a longer prompt after it has started (FACTS-codex.md, Input). */
const MAX_PROMPT_CHARACTERS = 1_048_576;

/** The bytes of a prompt. Throws a usage error for what no worker could take: it is not UTF-8, empty, or too long. */
export function readPrompt(file: string, executor: string): Uint8Array {
  let prompt: Buffer;
  try {
    prompt = readFileSync(file);
  } catch (error) {
    throw usageError(
      `--prompt-file ${file} cannot be read (${messageOf(error)})`,
      'give the path of a readable file',
    );
  }
  if (!isUtf8(prompt)) {
    throw usageError(
      `--prompt-file ${file} is not UTF-8 (first bad byte at offset ${badByteOffset(prompt)})`,
      'save it as UTF-8',
    );
  }
  const text = prompt.toString('utf8');
  if (text.trim() === '') throw usageError(`--prompt-file ${file} is empty`, 'write the task into it');
  // Counting characters is only needed where there could be too many.
  const isLong = executor === 'codex' && prompt.length > MAX_PROMPT_CHARACTERS;
  if (isLong && [...text].length > MAX_PROMPT_CHARACTERS) {
    throw usageError(
      `--prompt-file ${file} has more than ${MAX_PROMPT_CHARACTERS} characters, which codex refuses`,
      'put the bulk into a file and name its path in the prompt',
    );
  }
  return prompt;
}

function badByteOffset(bytes: Buffer): number {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    // A cut inside a character is not a bad byte: up to three bytes may be missing at the end.
    const whole = [0, 1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, Math.max(0, middle - cut))));
    if (whole) low = middle;
    else high = middle - 1;
  }
  const lengths = [low, low - 1, low - 2, low - 3];
  return lengths.find((length) => length >= 0 && isUtf8(bytes.subarray(0, length))) ?? 0;
}
