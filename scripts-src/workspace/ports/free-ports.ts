import net from 'node:net';
import { errnoOf } from '../../platform/errors.ts';

/** Whether nobody on this machine listens on any of these ports, tried by listening there for a moment. */
export async function arePortsFree(first: number, last: number): Promise<boolean> {
  for (let port = first; port <= last; port++) {
    // One after the other: a listener on :: takes the port on every address of IPv4 too.
    for (const host of ['127.0.0.1', '::']) {
      if (!(await canListen(port, host))) return false;
    }
  }
  return true;
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', (error) => {
      // A machine without IPv6 has nobody who listens there.
      resolve(host === '::' && ['EAFNOSUPPORT', 'EADDRNOTAVAIL', 'EINVAL'].includes(errnoOf(error) ?? ''));
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
