import { createLinuxHost } from './linux.ts';
import type { ProcessHost } from './types.ts';

/**
 * The process table of the system that prun runs on. The files of the other systems are loaded only there, so
 * that a hot script pays nothing for them.
 */
export async function currentHost(platform: NodeJS.Platform = process.platform): Promise<ProcessHost> {
  if (platform === 'win32') return (await import('./windows.ts')).createWindowsHost();
  if (platform === 'linux') return createLinuxHost();
  // The BSDs have the same ps; macOS is the one that is supported.
  return (await import('./darwin.ts')).createDarwinHost();
}
