import { MCP_HELP, parseMcp } from './mcp/mcp-arguments.ts';
import { EXIT, runMain } from './platform/errors.ts';

void runMain('prun-mcp', async () => {
  const call = parseMcp(process.argv.slice(2), process.env, process.cwd());
  switch (call.kind) {
    case 'help':
      process.stdout.write(MCP_HELP);
      return EXIT.ok;
    case 'version':
      process.stdout.write(`${(await import('./platform/version.ts')).version}\n`);
      return EXIT.ok;
    case 'reap':
      return reap(call.folder);
    case 'serve':
      await (await import('./mcp/serve.ts')).serve({ ...call, program: __filename });
      return EXIT.ok;
  }
});

async function reap(folder: string): Promise<number> {
  // Whoever stops the server must not stop what cleans up behind it.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  const { reapServer } = await import('./mcp/reap-server.ts');
  await reapServer(folder);
  // Watchers of the runs may still be open.
  process.exit(EXIT.ok);
}
