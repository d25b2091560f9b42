import { randomHex } from '../../platform/random.ts';
import { RSS_MARK_RANGE } from '../../process/family.ts';

/** A setup command as a process is started, and the marks that all its descendants carry. */
export interface SetupCommand {
  file: string;
  argv: string[];
  environment: NodeJS.ProcessEnv;
  /** Value of PRUN_UNIT; below that of the unit in which prun itself runs. */
  marker: string;
  /** Soft RSS limit in bytes as the system prints it, null where there are no such limits. */
  rssMark: string | null;
  isVerbatim: boolean;
}

/** A shell command line for `sh -c` (POSIX) or `cmd /d /s /c` (Windows), with marks of its own. */
export function setupCommand(
  command: string,
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): SetupCommand {
  const token = randomHex(12);
  const outer = environment.PRUN_UNIT;
  const marker = `${outer ? `${outer}/` : ''}setup-${token}`;
  const marked = { ...environment, PRUN_UNIT: marker };
  if (platform === 'win32') {
    const file = environment.ComSpec ?? environment.COMSPEC ?? 'cmd.exe';
    // The outer quotes are for cmd, which takes the first and the last away with /s.
    const argv = ['/d', '/s', '/c', `"${command}"`];
    return { file, argv, environment: marked, marker, rssMark: null, isVerbatim: true };
  }
  const kib = platform === 'linux' ? rssMarkKib(token) : '';
  // `ulimit` marks whatever the command starts, also where it clears its environment (supervise/shim.ts).
  const script = '[ -z "$1" ] || ulimit -S -m "$1" 2>/dev/null\nexec /bin/sh -c "$2"';
  return {
    file: '/bin/sh',
    argv: ['-c', script, 'prun-setup', kib, command],
    environment: marked,
    marker,
    rssMark: kib === '' ? null : String(Number(kib) * 1024),
    isVerbatim: false,
  };
}

function rssMarkKib(token: string): string {
  const [low, high] = [RSS_MARK_RANGE.from / 1024, RSS_MARK_RANGE.to / 1024];
  return String(low + (Number.parseInt(token, 16) % (high - low)));
}
