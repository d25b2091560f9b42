/** Node starts no `.cmd` file without a shell; npm's shims are run by their script instead (PEERS.md, cc#287). */
export function startableArgv(
  argv: readonly string[],
  platform: NodeJS.Platform = process.platform,
): [string, string[]] {
  const [file = '', ...rest] = argv;
  if (platform !== 'win32' || !/\.(cmd|bat)$/i.test(file)) return [file, rest];
  const quoted = argv.map((word) => `"${word.replace(/"/g, '""')}"`).join(' ');
  return [process.env.ComSpec ?? 'cmd.exe', ['/d', '/s', '/c', `"${quoted}"`]];
}
