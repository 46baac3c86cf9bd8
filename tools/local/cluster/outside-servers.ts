import { createServer, type AddressInfo, type Server } from 'node:net';

export const MAIL_PORTS = [465, 587];

/** Servers on this machine, outside the cluster. */
export interface OutsideServers {
  readonly host: string;
  /** The `MAIL_PORTS` that this user could open. */
  readonly mailPorts: readonly number[];
  readonly otherPort: number;
  close(): Promise<void>;
}

export async function openOutsideServers(host: string): Promise<OutsideServers> {
  const servers = await Promise.all([0, ...MAIL_PORTS].map((port) => listen(port, host)));
  const open = servers.filter((server) => server !== undefined);
  const [otherPort, ...mailPorts] = open.map((server) => (server.address() as AddressInfo).port);
  if (otherPort === undefined)
    throw new Error(`This machine cannot listen at ${host}: name its address by --shop-host.`);
  return {
    host,
    mailPorts,
    otherPort,
    close: async () => {
      await Promise.all(open.map(closed));
    },
  };
}

/** Undefined if the port is in use or needs privileges. */
function listen(port: number, host: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.on('error', () => undefined).end());
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen(port, host, () => resolve(server));
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
