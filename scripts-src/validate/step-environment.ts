import { readVariable } from '../executor/scrub-environment.ts';
import { LEASES } from '../process/types.ts';

/** What every step sees of the caller's environment, besides what the job names: enough to find programs and a home. */
const AMBIENT = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TMP', 'TEMP', 'LANG', 'TZ'] as const;

/** Without these a program of Windows does not start, or finds no folder of its own. */
const AMBIENT_WINDOWS = [
  'SystemRoot',
  'SystemDrive',
  'ComSpec',
  'PATHEXT',
  'OS',
  'USERNAME',
  'USERPROFILE',
  'HOMEDRIVE',
  'HOMEPATH',
  'APPDATA',
  'LOCALAPPDATA',
  'ProgramData',
  'ProgramFiles',
  'ProgramFiles(x86)',
  'CommonProgramFiles',
  'NUMBER_OF_PROCESSORS',
  'PROCESSOR_ARCHITECTURE',
] as const;

/** What the job says of the environment. */
export interface EnvironmentWish {
  /** Names whose values come from the caller. */
  inherit: readonly string[];
  /** Names with their values; these go first. */
  set: Readonly<Record<string, string>>;
}

/**
 * The environment of all steps: the allow-list, `LC_*`, what the job inherits and what it sets. Nothing else of the
 * caller's reaches a step. A name that the caller does not have is left out.
 */
export function stepEnvironment(
  wish: EnvironmentWish,
  caller: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const locale = Object.keys(caller).filter((name) => /^LC_[A-Z]+$/.test(name));
  const ambient = platform === 'win32' ? [...AMBIENT, ...AMBIENT_WINDOWS] : AMBIENT;
  const environment: Record<string, string> = {};
  for (const name of [...ambient, ...locale, ...wish.inherit]) {
    const value = platform === 'win32' ? readVariable(caller, name) : caller[name];
    if (value !== undefined) environment[name] = value;
  }
  return { ...environment, ...wish.set };
}

/** What each step is told besides. */
export interface ToldToSteps {
  output: string;
  startedAt: string;
  commit: string;
  buildFingerprint: string;
  stage: string;
  sequence: number;
}

/** The variables by which a step knows what it is part of. They are no part of the fingerprint. */
export function toldVariables(told: ToldToSteps): Record<string, string> {
  return {
    VALIDATE_RUN_OUTPUT: told.output,
    VALIDATE_RUN_STARTED_AT: told.startedAt,
    VALIDATE_RUN_COMMIT: told.commit,
    VALIDATE_RUN_BUILD_FINGERPRINT: told.buildFingerprint,
    VALIDATE_RUN_STAGE: told.stage,
    VALIDATE_RUN_SEQUENCE: String(told.sequence),
  };
}

/** Where the machine's slots are, and which of them are held above: a `resource-run` in a step must not wait for those. */
const OF_LEASES = [LEASES, 'PRUN_RESOURCE_HOME'];

/**
 * What steps see of the slots under which the validation itself runs. It says nothing of what is built, and is no part of
 * the fingerprint; the ids are marks, by which a holder's guardian knows the steps.
 */
export function leaseVariables(caller: NodeJS.ProcessEnv): Record<string, string> {
  const found = OF_LEASES.flatMap((name): [string, string][] => {
    const value = caller[name];
    return value ? [[name, value]] : [];
  });
  return Object.fromEntries(found);
}

/** Names that prun itself gives to steps: a job cannot set them. */
export function isReservedName(name: string): boolean {
  return /^(?:VALIDATE_RUN_|PRUN_(?:UNIT|LEASE|RESOURCE_HOME)$)/i.test(name);
}
