import path from 'node:path';
import { missingFlag, missingFlagText, TESTED_CODEX, versionOf } from '../../executor/codex-flags.ts';
import { loginState, needsNoLogin } from '../../executor/codex-login.ts';
import { unwritableHome } from '../../executor/codex-preflight.ts';
import { ask, type ProbeRequest, probeCodex } from '../../executor/codex-probe.ts';
import type { ProgramProbe } from '../../executor/types.ts';
import { resolveProgram } from '../../platform/resolve-program.ts';
import { quotedWord } from '../../run/command-text.ts';
import { type Finding, fine, note, problem } from './finding.ts';
import type { LookWish } from './look-apart.ts';
import { saidIn } from './said-in.ts';

const INSTALL = 'npm install -g @openai/codex';

/** The codex that units would run on: whether it is there, can do what prun asks, and is signed in. */
export async function codexFindings(
  { cwd, stateHome, limitMs }: LookWish,
  environment: NodeJS.ProcessEnv,
): Promise<Finding[]> {
  const wished = environment.CODEX_BIN;
  const found = resolveProgram(wished || 'codex', cwd, environment);
  if (found.kind === 'not-executable') {
    return [problem('codex', `${found.path} is not executable`, `chmod +x ${quotedWord(found.path)}`)];
  }
  if (found.kind === 'missing') {
    return wished
      ? [
          problem(
            'codex',
            `CODEX_BIN names ${found.tried}, which is not there`,
            'correct CODEX_BIN, or unset it',
          ),
        ]
      : [problem('codex', 'there is none in PATH', INSTALL)];
  }
  const { root } = path.parse(process.execPath);
  const request = { program: found.path, stateHome, environment, limitMs, cwd: root, isReadOnly: true };
  return Promise.all([programFinding(request), loginFinding(request)]);
}

async function programFinding(request: ProbeRequest): Promise<Finding> {
  const { program } = request;
  // Both at once: a probe that fails does not tell why.
  const [probe, answer] = await Promise.all([probeCodex(request), ask(request, ['--version'])]);
  if (probe) return probedFinding(probe, program);
  const version = versionOf(answer.stdout);
  if (answer.exitCode === 0 && version !== undefined) {
    return note(
      'codex',
      `${version}, ${program}: its flags could not be read (codex exec --help)`,
      `install it anew: ${INSTALL}`,
    );
  }
  if (answer.exitCode === 0) {
    return problem('codex', `${program} is no Codex CLI (${saidIn(answer)})`, INSTALL);
  }
  const step = request.environment.CODEX_BIN
    ? 'put right what CODEX_BIN names'
    : `install it anew: ${INSTALL}`;
  return problem('codex', `${program} gives no version (${saidIn(answer)})`, step);
}

/** All that a unit may ask for, in the order in which it is asked. */
const WISHES: Parameters<typeof missingFlag>[0][] = [
  {},
  { model: 'any' },
  { options: { structured: true } },
  { options: { images: ['any'] } },
  { resume: 'any' },
];

function probedFinding(probe: ProgramProbe, program: string): Finding {
  const fact = `${probe.version}, ${program}`;
  for (const [n, wish] of WISHES.entries()) {
    const missing = missingFlag({ ...wish, probe });
    if (!missing) continue;
    const [what] = missingFlagText(missing, probe);
    // The first wish is what every unit needs.
    const told = n === 0 ? problem : note;
    return told('codex', `${fact}: ${what}`, `update it (${TESTED_CODEX} has it): ${INSTALL}`);
  }
  return fine('codex', fact);
}

async function loginFinding(request: ProbeRequest): Promise<Finding> {
  const { environment } = request;
  const id = 'codex-login';
  const home = unwritableHome(environment);
  if (home !== undefined) {
    return problem(
      id,
      `codex cannot write its home ${home}`,
      `make ${quotedWord(home)} writable for this user`,
    );
  }
  const isolate = environment.CODEX_DISPATCH_ISOLATE_MCP !== 'off';
  if (needsNoLogin({ environment, isolate }))
    return fine(id, 'none is needed: a key or another provider is set');
  const state = await loginState(request);
  if (state.kind === 'in') return fine(id, 'signed in');
  if (state.kind === 'out') return problem(id, 'codex is not signed in', 'codex login');
  // A run starts its workers all the same, but for a home that is not there.
  const told = /\bCODEX_HOME\b/.test(state.said) ? problem : note;
  return told(
    id,
    `codex login status gives no answer (${state.said})`,
    'run codex login status, and see what it says',
  );
}
