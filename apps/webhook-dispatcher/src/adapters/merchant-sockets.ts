import type { Socket } from 'node:net';
import { Agent, Client, Pool, type buildConnector, type Dispatcher } from 'undici';

export type MerchantRequest = Dispatcher.RequestOptions & { readonly origin: string };

export type Answer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>;

export interface Sending {
  readonly answer: Promise<Answer>;
  /** Of one that failed: its socket was kept from an earlier request, and not a byte has come back on it. */
  isStale(): boolean;
  /** When nothing more is wanted of the answer. */
  end(): void;
}

export interface MerchantSockets {
  /** On a socket that an earlier request has left open, if there is one. */
  send(request: MerchantRequest): Sending;
  /** On a socket of its own, which nothing was sent on before and nothing will be after. */
  sendAlone(request: MerchantRequest): Sending;
  close(): Promise<void>;
}

export interface SocketSettings extends Omit<Pool.Options, 'connect' | 'factory'> {
  readonly connect: buildConnector.connector;
}

export function openMerchantSockets(settings: SocketSettings): MerchantSockets {
  const { clientTtl, ...ofClient } = settings;
  const agent = new Agent({
    ...settings,
    factory: (origin) => new Pool(origin, { ...settings, factory: (to) => watchedClient(to, ofClient) }),
  });
  return {
    send(request) {
      const use: Use = { isStale: () => false };
      const answer = agent.request<Use>({ ...request, opaque: use });
      return { answer, isStale: () => use.isStale(), end: () => undefined };
    },

    sendAlone({ origin, ...request }) {
      const client = new Client(origin, ofClient);
      const answer = client.request({ ...request, reset: true });
      return { answer, isStale: () => false, end: () => void client.destroy() };
    },

    close: () => agent.destroy(),
  };
}

interface Use {
  isStale: () => boolean;
}

/**
 * A client has one socket at a time, and is given a request when the answer to the last one has been read: what its
 * socket has read by then is not of this request's answer. Another socket by the end means that the one that was kept
 * was never sent on.
 */
function watchedClient(origin: URL, { connect, ...options }: Omit<SocketSettings, 'clientTtl'>): Client {
  let socket: Socket | null = null;
  const client = new Client(origin, {
    ...options,
    connect: (to, done) =>
      connect(to, (...opened) => {
        socket = opened[1];
        done(...opened);
      }),
  });
  const dispatch = client.dispatch.bind(client);
  client.dispatch = (request, handler) => {
    const [kept, bytesRead] = [socket, socket?.bytesRead];
    const { opaque } = request as Dispatcher.RequestOptions<Use>;
    if (opaque) opaque.isStale = () => kept !== null && kept === socket && kept.bytesRead === bytesRead;
    return dispatch(request, handler);
  };
  return client;
}
