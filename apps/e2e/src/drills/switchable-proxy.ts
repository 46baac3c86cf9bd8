import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** Maximum wait for requests to the previous target. Longer event streams are left to its shutdown. */
const PATIENCE_MS = 2_000;

/** A stable address for changing processes, like a Service of Kubernetes. */
export class SwitchableProxy {
  private readonly underWay = new Map<number, Set<ServerResponse>>();

  private constructor(
    private readonly server: Server,
    private target: number,
  ) {}

  static async listen(port: number, target: number): Promise<SwitchableProxy> {
    const server = createServer({ keepAliveTimeout: 65_000 });
    const proxy = new SwitchableProxy(server, target);
    server.on('request', (incoming, outgoing) => proxy.pass(incoming, outgoing));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  /** Resolves when the requests to the previous port have ended. */
  async switchTo(target: number): Promise<void> {
    const former = this.underWay.get(this.target) ?? new Set();
    this.target = target;
    const ends = [...former].map((response) => once(response, 'close'));
    await Promise.race([Promise.all(ends), new Promise((done) => setTimeout(done, PATIENCE_MS).unref())]);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** One connection per request, so that none is open to a process that ends. */
  private pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { target } = this;
    const responses = this.underWay.get(target) ?? new Set();
    this.underWay.set(target, responses.add(outgoing));
    outgoing.on('close', () => responses.delete(outgoing));
    const upstream = request({
      host: '127.0.0.1',
      port: target,
      agent: false,
      method: incoming.method,
      path: incoming.url,
      headers: { ...incoming.headers, connection: 'close' },
    });
    upstream.on('response', (response) => {
      const { connection, 'keep-alive': keepAlive, ...headers } = response.headers;
      outgoing.writeHead(response.statusCode ?? 502, headers);
      response.pipe(outgoing);
      response.on('error', () => outgoing.destroy());
    });
    upstream.on('error', () => outgoing.destroy());
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) upstream.destroy();
    });
    incoming.pipe(upstream);
  }
}
