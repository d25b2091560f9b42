import { version as packageVersion } from '../../package.json';

/** The version of prun. */
export const version: string = packageVersion;
